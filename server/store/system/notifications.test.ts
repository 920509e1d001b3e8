import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MILLISECONDS_PER_DAY, plusMilliseconds } from '../../domain/time.ts';
import { PATIENCE_MS } from '../../domain/webhook-schedule.ts';
import { WEBHOOK_EVENTS, type WebhookDeliveryStatus, type WebhookEvent } from '../../domain/webhooks.ts';
import {
  acceptAll,
  createTenant,
  openTestStore,
  type TestStore,
  type TestTenant,
  testMessage,
} from '../testing.ts';
import type { DueNotification, NotificationOutcome } from '../webhook-rows.ts';

// What no request can reach: what a dispatcher takes, and what it records.

const URL = 'https://shop.customer.test/hooks';
const MINUTE = 60_000;
const page = { limit: 100, offset: 0 };

let parts: TestStore;
let tenant: TestTenant;

beforeAll(async () => {
  parts = await openTestStore();
});
afterAll(() => parts.close());
beforeEach(async () => {
  await sql`delete from webhook_deliveries`.execute(parts.database.db);
  await sql`delete from webhooks`.execute(parts.database.db);
  tenant = await createTenant(parts.store, `n${randomUUIDv7()}.test`);
});

const account = () => tenant.account.account_id;
const webhooks = () => tenant.store.webhooks;

async function hook(events: WebhookEvent[] = [...WEBHOOK_EVENTS]): Promise<string> {
  return (await webhooks().create(account(), { url: URL, events })).webhook_id;
}

async function message(): Promise<string> {
  const from = { email: `hello@${tenant.domain.name}`, name: null };
  const [id = ''] = await acceptAll(tenant, [testMessage({ from })]);
  return id;
}

/** Records events of a message, and so writes notifications of them. */
async function happen(messageId: string, ...types: ('delivery' | 'spam_complaint')[]): Promise<void> {
  for (const type of types) {
    const event = { eventId: randomUUIDv7(), messageId, receivedAt: parts.clock.now() };
    await parts.store.delivery.recordEvents([
      type === 'delivery'
        ? { ...event, type, smtpResponse: '250 OK', smtpLogId: randomUUIDv7() }
        : { ...event, type },
    ]);
  }
}

const take = (
  request: { limit?: number; rooms?: Record<string, number>; others?: number; failing?: number } = {},
) =>
  parts.store.notifications.take({
    limit: request.limit ?? 100,
    rooms: Object.entries(request.rooms ?? {}).map(([webhookId, room]) => ({ webhookId, room })),
    roomOfOthers: request.others ?? 100,
    roomOfFailing: request.failing ?? 100,
    heldUntil: plusMilliseconds(parts.clock.now(), MINUTE),
  });
const release = (dues: DueNotification[]) => parts.store.notifications.release(dues);
const events = (taken: DueNotification[]) => taken.map(({ event }) => event);

function outcomeOf(
  due: DueNotification,
  status: WebhookDeliveryStatus,
  change: Partial<NotificationOutcome> = {},
): NotificationOutcome {
  const isDelivered = status === 'delivered';
  return {
    sequence: due.sequence,
    webhookId: due.webhookId,
    takenAt: due.takenAt,
    isTest: due.isTest,
    status,
    nextAttemptAt: status === 'pending' ? plusMilliseconds(parts.clock.now(), 5 * MINUTE) : null,
    attempt: {
      attempted_at: parts.clock.now(),
      url: due.url,
      duration_ms: 10,
      status_code: isDelivered ? 200 : 500,
      result: isDelivered ? 'delivered' : 'rejected',
      response: '',
    },
    ...change,
  };
}

/** The same with an answer that says that the endpoint is gone. */
function goneOf(due: DueNotification, status: WebhookDeliveryStatus): NotificationOutcome {
  const outcome = outcomeOf(due, status);
  return { ...outcome, attempt: { ...outcome.attempt, result: 'gone', status_code: 410 } };
}

const record = (...outcomes: NotificationOutcome[]) => parts.store.notifications.record(outcomes);
const log = async (webhookId: string) =>
  (await webhooks().listDeliveries(account(), webhookId, {}, page)).rows;
const replay = (webhookId: string, notificationId: string) =>
  webhooks().replay(account(), webhookId, { notificationId });

describe('taking', () => {
  test('holds what it took, until then', async () => {
    await hook();
    await happen(await message(), 'delivery');
    const [due] = await take();
    expect(due).toMatchObject({ event: 'message.delivery', isTest: false, attemptsMade: 0, url: URL });
    expect(due?.secrets).toEqual([expect.stringMatching(/^whsec_/)]);
    expect(await take()).toEqual([]);
    parts.clock.advance(MINUTE);
    expect(await take()).toHaveLength(1);
  });

  test('gives the events of a message one by one, in their order, and those of others meanwhile', async () => {
    const webhook = await hook();
    const [one, other] = [await message(), await message()];
    await happen(one, 'delivery', 'spam_complaint');
    await happen(other, 'spam_complaint');
    const first = await take();
    expect(events(first).toSorted()).toEqual(['message.delivery', 'message.spam_complaint']);
    expect(await take()).toEqual([]);
    const [delivery] = first.filter(({ event }) => event === 'message.delivery');
    if (delivery === undefined) throw new Error('nothing was taken');
    await record(outcomeOf(delivery, 'pending'));
    const second = await take();
    expect(second.map(({ event, webhookId }) => [event, webhookId])).toEqual([
      ['message.spam_complaint', webhook],
    ]);
  });

  test('gives what was given back at once', async () => {
    await hook();
    await happen(await message(), 'delivery');
    await release(await take());
    expect(await take()).toHaveLength(1);
  });

  test('gives what is replayed while it is held at once, when it is given back', async () => {
    const webhook = await hook();
    await happen(await message(), 'delivery');
    for (const due of await take()) await record(outcomeOf(due, 'pending'));
    parts.clock.advance(5 * MINUTE);
    const held = await take();
    await replay(webhook, held[0]?.notificationId ?? '');
    await release(held);
    expect(await take()).toMatchObject([{ attemptsMade: 0 }]);
  });

  test('gives nothing sooner because somebody gives back what is not his any more', async () => {
    await hook();
    await happen(await message(), 'delivery');
    const first = await take();
    parts.clock.advance(MINUTE);
    const second = await take();
    await release(first);
    expect(await take()).toEqual([]);
    await record(...second.map((due) => outcomeOf(due, 'pending')));
    await release(second);
    expect(await take()).toEqual([]);
  });

  test('tries again when it is time, beside what is new', async () => {
    await hook();
    await happen(await message(), 'delivery');
    for (const due of await take()) await record(outcomeOf(due, 'pending'));
    expect(await take()).toEqual([]);
    await happen(await message(), 'delivery');
    parts.clock.advance(5 * MINUTE);
    expect((await take()).map(({ attemptsMade }) => attemptsMade).toSorted()).toEqual([0, 1]);
  });

  test('passes over webhooks that are disabled, paused or deleted, but for tests of the first two', async () => {
    const [disabled, paused, deleted] = [await hook(), await hook(), await hook()];
    await happen(await message(), 'delivery');
    const due = await take({ rooms: { [disabled]: 0, [deleted]: 0 } });
    const pausedUntil = plusMilliseconds(parts.clock.now(), 10 * MINUTE);
    for (const one of due)
      await record(outcomeOf(one, 'pending', { pausedUntil, nextAttemptAt: parts.clock.now() }));
    await webhooks().update(account(), disabled, { status: 'disabled' });
    for (const webhook of [disabled, paused, deleted])
      await webhooks().test(account(), webhook, 'message.open');
    await webhooks().delete(account(), deleted);
    const tests = await take();
    expect(tests.map(({ webhookId, isTest }) => [webhookId, isTest])).toEqual(
      [
        [disabled, true],
        [paused, true],
      ].toSorted(),
    );
    expect(await parts.store.notifications.depth()).toEqual({ ready: 0, waiting: 0, held: 4 });
    parts.clock.advance(10 * MINUTE);
    expect((await take()).filter(({ isTest }) => !isTest).map(({ webhookId }) => webhookId)).toEqual([
      paused,
    ]);
  });

  test('gives each webhook as much as it has room for', async () => {
    const [small, none, other] = [await hook(), await hook(), await hook()];
    for (let count = 0; count < 4; count++) await happen(await message(), 'delivery');
    const taken = await take({ rooms: { [small]: 1, [none]: 0 }, others: 3 });
    const counts = new Map(
      [small, none, other].map((id) => [id, taken.filter((due) => due.webhookId === id).length]),
    );
    expect([...counts.values()]).toEqual([1, 0, 3]);
  });

  test('gives less of a webhook that has failed, unless there is said to be more room', async () => {
    const webhook = await hook();
    for (let count = 0; count < 3; count++) await happen(await message(), 'delivery');
    for (const due of await take({ others: 1 })) await record(outcomeOf(due, 'pending'));
    const first = await take({ failing: 1 });
    expect(first).toHaveLength(1);
    await release(first);
    expect(await take({ failing: 1, rooms: { [webhook]: 2 } })).toHaveLength(2);
  });

  test('gives all webhooks their turn, however much waits for the others', async () => {
    const all = [await hook(), await hook(), await hook(), await hook()];
    for (let count = 0; count < 5; count++) await happen(await message(), 'delivery');
    const turns = new Set<string>();
    for (let look = 0; look < 4; look++) {
      for (const due of await take({ limit: 3, others: 3 })) {
        turns.add(due.webhookId);
        await release([due]);
      }
    }
    expect(turns).toEqual(new Set(all));
  });

  test('signs with every secret that is valid, the newest first', async () => {
    const webhook = await hook();
    const { secret } = await webhooks().rotateSecret(account(), webhook, 3600);
    await happen(await message(), 'delivery');
    const [both] = await take();
    expect(both?.secrets).toEqual([secret, expect.stringMatching(/^whsec_/)]);
    parts.clock.advance(3600_000);
    const [one] = await take();
    expect(one?.secrets).toEqual([secret]);
  });
});

describe('recording', () => {
  async function one(): Promise<{ webhook: string; due: DueNotification }> {
    const webhook = await hook();
    await happen(await message(), 'delivery');
    const [due] = await take();
    if (due === undefined) throw new Error('nothing was taken');
    return { webhook, due };
  }

  test('keeps the attempts, newest first, the last twenty', async () => {
    const { webhook, due } = await one();
    for (let attempt = 0; attempt < 22; attempt++) {
      const outcome = outcomeOf(due, 'failed');
      await record({ ...outcome, attempt: { ...outcome.attempt, response: String(attempt) } });
    }
    const [entry] = await log(webhook);
    expect(entry?.attempts.map(({ response }) => response)).toEqual(
      Array.from({ length: 20 }, (_, index) => String(21 - index)),
    );
  });

  test('takes from a hostile answer what the database cannot keep', async () => {
    const { webhook, due } = await one();
    const outcome = outcomeOf(due, 'failed');
    await record({ ...outcome, attempt: { ...outcome.attempt, response: 'a\0b\ud800' } });
    expect((await log(webhook))[0]?.attempts[0]?.response).toBe('ab\ufffd');
  });

  test('leaves what has ended as it is: a late failure is only kept in the log', async () => {
    const { webhook, due } = await one();
    await record(outcomeOf(due, 'delivered'));
    await record(outcomeOf(due, 'pending'));
    expect(await log(webhook)).toMatchObject([
      { status: 'delivered', next_attempt_at: null, attempts: [{}, {}] },
    ]);
  });

  test('a success that comes after the end does not undo it', async () => {
    const { webhook, due } = await one();
    await record(outcomeOf(due, 'failed'));
    await record(outcomeOf(due, 'delivered'));
    expect(await log(webhook)).toMatchObject([{ status: 'failed', attempts: [{ result: 'delivered' }, {}] }]);
  });

  test('of the same notification twice in one batch keeps both', async () => {
    const { webhook, due } = await one();
    await record(outcomeOf(due, 'pending'), outcomeOf(due, 'delivered'));
    expect(await log(webhook)).toMatchObject([
      { status: 'delivered', attempts: [{ result: 'delivered' }, { result: 'rejected' }] },
    ]);
  });

  test('a failure does no harm to a replay that came meanwhile: it goes on at once, with all attempts before it', async () => {
    const { webhook, due } = await one();
    expect(await replay(webhook, due.notificationId)).toEqual({ replayed: 1, remaining: 0 });
    expect(await take()).toEqual([]);
    await record(outcomeOf(due, 'failed'));
    expect(await log(webhook)).toMatchObject([{ status: 'pending', attempts: [{}] }]);
    expect(await take()).toMatchObject([{ attemptsMade: 0 }]);
  });

  test('a success counts for a replay that came meanwhile', async () => {
    const { webhook, due } = await one();
    await replay(webhook, due.notificationId);
    await record(outcomeOf(due, 'delivered'));
    expect(await log(webhook)).toMatchObject([{ status: 'delivered', next_attempt_at: null }]);
    expect(await take()).toEqual([]);
  });

  test('a failure has no say in what another process has taken over', async () => {
    const { webhook, due } = await one();
    parts.clock.advance(MINUTE);
    const [again] = await take();
    await record(outcomeOf(due, 'failed'));
    expect(await log(webhook)).toMatchObject([{ status: 'pending' }]);
    if (again !== undefined) await record(outcomeOf(again, 'pending'));
    parts.clock.advance(5 * MINUTE);
    expect(await take()).toMatchObject([{ attemptsMade: 1 }]);
  });

  test('what was deleted meanwhile is no fault', async () => {
    const { webhook, due } = await one();
    await webhooks().delete(account(), webhook);
    await parts.store.maintenance.purgeNotifications(parts.clock.now(), 100);
    await record(outcomeOf(due, 'delivered'));
  });
});

describe('the state of a webhook', () => {
  const read = (webhook: string) => webhooks().get(account(), webhook);
  async function taken(count = 1): Promise<{ webhook: string; dues: DueNotification[] }> {
    const webhook = await hook();
    for (let made = 0; made < count; made++) await happen(await message(), 'delivery');
    return { webhook, dues: await take() };
  }
  /** A test of the webhook, as a dispatcher has taken it. */
  async function testOf(webhook: string): Promise<DueNotification> {
    await webhooks().test(account(), webhook, 'message.open');
    const [due] = await take();
    if (due === undefined) throw new Error('no test was taken');
    return due;
  }

  /** Lets these fail, and once more when the patience with it has ended. */
  async function failForLong(webhook: string, dues: DueNotification[]): Promise<void> {
    await record(...dues.map((due) => outcomeOf(due, 'pending')));
    expect((await read(webhook)).status).toBe('enabled');
    parts.clock.advance(PATIENCE_MS);
    await record(...(await take()).map((due) => outcomeOf(due, 'pending')));
  }

  test('fails since the first failure after which nothing succeeded; tests do not count as failures', async () => {
    const { webhook, dues } = await taken(3);
    const [first, second, third] = dues.map((due) => outcomeOf(due, 'pending'));
    await record(outcomeOf(await testOf(webhook), 'failed'));
    expect((await read(webhook)).failing_since).toBeNull();
    if (!first || !second || !third) throw new Error('too few');
    await record(first, second);
    expect((await read(webhook)).failing_since).toBe(first.attempt.attempted_at);
    await record({ ...third, status: 'delivered', attempt: { ...third.attempt, result: 'delivered' } });
    expect((await read(webhook)).failing_since).toBeNull();
  });

  test('is disabled once, with the reason on record', async () => {
    const { webhook, dues } = await taken(2);
    await failForLong(webhook, dues);
    const after = await read(webhook);
    expect(after).toMatchObject({
      status: 'disabled',
      status_changes: [{ reason: 'failing' }, { reason: 'created' }],
    });
    expect(after.updated_at).toBe(after.status_changes[0]?.changed_at);
  });

  test('is not disabled by a failure that was on its way when something arrived, or when somebody enabled it', async () => {
    const { webhook, dues } = await taken(3);
    await record(...dues.map((due) => outcomeOf(due, 'pending')));
    parts.clock.advance(PATIENCE_MS);
    const [first, second, third] = await take();
    if (!first || !second || !third) throw new Error('too few');
    await record(outcomeOf(first, 'delivered'));
    await record(outcomeOf(second, 'pending'));
    expect((await read(webhook)).status).toBe('enabled');
    const late = outcomeOf(third, 'pending');
    parts.clock.advance(PATIENCE_MS);
    await webhooks().update(account(), webhook, { status: 'disabled' });
    await webhooks().update(account(), webhook, { status: 'enabled' });
    await record(late);
    expect((await read(webhook)).status).toBe('enabled');
  });

  test('does not follow from an answer of its former URL', async () => {
    const { webhook, dues } = await taken();
    await webhooks().update(account(), webhook, { url: 'https://new.customer.test/' });
    for (const due of dues)
      await record({ ...goneOf(due, 'pending'), pausedUntil: plusMilliseconds(parts.clock.now(), MINUTE) });
    expect(await read(webhook)).toMatchObject({ status: 'enabled', failing_since: null });
    await happen(await message(), 'delivery');
    expect(await take()).toHaveLength(1);
  });

  test.each(['gone', 'failing'] as const)(
    'that the service disabled as %s is enabled by a test that arrives, and what waited too long is given up',
    async (reason) => {
      const { webhook, dues } = await taken();
      if (reason === 'failing') await failForLong(webhook, dues);
      else await record(...dues.map((due) => goneOf(due, 'pending')));
      expect((await read(webhook)).status_changes[0]).toMatchObject({ reason });
      parts.clock.advance(PATIENCE_MS);
      await happen(await message(), 'delivery');
      const due = await testOf(webhook);
      await record(outcomeOf(due, 'delivered'));
      expect(await read(webhook)).toMatchObject({
        status: 'enabled',
        status_changes: [{ reason: 'recovered' }, {}, {}],
      });
      expect((await log(webhook)).map(({ status, is_test }) => [status, is_test])).toEqual([
        ['delivered', true],
        ['pending', false],
        ['failed', false],
      ]);
      expect(await take()).toHaveLength(1);
    },
  );

  test('that the service disabled is not enabled by what was on its way already', async () => {
    const { webhook, dues } = await taken(2);
    const [first, second] = dues;
    if (first === undefined || second === undefined) throw new Error('too few');
    await record(goneOf(first, 'pending'));
    await record(outcomeOf(second, 'delivered'));
    expect((await read(webhook)).status).toBe('disabled');
  });

  test('that somebody disabled stays so, whatever arrives; so does one whose test fails', async () => {
    const { webhook } = await taken();
    await webhooks().update(account(), webhook, { status: 'disabled' });
    await record(outcomeOf(await testOf(webhook), 'delivered'));
    expect((await read(webhook)).status).toBe('disabled');
    await webhooks().update(account(), webhook, { status: 'enabled' });
    await record(goneOf(await testOf(webhook), 'failed'));
    await record(outcomeOf(await testOf(webhook), 'failed'));
    expect((await read(webhook)).status_changes[0]).toMatchObject({ status: 'disabled', reason: 'gone' });
  });
});

describe('clearing away', () => {
  const purge = (before = plusMilliseconds(parts.clock.now(), -60 * MILLISECONDS_PER_DAY)) =>
    parts.store.maintenance.purgeNotifications(before, 2);
  const rows = async () => {
    const { rows: found } = await sql<{ webhooks: number; deliveries: number }>`
      select (select count(*) from webhooks) as webhooks, (select count(*) from webhook_deliveries) as deliveries`.execute(
      parts.database.db,
    );
    return found[0];
  };

  test('old notifications go in steps once they have ended; what waits stays', async () => {
    const webhook = await hook();
    for (let count = 0; count < 4; count++) await happen(await message(), 'delivery');
    const [waiting, ...ended] = await take();
    await record(...ended.map((due, index) => outcomeOf(due, index === 0 ? 'failed' : 'delivered')));
    expect(await purge()).toBe(0);
    parts.clock.advance(61 * MILLISECONDS_PER_DAY);
    expect([await purge(), await purge(), await purge()]).toEqual([2, 1, 0]);
    expect((await log(webhook)).map(({ notification_id }) => notification_id)).toEqual([
      waiting?.notificationId,
    ]);
  });

  test('what waited for a disabled webhook for five days is given up, and not what waits for others', async () => {
    const [disabled, enabled] = [await hook(), await hook()];
    await webhooks().update(account(), disabled, { status: 'disabled' });
    for (let count = 0; count < 3; count++) await happen(await message(), 'delivery');
    parts.clock.advance(PATIENCE_MS - 1000);
    expect(await parts.store.maintenance.giveUpNotifications(2)).toBe(0);
    parts.clock.advance(2000);
    const steps = [2, 2, 2].map((limit) => () => parts.store.maintenance.giveUpNotifications(limit));
    const given = [];
    for (const step of steps) given.push(await step());
    expect(given).toEqual([2, 1, 0]);
    expect((await log(disabled)).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
    expect((await log(enabled)).map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
  });

  test('those of a deleted webhook go at once, the webhook itself an hour later', async () => {
    const webhook = await hook();
    for (let count = 0; count < 3; count++) await happen(await message(), 'delivery');
    await webhooks().delete(account(), webhook);
    expect([await purge(), await purge(), await purge()]).toEqual([2, 1, 0]);
    expect(await rows()).toEqual({ webhooks: 1, deliveries: 0 });
    parts.clock.advance(61 * MINUTE);
    expect(await purge()).toBe(1);
    expect(await rows()).toEqual({ webhooks: 0, deliveries: 0 });
  });

  test('a deleted account takes its webhooks with it, and holds up no other account', async () => {
    await hook();
    const other = await createTenant(parts.store, `o${randomUUIDv7()}.test`);
    await happen(await message(), 'delivery');
    await tenant.store.accounts.delete(account());
    expect(await take()).toEqual([]);
    await other.store.accounts.delete(other.account.account_id);
    const accounts = async () => {
      while ((await parts.store.maintenance.purgeDeletedAccounts(10)) > 0);
      while ((await purge()) > 0);
      const { rows: left } = await sql<{ account_id: string }>`
        select account_id from accounts where deleted_at is not null`.execute(parts.database.db);
      return left.map(({ account_id }) => account_id);
    };
    expect(await accounts()).toEqual([account()]);
    parts.clock.advance(61 * MINUTE);
    await accounts();
    expect(await accounts()).toEqual([]);
  });
});
