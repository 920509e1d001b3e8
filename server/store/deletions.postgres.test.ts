import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SystemClock } from '../domain/time.ts';
import type { DeliveryJob, DeliveryRecord } from './delivery-rows.ts';
import type { Schema } from './schema.ts';
import {
  acceptAll,
  createTenant,
  openTestStore,
  type TestStore,
  type TestTenant,
  testMessage,
} from './testing.ts';
import { behindLock } from './testing-locks.ts';

// An account is deleted while others change what belongs to it: whoever comes second waits, and then finds it gone.

let parts: TestStore;
beforeAll(async () => {
  parts = await openTestStore();
});
afterAll(() => parts.close());

const GONE = { status: 'rejected', reason: expect.objectContaining({ code: 'ACCOUNT_NOT_FOUND' }) };
const DONE = expect.objectContaining({ status: 'fulfilled' });

const tenant = () => createTenant(parts.store, `d${randomUUID()}.test`);
const changing = (accountId: string) => (tx: Transaction<Schema>) =>
  sql`select from accounts where account_id = ${accountId} for update`.execute(tx);

/** What becomes of the deletion of an account, and of what somebody asks for right behind it. */
function deletedBefore({ store, account }: TestTenant, step: () => Promise<unknown>) {
  const { account_id } = account;
  return behindLock(parts, changing(account_id), [() => store.accounts.delete(account_id), step]);
}

test('a domain is assigned to an account that is just being deleted', async () => {
  const here = await tenant();
  const { store, account, domain } = here;
  const assigning = () => store.domains.update(domain.domain_id, { accounts: [account.account_id] });
  expect(await deletedBefore(here, assigning)).toEqual([DONE, GONE]);
  expect(await store.domains.get(domain.domain_id)).toMatchObject({ accounts: [] });
});

test('a domain is created for an account that is just being deleted', async () => {
  const here = await tenant();
  const { store, account } = here;
  const creating = () => store.domains.create({ name: 'late.test', accounts: [account.account_id] });
  expect(await deletedBefore(here, creating)).toEqual([DONE, GONE]);
  expect(await store.domains.list({ name: 'late' }, { limit: 1, offset: 0 })).toMatchObject({ total: 0 });
});

test('a key is made for an account that is just being deleted, which can be cleared away for good', async () => {
  const here = await tenant();
  const { account_id } = here.account;
  const making = () => here.store.apiKeys.create(account_id, { name: 'late' });
  expect(await deletedBefore(here, making)).toEqual([DONE, GONE]);
  while ((await parts.store.maintenance.purgeDeletedAccounts(100)) > 0);
  const left = await sql`select from accounts where account_id = ${account_id}`.execute(parts.database.db);
  expect(left.rows).toEqual([]);
});

test('an address is suppressed in an account that is just being deleted', async () => {
  const here = await tenant();
  const suppressing = () =>
    here.store.suppressions.create({
      account_id: here.account.account_id,
      recipient_email: 'ann@example.com',
    });
  expect(await deletedBefore(here, suppressing)).toEqual([DONE, GONE]);
  expect(await here.store.suppressions.list({}, { limit: 1, offset: 0 })).toEqual({ rows: [], total: 0 });
});

test('what became of a delivery is recorded while the account is being deleted', async () => {
  const here = await tenant();
  await acceptAll(here, [testMessage({ from: { email: `a@${here.domain.name}`, name: null } })]);
  const [job] = await parts.queue.fetchDeliveries(1);
  if (job === undefined) throw new Error('There is no job.');
  const recording = () => parts.store.delivery.record([delivered(job)]);
  expect(await deletedBefore(here, recording)).toEqual([DONE, DONE]);
  expect(await parts.queue.depth()).toEqual({ ready: 0, waiting: 0, active: 0 });
});

function delivered(job: DeliveryJob): DeliveryRecord {
  const now = new SystemClock().now();
  const smtpLogId = randomUUID();
  return {
    job,
    attempt: {
      smtpLogId,
      attempt: 1,
      startedAt: now,
      finishedAt: now,
      host: 'mx.example.com',
      verdict: 'delivery',
      response: '250 OK',
      transcript: '',
    },
    event: {
      type: 'delivery',
      eventId: randomUUID(),
      messageId: job.id,
      receivedAt: now,
      smtpResponse: '250 OK',
      smtpLogId,
    },
  };
}

test('an account is renamed while mail is being accepted for it', async () => {
  const { store, account } = await tenant();
  const { account_id } = account;
  await parts.database.db.transaction().execute(async (tx) => {
    await sql`select from accounts where account_id = ${account_id} for key share`.execute(tx);
    expect(await store.accounts.update(account_id, { name: 'Renamed' })).toMatchObject({ name: 'Renamed' });
  });
});

test('an account is deleted while one of its jobs is being changed, and nothing is delivered', async () => {
  const here = await tenant();
  const sender = { email: `a@${here.domain.name}`, name: null };
  const [messageId] = await acceptAll(here, [testMessage({ from: sender })]);
  await parts.database.db.transaction().execute(async (tx) => {
    await sql`select from pgboss.job where id = ${messageId} for update`.execute(tx);
    await here.store.accounts.delete(here.account.account_id);
  });
  const jobs = await parts.queue.fetchDeliveries(1);
  expect(jobs).toMatchObject([{ id: messageId }]);
  expect(await parts.store.delivery.load(jobs.map(({ id }) => id))).toEqual([]);
});
