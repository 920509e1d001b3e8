import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant, openTestStore, type TestStore } from '../testing.ts';
import { behindLock } from '../testing-locks.ts';
import type { DueNotification, NotificationOutcome } from '../webhook-rows.ts';

// What is deleted while dispatchers record what came of it: on PostgreSQL, where several sessions wait for each other.

let parts: TestStore;
beforeAll(async () => {
  parts = await openTestStore();
});
afterAll(() => parts.close());

/** Two webhooks of an account of its own, in the order of their ids, and an outcome for each. */
async function two() {
  const { account, store } = await createTenant(parts.store, `n${Date.now()}${Math.random()}.test`);
  const { account_id } = account;
  const make = async () =>
    (await store.webhooks.create(account_id, { url: 'https://x.test/', events: ['message.open'] }))
      .webhook_id;
  const webhooks: [string, string] = [await make(), await make()];
  for (const webhook of webhooks) await store.webhooks.test(account_id, webhook, 'message.open');
  const heldUntil = parts.clock.now();
  const { taken: dues } = await parts.store.notifications.take({
    limit: 10,
    rooms: [],
    roomOfOthers: 1,
    roomOfFailing: 1,
    heldUntil,
  });
  const outcomes = dues.filter(({ webhookId }) => webhooks.includes(webhookId)).map(deliveredOf);
  expect(outcomes).toHaveLength(2);
  return { account_id, store, webhooks, outcomes };
}

function deliveredOf(due: DueNotification): NotificationOutcome {
  const { url } = due;
  const attempt = { url, duration_ms: 1, status_code: 200, result: 'delivered', response: '' } as const;
  const attempted_at = parts.clock.now();
  return { ...due, status: 'delivered', nextAttemptAt: null, attempt: { ...attempt, attempted_at } };
}

test('an account is deleted while outcomes of several of its webhooks are recorded', async () => {
  const { account_id, store, webhooks, outcomes } = await two();
  // The first lies behind the second from now on.
  for (const deletedAt of [parts.clock.now(), null]) {
    await sql`update webhooks set deleted_at = ${deletedAt} where webhook_id = ${webhooks[0]}`.execute(
      parts.database.db,
    );
  }
  const done = await behindLock(
    parts,
    (tx) => sql`update webhooks set url = url where webhook_id = ${webhooks[0]}`.execute(tx),
    [() => parts.store.notifications.record(outcomes), () => store.accounts.delete(account_id)],
  );
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  const { rows } =
    await sql`select from webhooks where account_id = ${account_id} and deleted_at is null`.execute(
      parts.database.db,
    );
  expect(rows).toEqual([]);
});
