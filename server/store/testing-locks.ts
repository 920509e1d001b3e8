import { sql, type Transaction } from 'kysely';
import { expect } from 'vitest';
import type { Schema } from './schema.ts';
import type { TestStore } from './testing.ts';

// For tests on PostgreSQL, where several sessions wait for each other.

/** How many sessions of the store's database wait for a lock. */
async function sessionsWaiting({ database }: TestStore): Promise<number | undefined> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db);
  return rows[0]?.total;
}

/**
 * Takes a lock, runs the steps until each of them waits, one behind the other, and lets the lock go. Returns what became of
 * the steps, in their order.
 */
export async function behindLock(
  parts: TestStore,
  lock: (tx: Transaction<Schema>) => Promise<unknown>,
  steps: readonly (() => Promise<unknown>)[],
): Promise<PromiseSettledResult<unknown>[]> {
  const running: Promise<unknown>[] = [];
  let outcomes: Promise<PromiseSettledResult<unknown>[]> = Promise.resolve([]);
  await parts.database.db.transaction().execute(async (tx) => {
    await lock(tx);
    for (const step of steps) {
      running.push(step());
      // Awaited by somebody from the start: a step may fail before the lock is let go.
      outcomes = Promise.allSettled(running);
      await expect.poll(() => sessionsWaiting(parts)).toBe(running.length);
    }
  });
  return await outcomes;
}
