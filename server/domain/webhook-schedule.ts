import {
  MILLISECONDS_PER_DAY,
  MILLISECONDS_PER_HOUR,
  plusMilliseconds,
  type Timestamp,
  toEpochMs,
} from './time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The pause after the first, second, ... failed attempt (DECISIONS, notifications-retries). */
const PAUSES_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * MILLISECONDS_PER_HOUR,
  5 * MILLISECONDS_PER_HOUR,
  10 * MILLISECONDS_PER_HOUR,
  14 * MILLISECONDS_PER_HOUR,
  20 * MILLISECONDS_PER_HOUR,
  24 * MILLISECONDS_PER_HOUR,
];

/** Each pause is shortened or lengthened by up to this part, so that what failed together does not come back together. */
const JITTER = 0.1;

/** So long may every attempt fail before a webhook is disabled, and so old may a notification be that waited for its webhook. */
export const PATIENCE_MS = 5 * MILLISECONDS_PER_DAY;

/** A receiver that asks for more is asked again after this. */
const LONGEST_PAUSE_MS = MILLISECONDS_PER_DAY;

/**
 * When a notification is tried again after its `attempt`th attempt (from 1) has failed; `random` is a number in [0, 1), `notBefore` what the
 * receiver asked for. Undefined when no attempt is left.
 */
export function nextNotificationAt(
  failedAt: Timestamp,
  attempt: number,
  random: number,
  notBefore?: Timestamp,
): Timestamp | undefined {
  const pause = PAUSES_MS[attempt - 1];
  if (pause === undefined) return undefined;
  const next = plusMilliseconds(failedAt, Math.round(pause * (1 - JITTER + 2 * JITTER * random)));
  return notBefore !== undefined && notBefore > next ? notBefore : next;
}

/** The moment that a Retry-After of so many milliseconds means, a day from now at most. */
export function pausedUntil(now: Timestamp, retryAfterMs: number): Timestamp {
  return plusMilliseconds(now, Math.min(Math.max(retryAfterMs, 0), LONGEST_PAUSE_MS));
}

/** What was made before this moment is given up when its webhook is enabled again. */
export function patienceEndsBefore(now: Timestamp): Timestamp {
  return plusMilliseconds(now, -PATIENCE_MS);
}

/** Whether nothing but failure since then has to end. */
export function isOutOfPatience(failingSince: Timestamp, now: Timestamp): boolean {
  return toEpochMs(now) - toEpochMs(failingSince) >= PATIENCE_MS;
}
