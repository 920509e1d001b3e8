import { describe, expect, test } from 'vitest';
import { plusMilliseconds, type Timestamp, toEpochMs } from './time.ts';
import { consequenceOf, resultOf } from './webhook-outcome.ts';

const NOW: Timestamp = '2026-03-14T09:26:53.000000+00:00';
const REAL_NOW_MS = Date.UTC(2030, 0, 1);
const NO_JITTER = 0.5;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const FIRST = { isTest: false, attemptsMade: 0 };
const FAILURES = ['rejected', 'redirected', 'gone', 'timed_out', 'unreachable', 'forbidden_address'] as const;

function later(milliseconds: number): Timestamp {
  return plusMilliseconds(NOW, milliseconds);
}

test.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [300, 'redirected'],
  [301, 'redirected'],
  [308, 'redirected'],
  [399, 'redirected'],
  [400, 'rejected'],
  [404, 'rejected'],
  [410, 'gone'],
  [429, 'rejected'],
  [500, 'rejected'],
  [503, 'rejected'],
  [999, 'rejected'],
])('%i is %s', (status, expected) => {
  expect(resultOf(status)).toBe(expected);
});

describe('what follows from an attempt', () => {
  test.each([
    [0, 5 * SECOND],
    [1, 5 * MINUTE],
    [2, 30 * MINUTE],
    [3, 2 * HOUR],
    [4, 5 * HOUR],
    [5, 10 * HOUR],
    [6, 14 * HOUR],
    [7, 20 * HOUR],
    [8, 24 * HOUR],
  ])('with %i attempts made, a failure is followed by another after %i ms', (attemptsMade, pause) => {
    const failure = { result: 'rejected', finishedAt: NOW } as const;
    const { status, nextAttemptAt } = consequenceOf(
      { ...FIRST, attemptsMade },
      failure,
      NO_JITTER,
      REAL_NOW_MS,
    );
    expect({ status, nextAttemptAt }).toEqual({ status: 'pending', nextAttemptAt: later(pause) });
  });

  test.each(FAILURES)('the tenth failure (%s) is the last', (result) => {
    const tenth = { ...FIRST, attemptsMade: 9 };
    expect(consequenceOf(tenth, { result, finishedAt: NOW }, NO_JITTER, REAL_NOW_MS)).toMatchObject({
      status: 'failed',
      nextAttemptAt: null,
    });
  });

  test.each([0, 0.25, 0.999])('pauses differ by a tenth at most (%d)', (random) => {
    const { nextAttemptAt } = consequenceOf(
      FIRST,
      { result: 'timed_out', finishedAt: NOW },
      random,
      REAL_NOW_MS,
    );
    const pause = toEpochMs(nextAttemptAt ?? '') - toEpochMs(NOW);
    expect(pause).toBeGreaterThanOrEqual(4.5 * SECOND);
    expect(pause).toBeLessThanOrEqual(5.5 * SECOND);
  });

  test('a test is tried once', () => {
    const failure = { result: 'unreachable', finishedAt: NOW } as const;
    expect(consequenceOf({ ...FIRST, isTest: true }, failure, NO_JITTER, REAL_NOW_MS)).toMatchObject({
      status: 'failed',
      nextAttemptAt: null,
    });
  });

  test('a success is final, whatever the answer asks for', () => {
    const success = { result: 'delivered', finishedAt: NOW, retryAfter: '60' } as const;
    expect(consequenceOf(FIRST, success, NO_JITTER, REAL_NOW_MS)).toEqual({
      status: 'delivered',
      nextAttemptAt: null,
    });
  });

  test('what would break the contract is never tried again, and harms no webhook', () => {
    const broken = { result: 'invalid_payload', finishedAt: NOW } as const;
    expect(consequenceOf(FIRST, broken, NO_JITTER, REAL_NOW_MS)).toEqual({
      status: 'failed',
      nextAttemptAt: null,
    });
  });
});

describe('Retry-After', () => {
  test.each([
    ['3600', HOUR, HOUR],
    ['1', SECOND, 5 * SECOND],
    ['864000', DAY, DAY],
    ['Tue, 01 Jan 2030 01:00:00 GMT', HOUR, HOUR],
  ])('"%s" pauses the endpoint for %i ms, the next attempt comes after %i ms', (retryAfter, pause, next) => {
    const refusal = { result: 'rejected', finishedAt: NOW, retryAfter } as const;
    expect(consequenceOf(FIRST, refusal, NO_JITTER, REAL_NOW_MS)).toMatchObject({
      pausedUntil: later(pause),
      nextAttemptAt: later(next),
    });
  });

  test.each(['', 'later', '0', '-5', 'Sun, 06 Nov 1994 08:49:37 GMT'])(
    '"%s" pauses nothing',
    (retryAfter) => {
      const refusal = { result: 'redirected', finishedAt: NOW, retryAfter } as const;
      const consequence = consequenceOf(FIRST, refusal, NO_JITTER, REAL_NOW_MS);
      expect(consequence.pausedUntil).toBeUndefined();
      expect(consequence.nextAttemptAt).toBe(later(5 * SECOND));
    },
  );

  test('counts for the endpoint also when no attempt is left', () => {
    const refusal = { result: 'rejected', finishedAt: NOW, retryAfter: '60' } as const;
    expect(consequenceOf({ ...FIRST, attemptsMade: 9 }, refusal, NO_JITTER, REAL_NOW_MS)).toMatchObject({
      status: 'failed',
      pausedUntil: later(MINUTE),
    });
  });
});
