import { buildZone, type Zone } from './authority.ts';
import type { ZoneFacts, ZoneKey } from './zone.ts';

const FRESH_MS = 1000;

/**
 * The zone as the store has it, read again when it is asked for and a second old: a flood of questions costs the database one
 * query a second. While the store fails, the last zone stays. The function that is returned rejects only when there never was one.
 */
export function createZoneSource(
  facts: ZoneFacts,
  readKeys: () => Promise<readonly ZoneKey[]>,
  onFault: (error: unknown) => void,
): () => Promise<Zone> {
  let zone: Zone | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Zone> | undefined;

  async function read(): Promise<Zone> {
    try {
      zone = buildZone(facts, await readKeys(), Math.floor(Date.now() / 1000));
      return zone;
    } catch (error) {
      onFault(error);
      if (zone === undefined) throw error;
      return zone;
    } finally {
      readAt = performance.now();
      reading = undefined;
    }
  }

  return async () => {
    if (zone !== undefined && performance.now() - readAt < FRESH_MS) return zone;
    reading ??= read();
    return await reading;
  };
}
