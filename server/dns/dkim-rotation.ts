import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, toEpochMs } from '../domain/time.ts';
import type { WaitingRotation } from '../store/rows.ts';
import type { SystemStore } from '../store/store.ts';
import type { DnsResolver } from './resolver.ts';
import { verifyDkim } from './verification.ts';
import { ZONE_TTL_SECONDS } from './zone.ts';

/** What completing rotations needs. */
export interface RotationParts {
  store: Pick<SystemStore['dkim'], 'waiting' | 'complete'>;
  resolver: DnsResolver;
  clock: Clock;
}

/**
 * Lets the new key of each waiting rotation (or of one domain's) sign, if the DNS shows it and every cache that may still hold
 * the record before it has had to ask again.
 */
export async function completeRotations(parts: RotationParts, domainId?: string): Promise<void> {
  for (const rotation of await parts.store.waiting(domainId)) {
    if (isOlderThanCaches(rotation, parts.clock) && (await isSeen(rotation, parts.resolver)))
      await parts.store.complete(rotation);
  }
}

function isOlderThanCaches({ requestedAt }: WaitingRotation, clock: Clock): boolean {
  return clock.epochMs() - toEpochMs(requestedAt) >= ZONE_TTL_SECONDS * 1000;
}

async function isSeen(rotation: WaitingRotation, resolver: DnsResolver): Promise<boolean> {
  return (await verifyDkim(resolver, [rotation])).ok;
}

const ROUND_MS = 60_000;

/** Completes rotations as they become ready, looking every minute. */
export function watchRotations(
  parts: RotationParts & { fault: (what: string, error: unknown) => void; roundMs?: number },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await completeRotations(parts).catch((error: unknown) =>
        parts.fault('Completing rotations of DKIM keys failed; it is tried again.', error),
      );
      await delay(parts.roundMs ?? ROUND_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
