import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, hourOf, MILLISECONDS_PER_DAY, plusMilliseconds, type Timestamp } from './domain/time.ts';
import type { Logger } from './operations/logger.ts';
import type { SystemStore } from './store/store.ts';
import { FIRST_ID } from './store/system/retention.ts';

/** Work that nobody waits for. */
export interface Maintenance {
  /** Finishes the step under way and does no other. */
  stop(): Promise<void>;
}

export interface MaintenanceOptions {
  store: Pick<SystemStore, 'maintenance' | 'sandbox'>;
  clock: Clock;
  logger: Logger;
  isSandbox: boolean;
  /** How long the log is kept. */
  retentionDays: number;
  /** How long it rests between two rounds. */
  roundMs?: number;
}

const ROUND_MS = 60_000;
// Small steps: on the embedded database everything else waits while one runs.
const MESSAGES_A_STEP = 500;
const HOURS_A_STEP = 1000;
const PAUSE_BETWEEN_STEPS_MS = 50;
const CAPTURED_MAILS_KEPT = 10_000;

/** Every minute: gives up what waits for disabled webhooks, removes what deleted accounts left, what the log is too old for, expired sessions, and in the sandbox the oldest captured mails. */
export function startMaintenance(options: MaintenanceOptions): Maintenance {
  const { store, clock, logger, isSandbox, retentionDays } = options;
  const { maintenance, sandbox } = store;
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  let purgedBefore: Timestamp = '';

  /** Does steps until one says that it was the last. */
  async function stepByStep(step: () => Promise<boolean>): Promise<void> {
    while (!signal.aborted && (await step())) await pause(PAUSE_BETWEEN_STEPS_MS);
  }

  // By whole hours, as the counters are kept: each hour is in the log and its counters, or in neither.
  async function purgeOldLog(): Promise<void> {
    const before = hourOf(plusMilliseconds(clock.now(), -retentionDays * MILLISECONDS_PER_DAY));
    let cursor: string | undefined = FIRST_ID;
    await stepByStep(async () => {
      if (cursor === undefined) return false;
      ({ cursor } = await maintenance.purgeLog(before, cursor, MESSAGES_A_STEP));
      return cursor !== undefined;
    });
    await stepByStep(async () => (await maintenance.purgeNotifications(before, MESSAGES_A_STEP)) > 0);
    if (before === purgedBefore) return;
    await stepByStep(async () => (await maintenance.purgeStatistics(before, HOURS_A_STEP)) > 0);
    if (!signal.aborted) purgedBefore = before;
  }

  async function round(): Promise<void> {
    await stepByStep(async () => (await maintenance.giveUpNotifications(MESSAGES_A_STEP)) > 0);
    await stepByStep(async () => (await maintenance.purgeDeletedAccounts(MESSAGES_A_STEP)) > 0);
    await purgeOldLog();
    if (!signal.aborted) await maintenance.purgeExpired();
    if (!signal.aborted && isSandbox) await sandbox.prune(CAPTURED_MAILS_KEPT);
  }

  async function run(): Promise<void> {
    for (;;) {
      await pause(options.roundMs ?? ROUND_MS);
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
