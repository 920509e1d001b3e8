import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

const MINUTE = 60_000;
const limits = { connections: 8, firstPauseMs: MINUTE, longestPauseMs: 8 * MINUTE };

/** A pace whose time the test moves, without jitter. */
function paced() {
  let now = 1_000_000;
  const pace = new Pace(
    limits,
    () => now,
    () => 0.5,
  );
  const pass = (ms: number) => {
    now += ms;
  };
  return { pace, pass };
}

test('half of the connections and a pause that doubles, each time that less is asked for', () => {
  const { pace, pass } = paced();
  expect([pace.allowed, pace.pauseMs]).toEqual([8, 0]);
  const seen: number[][] = [];
  for (let times = 0; times < 6; times += 1) {
    pace.slowDown();
    seen.push([pace.allowed, pace.pauseMs / MINUTE]);
    pass(pace.pauseMs);
  }
  expect(seen).toEqual([
    [4, 1],
    [2, 2],
    [1, 4],
    [1, 8],
    [1, 8],
    [1, 8],
  ]);
});

test('what is heard on all connections at once counts once', () => {
  const { pace } = paced();
  for (let times = 0; times < 8; times += 1) pace.slowDown();
  expect([pace.allowed, pace.pauseMs]).toEqual([4, MINUTE]);
});

test('successes bring it back, one connection at a time', () => {
  const { pace, pass } = paced();
  pace.slowDown();
  pass(MINUTE);
  pace.slowDown();
  pass(2 * MINUTE);
  const seen: number[] = [];
  for (let times = 0; times < 60; times += 1) {
    pace.succeeded();
    seen.push(pace.allowed);
  }
  expect(seen.filter((_, index) => index % 10 === 9)).toEqual([3, 4, 5, 6, 7, 8]);
  expect(pace.isAtEase).toBe(true);
  pace.slowDown();
  expect([pace.allowed, pace.pauseMs]).toEqual([4, MINUTE]);
});

test('a destination that cannot be reached is tried out over one connection', () => {
  const { pace, pass } = paced();
  pace.unreachable();
  expect([pace.allowed, pace.pauseMs, pace.isAtEase]).toEqual([1, MINUTE, false]);
  pass(MINUTE);
  expect([pace.allowed, pace.pauseMs, pace.isAtEase]).toEqual([1, 0, false]);
});

test('an hour after its pause a destination is at ease again, whatever came of it', () => {
  const { pace, pass } = paced();
  pace.slowDown();
  pass(MINUTE + 60 * MINUTE);
  expect(pace.isAtEase).toBe(false);
  pass(1);
  expect(pace.isAtEase).toBe(true);
});

test('pauses are spread, so that what was put off together does not come back together', () => {
  const pauseAt = (random: number) => {
    const pace = new Pace(
      limits,
      () => 0,
      () => random,
    );
    pace.slowDown();
    return pace.pauseMs / MINUTE;
  };
  expect(pauseAt(0)).toBeCloseTo(0.8);
  expect(pauseAt(0.999)).toBeCloseTo(1.2, 1);
});
