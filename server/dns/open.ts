import type { Core } from '../core.ts';
import type { SystemStore } from '../store/store.ts';
import { startDnsServer } from './server.ts';
import { zoneFactsOf } from './zone-facts.ts';
import { createZoneSource } from './zone-source.ts';

/**
 * Serves the zone where the settings ask for it, and returns the port. While the service starts, there is no zone yet: SERVFAIL.
 * @throws StartupError when the port cannot be opened.
 */
export async function openDns(
  { config, logger, closing }: Core,
  zoneOf: () => SystemStore['zone'] | undefined,
): Promise<number | undefined> {
  const { dnsPort, host } = config;
  if (dnsPort === undefined) return undefined;
  const onFault = (error: unknown) => logger.error({ err: error }, 'the DNS server failed; it goes on');
  const readKeys = async () => {
    const zone = zoneOf();
    if (zone === undefined) throw new Error('The service is starting.');
    return await zone.dkimKeys();
  };
  const zone = createZoneSource(zoneFactsOf(config), readKeys, (error) => {
    if (zoneOf() !== undefined) onFault(error);
  });
  const server = await startDnsServer({ host, port: dnsPort, zone, onFault });
  closing.add(() => server.close());
  return server.port;
}
