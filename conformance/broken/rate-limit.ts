import { refuse } from './refusal.ts';

const MINUTE_SECONDS = 60;
const ENDLESS = 2_147_483_647;

/** Counts requests a minute for each caller. */
export interface RateLimit {
  /** Counts one, and returns the headers for its answer. Throws a 429. */
  count(caller: string): Record<string, string>;
  /** The headers of a 429. */
  exceeded(): Record<string, string>;
}

/** What the limit is. */
export interface RateLimitOptions {
  /** Requests a minute; 0 is none. */
  perMinute: number;
  /** How often counting begins anew: who is told to wait then waits no longer. */
  windowSeconds?: number;
}

/** Counts requests by the time of the wall, not of the clock that can be moved. */
export function createRateLimit({ perMinute, windowSeconds = MINUTE_SECONDS }: RateLimitOptions): RateLimit {
  const most = perMinute === 0 ? ENDLESS : Math.ceil((perMinute * windowSeconds) / MINUTE_SECONDS);
  const counts = new Map<string, number>();
  let windowEnds = 0;
  const headers = (remaining: number) => ({
    'ratelimit-limit': String(most),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(secondsLeft()),
  });
  const secondsLeft = () => Math.min(windowSeconds, Math.max(0, Math.ceil((windowEnds - Date.now()) / 1000)));
  return {
    count: (caller) => {
      if (Date.now() >= windowEnds) {
        counts.clear();
        windowEnds = Date.now() + windowSeconds * 1000;
      }
      const used = (counts.get(caller) ?? 0) + 1;
      counts.set(caller, used);
      if (used > most) throw refuse(429, 'RATE_LIMIT_EXCEEDED', `more than ${perMinute} requests a minute`);
      return headers(perMinute === 0 ? most : most - used);
    },
    exceeded: () => ({ ...headers(0), 'retry-after': String(secondsLeft()) }),
  };
}
