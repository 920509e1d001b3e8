import { type OperationsEndpoints, OperationsError } from '../operations/listener.ts';
import type { SystemStore } from '../store/store.ts';
import type { ZoneFacts } from './zone.ts';
import { zoneFile } from './zone-file.ts';

/** The endpoint on the operations listener that prints the service's zone, with the keys of all sending domains as they are now. */
export function createZoneRoute(
  facts: ZoneFacts,
  zoneOf: () => SystemStore['zone'] | undefined,
): OperationsEndpoints {
  return {
    'GET /dns/zone': async () => {
      const zone = zoneOf();
      if (zone === undefined) throw new OperationsError(503, 'The service is starting.');
      const body = zoneFile(facts, await zone.dkimKeys());
      return { status: 200, body, contentType: 'text/plain; charset=utf-8' };
    },
  };
}
