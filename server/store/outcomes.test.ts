import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plusMilliseconds, type Timestamp } from '../domain/time.ts';
import type { DeliveryJob, DeliveryRecord } from './delivery-rows.ts';
import type { DeliveryVerdict } from './schema.ts';
import {
  acceptAll,
  createTenant,
  openTestStore,
  type TestStore,
  type TestTenant,
  testMessage,
} from './testing.ts';

let test: TestStore;
let tenant: TestTenant;

beforeAll(async () => {
  test = await openTestStore();
  tenant = await createTenant(test.store);
});
afterAll(() => test.close());

const page = { limit: 10, offset: 0 };

function outcome(job: DeliveryJob, verdict: DeliveryVerdict, retryAt?: Timestamp): DeliveryRecord {
  const now = test.clock.now();
  const smtpLogId = randomUUIDv7();
  const response = verdict === 'delivery' ? '250 2.0.0 queued' : '550 5.1.1 unknown \0user';
  return {
    job,
    attempt: {
      smtpLogId,
      attempt: 1,
      startedAt: now,
      finishedAt: now,
      host: 'mx.test',
      verdict,
      response,
      transcript: '',
    },
    event: {
      type: verdict,
      eventId: randomUUIDv7(),
      messageId: job.id,
      receivedAt: now,
      smtpResponse: response,
      smtpLogId,
    },
    retryAt,
  };
}

async function acceptAndFetch(...addresses: string[]): Promise<DeliveryJob[]> {
  const ids = await acceptAll(
    tenant,
    addresses.map((email) => testMessage({ to: { email, name: null }, customId: `to ${email}` })),
  );
  const jobs = await test.queue.fetchDeliveries(ids.length);
  return ids.flatMap((id) => jobs.filter((job) => job.id === id));
}

describe('record', () => {
  it('turns outcomes into state, log, suppression and jobs', async () => {
    const [good, bad, later] = await acceptAndFetch(
      'good@example.com',
      'Bad@example.com',
      'later@example.com',
    );
    if (good === undefined || bad === undefined || later === undefined)
      throw new Error('Three were accepted.');
    const records = [
      outcome(good, 'delivery'),
      outcome(bad, 'hard_bounce'),
      outcome(later, 'soft_bounce', plusMilliseconds(test.clock.now(), 300_000)),
    ];
    const { recorded } = await test.store.delivery.record(records);
    expect(recorded).toHaveLength(3);
    expect(await tenant.store.messages.get(good.id)).toMatchObject({ delivery_status: 'delivery' });
    expect(await tenant.store.messages.get(bad.id)).toMatchObject({ delivery_status: 'hard_bounce' });
    const { rows } = await tenant.store.suppressions.list({ types: ['hard_bounce'] }, page);
    expect(rows).toMatchObject([
      {
        recipient_email: 'Bad@example.com',
        message_id: bad.id,
        message_custom_id: 'to Bad@example.com',
        reason: '',
      },
    ]);
    expect(await test.queue.depth()).toEqual({ ready: 0, waiting: 1, active: 0 });
    const left = await test.store.delivery.load([good.id, bad.id, later.id]);
    expect(left).toMatchObject([{ messageId: later.id, attempts: 1 }]);
    const { rows: events } = await tenant.store.messages.listEvents(bad.id, page);
    expect(events.map((event) => event.type)).toEqual(['hard_bounce', 'new']);
    expect(events[0]?.details).toMatchObject({ smtp_response: '550 5.1.1 unknown user' });
  });

  it('has no effect the second time', async () => {
    const [job] = await acceptAndFetch('twice@example.com');
    if (job === undefined) throw new Error('One was accepted.');
    const record = outcome(job, 'delivery');
    await test.store.delivery.record([record]);
    expect(await test.store.delivery.record([record])).toEqual({ recorded: [], notifications: 0 });
    expect((await tenant.store.messages.listEvents(job.id, page)).total).toBe(2);
    const { rows } = await sql`select from smtp_deliveries where message_id = ${job.id}`.execute(
      test.database.db,
    );
    expect(rows).toHaveLength(1);
  });

  it('forgets what became of a message whose account is gone', async () => {
    const other = await createTenant(test.store, 'leaving.test');
    const [id = ''] = await acceptAll(other, [
      testMessage({ from: { email: 'a@leaving.test', name: null } }),
    ]);
    const jobs = await test.queue.fetchDeliveries(10);
    const job = jobs.find((one) => one.id === id);
    if (job === undefined) throw new Error('One was accepted.');
    await other.store.accounts.delete(other.account.account_id);
    expect(await test.store.delivery.record([outcome(job, 'hard_bounce')])).toEqual({
      recorded: [],
      notifications: 0,
    });
    expect(await test.store.delivery.load([id])).toEqual([]);
    const { rows } =
      await sql`select from stats_hourly where organisation_id = ${other.organisationId}`.execute(
        test.database.db,
      );
    expect(rows).toEqual([]);
  });

  it('leaves an address suppressed as it first was', async () => {
    await tenant.store.suppressions.create({
      account_id: tenant.account.account_id,
      recipient_email: 'known@example.com',
      reason: 'asked by phone',
    });
    const duplicate = { account_id: tenant.account.account_id, recipient_email: 'KNOWN@example.com' };
    await expect(tenant.store.suppressions.create(duplicate)).rejects.toMatchObject({
      code: 'ENTITY_EXISTS',
    });
    const [job] = await acceptAndFetch('fresh@example.com');
    const messageId = job?.id ?? '';
    const complaint = () => ({
      type: 'spam_complaint' as const,
      eventId: randomUUIDv7(),
      messageId,
      receivedAt: test.clock.now(),
    });
    await Promise.all([complaint(), complaint()].map((event) => test.store.delivery.recordEvents([event])));
    const { rows, total } = await tenant.store.suppressions.list({ message_id: messageId }, page);
    expect(total).toBe(1);
    expect(rows).toMatchObject([{ type: 'spam_complaint', account_name: 'Mail' }]);
    const manual = await tenant.store.suppressions.list({ reason: 'BY PHONE' }, page);
    expect(manual.rows).toMatchObject([{ type: 'manual', message_id: null, message_custom_id: null }]);
    const [found] = manual.rows;
    expect(await tenant.store.suppressions.delete(found?.suppression_id ?? '')).toEqual(found);
    expect((await tenant.store.suppressions.list({ reason: 'by phone' }, page)).total).toBe(0);
  });
});

describe('events at the same time', () => {
  it('are all counted, however they meet', async () => {
    const jobs = await acceptAndFetch(
      ...Array.from({ length: 10 }, (_, index) => `crowd${index}@example.com`),
    );
    const events = Array.from({ length: 40 }, (_, index) => ({
      type: 'open' as const,
      eventId: randomUUIDv7(),
      messageId: jobs[index % jobs.length]?.id ?? '',
      receivedAt: test.clock.now(),
      userAgent: 'Mail',
      userIp: '192.0.2.1',
      automated: false,
    }));
    const period = { from: events[0]?.receivedAt ?? '', to: test.clock.now() };
    const batches = [0, 1, 2, 3].map((batch) => events.filter((_, index) => index % 4 === batch).reverse());
    await Promise.all(batches.map((batch) => test.store.delivery.recordEvents(batch)));
    const { stats_summary: counters } = await tenant.store.statistics.read(period);
    expect(counters).toMatchObject({ open: 40, unique_opens: 10 });
    const { total } = await tenant.store.messages.list(
      { period: { from: plusMilliseconds(period.from, -3_600_000), to: period.to }, events: ['open'] },
      page,
    );
    expect(total).toBe(10);
  });
});

describe('domains', () => {
  it('replace their accounts, and need a new look at a new Return-Path', async () => {
    const { domains, accounts } = tenant.store;
    const other = await accounts.create({ name: 'Second', type: 'marketing' });
    const id = tenant.domain.domain_id;
    const moved = await domains.update(id, { accounts: [other.account_id] });
    expect(moved.accounts).toEqual([{ account_id: other.account_id, name: 'Second' }]);
    expect(moved.return_path_verified_at).not.toBeNull();
    const changed = await domains.update(id, { accounts: [], return_path_hostname: 'rp' });
    expect(changed).toMatchObject({
      return_path_hostname: 'rp',
      return_path_verified_at: null,
      accounts: [],
    });
    expect(changed.dkim_verified_at).not.toBeNull();
    await domains.markReturnPathVerified(id, 'cs-bounces');
    expect((await domains.get(id)).return_path_verified_at).toBeNull();
    const keys = await domains.dkimKeys(id);
    expect(keys.map((key) => key.name)).toEqual(['cs1._domainkey.demo.test', 'cs2._domainkey.demo.test']);
    expect(keys[0]?.target).toMatch(/^cs1-[0-9a-f]{12}\.dkim\.mail\.sendspec\.test$/);
    expect(keys[0]?.publicKey).toMatch(/^MIIB/);
  });

  it('stay known to the log when they are deleted', async () => {
    const { domains, messages, statistics } = tenant.store;
    const id = tenant.domain.domain_id;
    await domains.delete(id);
    await expect(domains.get(id)).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
    const period = { from: '2000-01-01T00:00:00.000000+00:00', to: test.clock.now() };
    const { rows, total } = await messages.list({ period, domain_ids: [id] }, page);
    expect(rows[0]).toMatchObject({ domain_name: 'demo.test' });
    const { breakdown } = await statistics.read(period, 'domains');
    expect(breakdown).toMatchObject([{ domain_id: id, messages: total }]);
    await domains.create({ name: 'demo.test', accounts: [] });
  });
});

describe('the sandbox', () => {
  it('keeps captured mails byte for byte, newest first', async () => {
    const { sandbox } = test.store;
    const mail = (to: string, raw: Uint8Array) => ({
      from: 'b@demo.test',
      to: [to],
      received_at: test.clock.now(),
      raw,
    });
    await sandbox.capture([
      mail('Ann@example.com', Buffer.from([0, 255, 13, 10])),
      mail('bob@example.com', Buffer.from('b')),
    ]);
    await sandbox.capture([mail('ann@example.com', Buffer.from('second'))]);
    const captured = await sandbox.captured({ to: 'ann@EXAMPLE.com', limit: 10 });
    expect(captured.map((one) => [...one.raw])).toEqual([[...Buffer.from('second')], [0, 255, 13, 10]]);
    await sandbox.prune(2);
    expect(await sandbox.captured({ limit: 10 })).toHaveLength(2);
  });

  it('keeps settings', async () => {
    const { settings } = test.store;
    expect(await settings.get('offset')).toBeUndefined();
    await settings.set('offset', { milliseconds: 5 });
    await settings.set('offset', { milliseconds: 6 });
    expect(await settings.get('offset')).toEqual({ milliseconds: 6 });
    await test.store.ping();
  });
});
