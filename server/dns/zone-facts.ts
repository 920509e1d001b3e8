import type { Config } from '../config.ts';
import type { ZoneFacts } from './zone.ts';

/** What the settings say of the service's zone. */
export function zoneFactsOf({ mailHostname, mailAddresses, delivery }: Config): ZoneFacts {
  return { mailHostname, addresses: mailAddresses, isRelayed: delivery.mode === 'relay' };
}
