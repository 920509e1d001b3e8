import type { SystemClock } from '../domain/time.ts';
import type { Queue } from '../store/queue.ts';
import type { SystemStore } from '../store/store.ts';

/** The part of the store that keeps how far the clock is ahead. */
export type SettingsStore = Pick<SystemStore, 'settings'>;

const OFFSET_SETTING = 'sandbox.clock_offset_ms';
const FOLLOW_MS = 500;
const MILLISECONDS = 1000;
const DAY_SECONDS = 86_400;
/** The furthest that the clock goes ahead, in all: dates stay ones that every part can write. */
const FURTHEST_DAYS = 36_500;

/** Puts the clock where the sandbox left it, so that a restart does not go back in time. */
export async function restoreClock(clock: SystemClock, { settings }: SettingsStore): Promise<void> {
  const offset = await settings.get(OFFSET_SETTING);
  if (typeof offset === 'number' && offset > clock.offsetMs) clock.advance(offset - clock.offsetMs);
}

/**
 * Keeps the clock where the other processes on the same database have moved it to; returns how that ends.
 * Until a process has looked, it is behind by less than a second.
 */
export function followClock(
  clock: SystemClock,
  store: SettingsStore,
  onError: (error: Error) => void,
): () => void {
  const timer = setInterval(() => void restoreClock(clock, store).catch(onError), FOLLOW_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Moves the service's time forward, and with it everything that waits for its moment. */
export interface SandboxClock {
  /** @throws RangeError when the clock would go further ahead than it can. */
  advance(seconds: number): Promise<{ now: string; aheadSeconds: number }>;
}

/** Creates the sandbox clock over the one that all parts of the service read. */
export function createSandboxClock(parts: {
  clock: SystemClock;
  store: SettingsStore;
  queue: Pick<Queue, 'advance'>;
}): SandboxClock {
  const { clock, store, queue } = parts;
  let last: Promise<unknown> = Promise.resolve();

  async function advance(seconds: number): Promise<{ now: string; aheadSeconds: number }> {
    await restoreClock(clock, store);
    const offset = clock.offsetMs + Math.round(seconds * MILLISECONDS);
    if (offset > FURTHEST_DAYS * DAY_SECONDS * MILLISECONDS) {
      throw new RangeError(`The clock cannot be more than ${FURTHEST_DAYS} days ahead in all.`);
    }
    // First what a restart reads: time that was seen must never come again.
    await store.settings.set(OFFSET_SETTING, offset);
    clock.advance(offset - clock.offsetMs);
    await queue.advance(seconds);
    return { now: clock.now(), aheadSeconds: offset / MILLISECONDS };
  }

  return {
    advance(seconds) {
      // One at a time, or two calls would each write an offset that lacks the other's.
      const result = last.then(() => advance(seconds));
      last = result.catch(() => undefined);
      return result;
    },
  };
}
