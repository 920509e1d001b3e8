import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plusMilliseconds, SystemClock } from '../domain/time.ts';
import { openTestStore, type TestStore } from '../store/testing.ts';
import { createSandboxClock, restoreClock } from './clock.ts';

const HOUR = 3600;
let parts: TestStore;

beforeAll(async () => {
  parts = await openTestStore();
});
afterAll(() => parts.close());

test('what waits for its moment comes due when the clock gets there', async () => {
  const { database, queue, clock } = parts;
  const id = randomUUIDv7();
  const later = plusMilliseconds(clock.now(), 2 * HOUR * 1000);
  await database.db.transaction().execute((tx) => queue.enqueueDeliveries(tx, [id], later));
  const sandbox = createSandboxClock(parts);
  await sandbox.advance(HOUR);
  expect(await queue.fetchDeliveries(10)).toEqual([]);
  await sandbox.advance(HOUR + 1);
  expect(await queue.fetchDeliveries(10)).toMatchObject([{ id }]);
});

test('several calls at once add up, and a restart finds their sum', async () => {
  const before = parts.clock.offsetMs;
  const sandbox = createSandboxClock(parts);
  await Promise.all([sandbox.advance(1), sandbox.advance(2), sandbox.advance(0.5)]);
  expect(parts.clock.offsetMs - before).toBe(3500);
  const restarted = new SystemClock();
  await restoreClock(restarted, parts.store);
  expect(restarted.offsetMs).toBe(parts.clock.offsetMs);
});

test('there is a furthest point, and a refusal moves nothing', async () => {
  const before = parts.clock.offsetMs;
  const sandbox = createSandboxClock(parts);
  await expect(sandbox.advance(36_501 * 86_400)).rejects.toThrow(RangeError);
  expect(parts.clock.offsetMs).toBe(before);
  await sandbox.advance(1);
  expect(parts.clock.offsetMs).toBe(before + 1000);
});
