import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plusMilliseconds, SystemClock } from '../../domain/time.ts';
import { openDatabase } from '../database.ts';
import { createTenant, openTestStore, type TestStore, type TestTenant } from '../testing.ts';
import type { DueNotification } from '../webhook-rows.ts';
import { notificationStore } from './notifications.ts';

// Several dispatchers on one PostgreSQL, each with connections of its own.

const WEBHOOKS = 5;
const MESSAGES = 40;
const EVENTS = 3;
const DISPATCHERS = 4;

let parts: TestStore;
let tenant: TestTenant;

beforeAll(async () => {
  parts = await openTestStore();
  tenant = await createTenant(parts.store);
});
afterAll(() => parts.close());

/** A store as another process has it. */
async function another() {
  if (parts.database.kind !== 'postgres') throw new Error('This test needs PostgreSQL.');
  const database = await openDatabase({ databaseUrl: parts.database.databaseUrl, poolSize: 4 });
  const { queue } = parts;
  const store = notificationStore({
    db: database.db,
    queue,
    clock: new SystemClock(),
    mailHostname: 'mail.test',
  });
  return { store, close: () => database.close() };
}

async function fill(): Promise<void> {
  const { account_id } = tenant.account;
  for (let count = 0; count < WEBHOOKS; count++) {
    await tenant.store.webhooks.create(account_id, { url: 'https://x.test/', events: ['message.open'] });
  }
  const now = parts.clock.now();
  await sql`
    insert into webhook_deliveries (
      webhook_id, organisation_id, notification_id, event, message_id, payload, created_at, next_attempt_at
    )
    select w.webhook_id, w.organisation_id, gen_random_uuid(), 'message.open', m.id, '{}', ${now}, ${now}
    from webhooks w, (select gen_random_uuid() as id from generate_series(1, ${MESSAGES}::int)) m,
      generate_series(1, ${EVENTS}::int)`.execute(parts.database.db);
}

const messageOf = new Map<number, string>();

async function readMessages(): Promise<void> {
  const { rows } = await sql<{ sequence: number; message_id: string }>`
    select sequence, message_id from webhook_deliveries`.execute(parts.database.db);
  for (const { sequence, message_id } of rows) messageOf.set(sequence, message_id);
}

test('take everything once, in the order of each message, and record it without waiting for each other for good', async () => {
  await fill();
  await readMessages();
  const clock = new SystemClock();
  const stories = new Map<string, number[]>();
  const dispatchers = await Promise.all(Array.from({ length: DISPATCHERS }, another));

  const told = ({ webhookId, sequence }: DueNotification) => {
    const key = `${webhookId} ${messageOf.get(sequence)}`;
    stories.set(key, [...(stories.get(key) ?? []), sequence]);
  };
  const left = async () => {
    const { rows } = await sql<{ left: number }>`
      select count(*) as left from webhook_deliveries where status = 'pending'`.execute(parts.database.db);
    return rows[0]?.left ?? 0;
  };

  async function dispatch(store: Awaited<ReturnType<typeof another>>['store']): Promise<void> {
    while ((await left()) > 0) {
      const heldUntil = plusMilliseconds(clock.now(), 60_000);
      const { taken } = await store.take({
        limit: 30,
        rooms: [],
        roomOfOthers: 10,
        roomOfFailing: 10,
        heldUntil,
      });
      for (const due of taken) told(due);
      // In another order than that of the sequence: record has to bring its own.
      const shuffled = taken.toSorted(() => Math.random() - 0.5);
      await store.record(
        shuffled.map((due) => ({
          ...due,
          status: 'delivered',
          nextAttemptAt: null,
          attempt: {
            attempted_at: clock.now(),
            url: due.url,
            duration_ms: 1,
            status_code: 200,
            result: 'delivered',
            response: randomUUIDv7(),
          },
        })),
      );
    }
  }

  await Promise.all(dispatchers.map(({ store }) => dispatch(store)));
  await Promise.all(dispatchers.map(({ close }) => close()));
  expect(stories.size).toBe(WEBHOOKS * MESSAGES);
  for (const sequences of stories.values()) {
    expect(sequences).toHaveLength(EVENTS);
    expect(sequences).toEqual(sequences.toSorted((one, other) => one - other));
  }
});
