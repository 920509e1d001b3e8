import { expect, test } from 'vitest';
import { createRateLimiter } from '../http/rate-limit.ts';
import { openDatabase } from './database.ts';
import { createSharedCounter } from './rate-counter.ts';
import { openTestStore } from './testing.ts';

const LIMIT = 5;

test('two processes count the requests of a caller together, and each for itself while the database fails', async () => {
  const one = await openTestStore();
  if (one.database.kind !== 'postgres') throw new Error('This test is for PostgreSQL.');
  const other = await openDatabase({ databaseUrl: one.database.databaseUrl });
  const limiters = [one.database, other].map((database) =>
    createRateLimiter(LIMIT, createSharedCounter(database, LIMIT)),
  );
  const spend = async (times: number) => {
    const allowed = [];
    for (let index = 0; index < times; index += 1) {
      allowed.push((await limiters[index % 2]?.spend('caller'))?.allowed);
    }
    return allowed;
  };
  expect(await spend(7)).toEqual([true, true, true, true, true, false, false]);
  expect(await limiters[1]?.spend('another caller')).toMatchObject({ allowed: true, remaining: LIMIT - 1 });
  await other.close();
  expect(await limiters[1]?.spend('a third')).toMatchObject({ allowed: true, remaining: LIMIT - 1 });
  await one.close();
});
