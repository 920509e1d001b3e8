import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './operations/logger.ts';
import type { SystemStore } from './store/store.ts';

/** Work that nobody waits for. */
export interface Maintenance {
  /** Finishes the step under way and does no other. */
  stop(): Promise<void>;
}

const ROUND_MS = 60_000;
// Small steps: on the embedded database everything else waits while one runs.
const MESSAGES_A_STEP = 500;
const PAUSE_BETWEEN_STEPS_MS = 50;
const CAPTURED_MAILS_KEPT = 10_000;

/** Every minute: removes what deleted accounts left, expired sessions, and in the sandbox the oldest captured mails. */
export function startMaintenance(
  store: Pick<SystemStore, 'maintenance' | 'sandbox'>,
  logger: Logger,
  { isSandbox }: { isSandbox: boolean },
): Maintenance {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);

  async function round(): Promise<void> {
    while (!signal.aborted && (await store.maintenance.purgeDeletedAccounts(MESSAGES_A_STEP)) > 0) {
      await pause(PAUSE_BETWEEN_STEPS_MS);
    }
    if (!signal.aborted) await store.maintenance.purgeExpired();
    if (!signal.aborted && isSandbox) await store.sandbox.prune(CAPTURED_MAILS_KEPT);
  }

  async function run(): Promise<void> {
    for (;;) {
      await pause(ROUND_MS);
      if (signal.aborted) return;
      await round().catch((error: unknown) =>
        logger.error({ err: error }, 'maintenance failed; it tries again'),
      );
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
