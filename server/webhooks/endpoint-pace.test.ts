import { expect, test } from 'vitest';
import { EndpointPace, FIRST_WINDOW } from './endpoint-pace.ts';

const GOOD = { outcome: 'delivered', durationMs: 20 } as const;
const UNHURRIED = { outcome: 'delivered', durationMs: 2_000 } as const;
const REFUSED = { outcome: 'refused', durationMs: 20 } as const;
const DEAD = { outcome: 'missed', durationMs: 15_000 } as const;
const REFUSED_CONNECTION = { outcome: 'missed', durationMs: 1 } as const;

function paceAfter(...attempts: Parameters<EndpointPace['finished']>[0][]): EndpointPace {
  const pace = new EndpointPace(false);
  for (const attempt of attempts) pace.finished(attempt);
  return pace;
}

function times<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

test('begins with one; whether the endpoint may be dead depends on what was heard of it', () => {
  expect(new EndpointPace(false)).toMatchObject({ window: 1, connections: 1, isCrawling: false });
  expect(new EndpointPace(true)).toMatchObject({ window: 1, connections: 1, isCrawling: true });
});

test('doubles with a round of good answers, up to a bound; connections have a lower one', () => {
  expect(paceAfter(...times(FIRST_WINDOW, GOOD)).window).toBe(2 * FIRST_WINDOW);
  expect(paceAfter(...times(10_000, GOOD))).toMatchObject({ window: 256, connections: 32 });
});

test('takes no more than is on its way where answers take their time', () => {
  expect(paceAfter(...times(1_000, UNHURRIED))).toMatchObject({ window: 32, connections: 32 });
  expect(paceAfter(...times(1_000, GOOD), UNHURRIED).window).toBe(256);
});

test.each([
  ['no answer', DEAD],
  ['no connection', REFUSED_CONNECTION],
  ['a slow answer', { outcome: 'delivered', durationMs: 5_000 }],
  ['a slow refusal', { outcome: 'refused', durationMs: 9_000 }],
] as const)('goes down to one after %s', (_what, attempt) => {
  expect(paceAfter(...times(1_000, GOOD), attempt)).toMatchObject({ window: 1, isCrawling: true });
});

test('halves with each quick refusal, to one at last', () => {
  expect(paceAfter(...times(1_000, GOOD), REFUSED).window).toBe(128);
  expect(paceAfter(...times(1_000, GOOD), ...times(20, REFUSED)).window).toBe(1);
});

test('recovers slowly once there was no answer: by one with each round', () => {
  expect(paceAfter(DEAD, GOOD)).toMatchObject({ window: 2, isCrawling: false });
  expect(paceAfter(DEAD, ...times(100, GOOD)).window).toBeLessThan(20);
  expect(paceAfter(DEAD, ...times(1_000, GOOD)).connections).toBe(32);
});
