import { refuse } from './refusal.ts';

const WINDOW_SECONDS = 60;
const ENDLESS = 2_147_483_647;

/** Counts requests a minute for each caller. */
export interface RateLimit {
  /** Counts one, and returns the headers for its answer. Throws a 429. */
  count(caller: string): Record<string, string>;
  /** The headers of a 429. */
  exceeded(): Record<string, string>;
}

/** A limit of so many requests a minute; 0 is none. Time is that of the wall, not the clock that can be moved. */
export function createRateLimit(perMinute: number): RateLimit {
  const most = perMinute === 0 ? ENDLESS : perMinute;
  const counts = new Map<string, number>();
  let windowEnds = 0;
  const headers = (remaining: number) => ({
    'ratelimit-limit': String(most),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(secondsLeft()),
  });
  const secondsLeft = () =>
    Math.min(WINDOW_SECONDS, Math.max(0, Math.ceil((windowEnds - Date.now()) / 1000)));
  return {
    count: (caller) => {
      if (Date.now() >= windowEnds) {
        counts.clear();
        windowEnds = Date.now() + WINDOW_SECONDS * 1000;
      }
      const used = (counts.get(caller) ?? 0) + 1;
      counts.set(caller, used);
      if (used > most) throw refuse(429, 'RATE_LIMIT_EXCEEDED', `more than ${most} requests a minute`);
      return headers(perMinute === 0 ? most : most - used);
    },
    exceeded: () => ({ ...headers(0), 'retry-after': String(secondsLeft()) }),
  };
}
