import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { resolvePeriod } from '../domain/periods.ts';
import type { AcceptResult } from './rows.ts';
import {
  acceptAll,
  createTenant,
  createVerifiedDomain,
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

const accept = (...messages: Parameters<typeof testMessage>[0][]) =>
  tenant.store.messages.accept(tenant.account.account_id, messages.map(testMessage));
const codes = (results: AcceptResult[]) =>
  results.map((result) => ('rejected' in result ? result.rejected : 'accepted'));
const from = (address: string) => ({ from: { email: address, name: null } });
const to = (address: string) => ({ to: { email: address, name: null } });
const unique = (customId: string) => ({ customId, customIdUnique: true });

describe('accept', () => {
  it('keeps the message, its new event and a job', async () => {
    const before = await test.queue.depth();
    const results = await accept({
      customId: 'order-1',
      trackOpens: true,
      subject: 'Grüße \ud83d\ude00',
      replyTo: [{ email: 'desk@demo.test', name: null }],
    });
    const [result] = results;
    if (result === undefined || 'rejected' in result) throw new Error('It should be accepted.');
    const message = await tenant.store.messages.get(result.messageId);
    expect(message).toMatchObject({
      custom_id: 'order-1',
      subject: 'Grüße \ud83d\ude00',
      delivery_status: 'new',
      domain_name: 'demo.test',
      account_name: 'Mail',
      opened_at: null,
    });
    const events = await tenant.store.messages.listEvents(result.messageId, { limit: 10, offset: 0 });
    expect(events).toEqual({
      rows: [{ type: 'new', received_at: message.created_at, details: {} }],
      total: 1,
    });
    expect((await test.queue.depth()).ready).toBe(before.ready + 1);
    const [outgoing] = await test.store.delivery.load([result.messageId]);
    expect(outgoing).toMatchObject({ attempts: 0, text: 'Hello', replyTo: [{ email: 'desk@demo.test' }] });
  });

  it('answers in the order of the candidates', async () => {
    await tenant.store.suppressions.create({
      account_id: tenant.account.account_id,
      recipient_email: 'Never@Example.com',
    });
    await tenant.store.domains.create({ name: 'unverified.test', accounts: [tenant.account.account_id] });
    await createVerifiedDomain(tenant.store, 'unassigned.test', []);
    const results = await accept(
      {},
      to('never@EXAMPLE.com'),
      from('a@elsewhere.test'),
      from('a@unverified.test'),
      from('a@unassigned.test'),
      from('A@DEMO.test'),
    );
    expect(codes(results)).toEqual([
      'accepted',
      'EMAIL_SUPPRESSED',
      'SENDING_DOMAIN_NOT_FOUND',
      'SENDING_DOMAIN_NOT_VERIFIED',
      'SENDING_DOMAIN_NOT_ASSIGNED',
      'accepted',
    ]);
  });

  it('takes no mail for a disabled or deleted account', async () => {
    const account = await tenant.store.accounts.create({ name: 'Off', type: 'marketing' });
    await tenant.store.accounts.update(account.account_id, { name: 'Off', status: 'disabled' });
    const send = () => tenant.store.messages.accept(account.account_id, [testMessage()]);
    await expect(send()).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await tenant.store.accounts.delete(account.account_id);
    await expect(send()).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });

  it('leaves nothing behind when the queue fails', async () => {
    const period = resolvePeriod({}, test.clock);
    const state = async () => {
      const { total } = await tenant.store.messages.list({ period }, { limit: 1, offset: 0 });
      const { rows } = await sql`
        select (select count(*) from messages) as messages, (select count(*) from message_contents) as contents,
          (select count(*) from message_events) as events, (select sum(messages) from message_counts) as counts,
          (select count(*) from pgboss.job) as jobs`.execute(test.database.db);
      return { total, rows, statistics: await tenant.store.statistics.read(period) };
    };
    const before = await state();
    const broken = vi.spyOn(test.queue, 'enqueueDeliveries').mockRejectedValueOnce(new Error('disk full'));
    await expect(accept({}, {})).rejects.toThrow('disk full');
    broken.mockRestore();
    expect(await state()).toEqual(before);
  });

  it('survives what no database likes', async () => {
    const results = await accept({
      subject: 'half a \ud83d, a \', a \\ and {braces, "quotes"}',
      customId: 'NULL',
    });
    expect(codes(results)).toEqual(['accepted']);
  });
});

describe('custom_id_unique', () => {
  it('lets the first of a batch win', async () => {
    const results = await accept(unique('batch'), unique('batch'), { customId: 'batch' }, unique('other'));
    expect(codes(results)).toEqual(['accepted', 'CUSTOM_ID_NOT_UNIQUE', 'accepted', 'accepted']);
  });

  it('looks at every accepted message of the account, for 72 hours', async () => {
    await accept({ customId: 'plain' });
    expect(codes(await accept(unique('plain')))).toEqual(['CUSTOM_ID_NOT_UNIQUE']);
    test.clock.advance(72 * 3_600_000 + 1000);
    expect(codes(await accept(unique('plain')))).toEqual(['accepted']);
  });

  it('is not used up by a rejected message, and empty ids are not unique', async () => {
    expect(codes(await accept({ ...unique('lost'), ...from('a@elsewhere.test') }))).toEqual([
      'SENDING_DOMAIN_NOT_FOUND',
    ]);
    expect(codes(await accept(unique('lost'), unique(''), unique('')))).toEqual([
      'accepted',
      'accepted',
      'accepted',
    ]);
  });

  it('is one account’s own', async () => {
    const other = await tenant.store.accounts.create({ name: 'Other', type: 'transactional' });
    await tenant.store.domains.update(tenant.domain.domain_id, {
      accounts: [tenant.account.account_id, other.account_id],
    });
    await accept(unique('shared'));
    const results = await tenant.store.messages.accept(other.account_id, [testMessage(unique('shared'))]);
    expect(codes(results)).toEqual(['accepted']);
  });

  it('holds when many ask at once', async () => {
    const batches = Array.from({ length: 12 }, (_, batch) =>
      accept(...Array.from({ length: 8 }, (_, index) => unique(`race-${(index + batch) % 8}`))),
    );
    const results = (await Promise.all(batches)).flatMap(codes);
    expect(results.filter((code) => code === 'accepted')).toHaveLength(8);
    expect(results.filter((code) => code === 'CUSTOM_ID_NOT_UNIQUE')).toHaveLength(88);
  });
});

describe('deleting an account', () => {
  it('takes its log out of sight at once, and away bit by bit', async () => {
    const other = await createTenant(test.store, 'gone.test');
    const sender = { from: { email: 'a@gone.test', name: null } };
    const ids = await acceptAll(
      other,
      Array.from({ length: 5 }, () => testMessage(sender)),
    );
    const period = resolvePeriod({}, test.clock);
    await other.store.accounts.delete(other.account.account_id);
    const cut = { from: period.from, to: test.clock.now() };
    for (const filter of [{ period }, { period: cut }, { period, subject: 'greet' }]) {
      const listed = await other.store.messages.list(filter, { limit: 9, offset: 0 });
      expect(listed).toEqual({ rows: [], total: 0 });
    }
    for await (const rows of await other.store.messages.exportPages({ period })) expect(rows).toEqual([]);
    test.clock.advance(2000);
    const { stats_summary: counters } = await other.store.statistics.read(cut);
    expect(counters.messages).toBe(0);
    await expect(other.store.messages.get(ids[0] ?? '')).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' });
    expect(await test.store.delivery.load(ids)).toEqual([]);
    expect(await test.store.authentication.byApiKey(other.account.account_id, other.apiKey)).toBeUndefined();

    let steps = 0;
    while ((await test.store.maintenance.purgeDeletedAccounts(2)) > 0) steps += 1;
    expect(steps).toBeGreaterThanOrEqual(4);
    const left = await sql`select from messages where account_id = ${other.account.account_id}`.execute(
      test.database.db,
    );
    expect(left.rows).toEqual([]);
  });
});
