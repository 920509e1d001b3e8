import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** How often a caller may still come. */
export interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Until the count starts again. */
  resetSeconds: number;
}

/** Counts the requests of callers. */
export interface RateLimiter {
  /** Counts one request of the caller with this key. */
  spend(key: string): Promise<Allowance>;
}

const WINDOW_SECONDS = 60;
// What the contract lets a server say that sets no limit.
const UNLIMITED = 2_147_483_647;

/**
 * Allows every caller so many requests a minute, 0 for any number. The minute begins with the caller's first request.
 * Counts in this process, unless a limiter of rate-limiter-flexible on a shared store is handed in (`points` = perMinute, `duration` 60).
 */
export function createRateLimiter(
  perMinute: number,
  counter: RateLimiterAbstract = new RateLimiterMemory({
    points: Math.max(perMinute, 1),
    duration: WINDOW_SECONDS,
  }),
): RateLimiter {
  if (perMinute === 0) {
    const allowance = { allowed: true, limit: UNLIMITED, remaining: UNLIMITED, resetSeconds: 0 };
    return { spend: async () => allowance };
  }
  return {
    async spend(key) {
      try {
        return allowanceOf(true, perMinute, await counter.consume(key));
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return allowanceOf(false, perMinute, refusal);
      }
    },
  };
}

/** The response headers that tell a caller about the limit. */
export function rateLimitHeaders(allowance: Allowance): Record<string, number> {
  return {
    'RateLimit-Limit': allowance.limit,
    'RateLimit-Remaining': allowance.remaining,
    'RateLimit-Reset': allowance.resetSeconds,
  };
}

function allowanceOf(allowed: boolean, limit: number, count: RateLimiterRes): Allowance {
  // A caller told to come back in 0 seconds would come at once.
  const seconds = Math.ceil(count.msBeforeNext / 1000);
  const resetSeconds = Math.min(Math.max(seconds, allowed ? 0 : 1), WINDOW_SECONDS);
  return { allowed, limit, remaining: Math.max(count.remainingPoints, 0), resetSeconds };
}
