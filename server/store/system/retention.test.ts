import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hourOf, MILLISECONDS_PER_DAY, plusMilliseconds } from '../../domain/time.ts';
import { startMaintenance } from '../../maintenance.ts';
import { createLogger } from '../../operations/logger.ts';
import {
  acceptAll,
  createTenant,
  openTestStore,
  type TestStore,
  type TestTenant,
  testMessage,
} from '../testing.ts';
import { FIRST_ID } from './retention.ts';

const DAYS = 60;
const LOG = [
  'messages',
  'message_events',
  'smtp_deliveries',
  'message_contents',
  'message_counts',
  'stats_hourly',
];

let parts: TestStore;
let tenant: TestTenant;

beforeAll(async () => {
  parts = await openTestStore();
});
afterAll(() => parts.close());
beforeEach(async () => {
  for (const table of [...LOG, 'forwards', 'suppressions', 'pgboss.job']) {
    await sql`delete from ${sql.table(table)}`.execute(parts.database.db);
  }
  tenant = await createTenant(parts.store, `r${randomUUIDv7()}.test`);
});

const page = { limit: 100, offset: 0 };
const count = async (table: string) =>
  (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(parts.database.db)).rows[0]
    ?.n;
const counts = async () =>
  Object.fromEntries(await Promise.all(LOG.map(async (table) => [table, await count(table)])));
const period = () => ({
  from: plusMilliseconds(parts.clock.now(), -1000 * MILLISECONDS_PER_DAY),
  to: parts.clock.now(),
});
const listed = async () => await tenant.store.messages.list({ period: period() }, page);
const pass = (days: number) => parts.clock.advance(days * MILLISECONDS_PER_DAY);

async function accept(...recipients: string[]): Promise<string[]> {
  const from = { email: `hello@${tenant.domain.name}`, name: null };
  return acceptAll(
    tenant,
    recipients.map((email) => testMessage({ from, to: { email, name: null }, trackOpens: true })),
  );
}

/** What the worker records of a final attempt. */
async function finish(
  messageIds: readonly string[],
  type: 'delivery' | 'hard_bounce' = 'delivery',
): Promise<void> {
  const now = parts.clock.now();
  const jobs = await parts.queue.fetchDeliveries(100);
  await parts.store.delivery.record(
    messageIds.map((messageId) => {
      const smtpLogId = randomUUIDv7();
      const job = jobs.find(({ id }) => id === messageId) ?? { id: messageId, retryCount: 0 };
      return {
        job,
        attempt: {
          smtpLogId,
          attempt: 1,
          startedAt: now,
          finishedAt: now,
          host: 'mx',
          verdict: type,
          response: '250 OK',
          transcript: '',
        },
        event: {
          eventId: randomUUIDv7(),
          messageId,
          receivedAt: now,
          type,
          smtpResponse: '250 OK',
          smtpLogId,
        },
      };
    }),
  );
}

/** One whole round, as the maintenance does it. */
async function purge(limit = 500): Promise<number> {
  const before = hourOf(plusMilliseconds(parts.clock.now(), -DAYS * MILLISECONDS_PER_DAY));
  let purged = 0;
  for (let cursor: string | undefined = FIRST_ID; cursor !== undefined; ) {
    const step = await parts.store.maintenance.purgeLog(before, cursor, limit);
    purged += step.purged;
    cursor = step.cursor;
  }
  while ((await parts.store.maintenance.purgeStatistics(before, 1)) > 0);
  return purged;
}

test('what is older than the log goes with all that is known of it, in steps of any size; the rest stays', async () => {
  const ids = await accept(...Array.from({ length: 7 }, (_, index) => `old${index}@example.com`));
  await finish(ids);
  pass(30);
  await finish(await accept('young@example.com'));
  expect(await purge()).toBe(0);
  expect((await listed()).total).toBe(8);
  pass(31);
  expect(await purge(3)).toBe(7);
  expect(await listed()).toMatchObject({ total: 1, rows: [{ recipient_email: 'young@example.com' }] });
  const statistics = await tenant.store.statistics.read(period());
  expect(statistics.stats_summary).toMatchObject({ messages: 1, delivery: 1, track_opens: 1 });
  pass(60);
  expect(await purge()).toBe(1);
  expect(await counts()).toEqual(Object.fromEntries(LOG.map((table) => [table, 0])));
});

test('between two steps the log and its totals say the same', async () => {
  await finish(await accept('a@example.com', 'b@example.com', 'c@example.com'));
  pass(61);
  const before = hourOf(plusMilliseconds(parts.clock.now(), -DAYS * MILLISECONDS_PER_DAY));
  await parts.store.maintenance.purgeLog(before, FIRST_ID, 2);
  const { rows, total } = await listed();
  expect([rows.length, total]).toEqual([1, 1]);
  const delivered = await tenant.store.messages.list({ period: period(), events: ['delivery'] }, page);
  expect([delivered.rows.length, delivered.total]).toEqual([1, 1]);
});

test('what still waits stays, whatever its age, with its counts; once final, it goes', async () => {
  const [waiting = '', final = ''] = await accept('waits@example.com', 'final@example.com');
  await finish([final]);
  pass(61);
  expect(await purge()).toBe(1);
  expect(await listed()).toMatchObject({ total: 1, rows: [{ message_id: waiting }] });
  expect(await parts.store.delivery.load([waiting])).toHaveLength(1);
  await sql`update pgboss.job set state = 'retry'`.execute(parts.database.db);
  await finish([waiting]);
  expect(await purge()).toBe(1);
  expect(await counts()).toMatchObject({ messages: 0, message_counts: 0 });
});

test('a request to unsubscribe that is on its way to the sender keeps its message', async () => {
  const [id = ''] = await accept('forward@example.com');
  await finish([id]);
  pass(61);
  const now = parts.clock.now();
  await sql`
    insert into forwards (forward_id, message_id, recipient, raw, created_at, next_attempt_at)
    values (${randomUUIDv7()}, ${id}, 'sender@example.com', ''::bytea, ${now}, ${now})`.execute(
    parts.database.db,
  );
  expect(await purge()).toBe(0);
  await sql`delete from forwards`.execute(parts.database.db);
  expect(await purge()).toBe(1);
});

test('a suppression outlives the message that caused it; later events of the message have no effect', async () => {
  const [id = ''] = await accept('gone@example.com');
  await finish([id], 'hard_bounce');
  pass(61);
  await purge();
  const suppressions = await tenant.store.suppressions.list({}, page);
  expect(suppressions.rows).toMatchObject([{ recipient_email: 'gone@example.com', message_id: id }]);
  const event = {
    eventId: randomUUIDv7(),
    messageId: id,
    receivedAt: parts.clock.now(),
    type: 'spam_complaint',
  };
  expect(await parts.store.delivery.recordEvents([{ ...event, type: 'spam_complaint' }])).toEqual({
    recorded: [],
    notifications: 0,
  });
  expect(await parts.store.delivery.subscription(id)).toBeUndefined();
});

test('the log of a deleted account is left to its own end', async () => {
  await finish(await accept('deleted@example.com'));
  await tenant.store.accounts.delete(tenant.account.account_id);
  pass(61);
  expect(await purge()).toBe(0);
  expect(await parts.store.maintenance.purgeDeletedAccounts(10)).toBe(1);
});

test('the maintenance does it by itself, by the clock of the service', async () => {
  await finish(await accept('by-itself@example.com'));
  const faults: string[] = [];
  const maintenance = startMaintenance({
    store: parts.store,
    clock: parts.clock,
    logger: createLogger('error', { write: (line) => void faults.push(line) }),
    isSandbox: true,
    retentionDays: DAYS,
    roundMs: 20,
  });
  pass(61);
  await expect.poll(counts).toMatchObject({ messages: 0, message_events: 0, stats_hourly: 0 });
  await maintenance.stop();
  expect(faults).toEqual([]);
});
