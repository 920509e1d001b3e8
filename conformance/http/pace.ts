import { setTimeout as delay } from 'node:timers/promises';

/** The server's rate limit leaves no room for the run. */
export class RateLimited extends Error {}

/** Holds requests back while the server asks for it. */
export interface Pace {
  /** Waits until this caller may send again. */
  turn(caller: string): Promise<void>;
  /** The server said 429 to this caller. @throws RateLimited when the run has waited for too long already. */
  slowDown(caller: string, retryAfter: string | undefined): void;
}

const DEFAULT_WAIT_SECONDS = 2;
const LONGEST_WAIT_SECONDS = 120;
const MOST_SECONDS_WAITED = 1800;

/** `onWait` is told for how many seconds a caller waits. */
export function createPace(onWait: (seconds: number) => void): Pace {
  const until = new Map<string, number>();
  const waited = new Map<string, number>();
  return {
    async turn(caller) {
      for (;;) {
        const left = (until.get(caller) ?? 0) - performance.now();
        if (left <= 0) return;
        await delay(left);
      }
    },
    slowDown(caller, retryAfter) {
      const asked = Number(retryAfter ?? DEFAULT_WAIT_SECONDS);
      const seconds = Number.isFinite(asked) && asked >= 0 ? Math.max(asked, 0.1) : DEFAULT_WAIT_SECONDS;
      const now = performance.now();
      if ((until.get(caller) ?? 0) > now) return;
      const sum = (waited.get(caller) ?? 0) + seconds;
      waited.set(caller, sum);
      if (seconds > LONGEST_WAIT_SECONDS || sum > MOST_SECONDS_WAITED)
        throw new RateLimited(`the rate limit asks to wait ${seconds} seconds, ${Math.round(sum)} in all`);
      until.set(caller, now + seconds * 1000);
      onWait(seconds);
    },
  };
}
