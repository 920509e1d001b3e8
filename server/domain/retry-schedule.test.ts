import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GIVEN_UP_AFTER_MS, nextAttemptAt } from './retry-schedule.ts';
import { plusMilliseconds, type Timestamp, toEpochMs } from './time.ts';

const ACCEPTED: Timestamp = '2026-03-01T10:00:00.000001+00:00';
const NO_JITTER = 0.5;

function pausesInMinutes(random: number): number[] {
  const pauses: number[] = [];
  let now = ACCEPTED;
  for (let attempt = 1; ; attempt += 1) {
    const next = nextAttemptAt(ACCEPTED, now, attempt, random);
    if (next === undefined) return pauses;
    pauses.push((toEpochMs(next) - toEpochMs(now)) / 60_000);
    now = next;
  }
}

describe('the retry schedule', () => {
  it('waits 5, 15, 30 minutes, 1, 2, 4 hours, then 4 hours each, and gives up after 72 hours', () => {
    const pauses = pausesInMinutes(NO_JITTER);
    expect(pauses.slice(0, 8)).toEqual([5, 15, 30, 60, 120, 240, 240, 240]);
    expect(new Set(pauses.slice(5))).toEqual(new Set([240]));
    const total = pauses.reduce((sum, pause) => sum + pause, 0);
    expect(total).toBeLessThanOrEqual(72 * 60);
    expect(total).toBeGreaterThan(68 * 60);
  });

  it('moves each pause by at most a tenth', () => {
    expect(pausesInMinutes(0)[0]).toBe(4.5);
    expect(nextAttemptAt(ACCEPTED, ACCEPTED, 3, 1)).toBe(plusMilliseconds(ACCEPTED, 33 * 60_000));
  });

  it('gives up a message that comes back too late, whatever the attempt', () => {
    const late = plusMilliseconds(ACCEPTED, GIVEN_UP_AFTER_MS);
    expect(nextAttemptAt(ACCEPTED, late, 1, NO_JITTER)).toBeUndefined();
  });

  it('always goes forward and never beyond 72 hours', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 80 * 3_600_000 }),
        fc.integer({ min: 1, max: 500 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (elapsed, attempt, random) => {
          const failedAt = plusMilliseconds(ACCEPTED, elapsed);
          const next = nextAttemptAt(ACCEPTED, failedAt, attempt, random);
          if (next === undefined) return;
          expect(toEpochMs(next)).toBeGreaterThan(toEpochMs(failedAt));
          expect(toEpochMs(next) - toEpochMs(ACCEPTED)).toBeLessThanOrEqual(GIVEN_UP_AFTER_MS);
        },
      ),
    );
  });
});
