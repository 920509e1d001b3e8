import { MILLISECONDS_PER_HOUR, plusMilliseconds, type Timestamp, toEpochMs } from './time.ts';

const MINUTE = 60_000;

/** The pause after the first, second, ... failed attempt. */
const PAUSES_MS: readonly number[] = [
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  1 * MILLISECONDS_PER_HOUR,
  2 * MILLISECONDS_PER_HOUR,
  4 * MILLISECONDS_PER_HOUR,
];
const EVERY_LATER_PAUSE_MS = 4 * MILLISECONDS_PER_HOUR;

/** A message is given up so long after it was accepted. */
export const GIVEN_UP_AFTER_MS = 72 * MILLISECONDS_PER_HOUR;

/** Each pause is shortened or lengthened by up to this part, so that what failed together does not come back together. */
const JITTER = 0.1;

/**
 * When a message is tried again after a temporary failure.
 * `attempt` is the number of the attempt that failed (from 1), `random` a number in [0, 1).
 * Returns undefined when the message is to be given up: the next attempt would come later than 72 h after acceptance.
 */
export function nextAttemptAt(
  acceptedAt: Timestamp,
  failedAt: Timestamp,
  attempt: number,
  random: number,
): Timestamp | undefined {
  const pause = PAUSES_MS[attempt - 1] ?? EVERY_LATER_PAUSE_MS;
  const jittered = Math.round(pause * (1 - JITTER + 2 * JITTER * random));
  const next = plusMilliseconds(failedAt, jittered);
  return isGivenUp(acceptedAt, next) ? undefined : next;
}

/** Whether nothing is tried any more at this moment for a message that was accepted then. */
export function isGivenUp(acceptedAt: Timestamp, at: Timestamp): boolean {
  return toEpochMs(at) - toEpochMs(acceptedAt) > GIVEN_UP_AFTER_MS;
}
