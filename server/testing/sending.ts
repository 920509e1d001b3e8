import { sql } from 'kysely';
import { expect } from 'vitest';
import { type CallOptions, startApi, type TestAccount, type TestApi, type TestTenant } from '../testing.ts';

// For tests of sending: an API whose mail stays in the queue, a tenant with every kind of trouble, and batches of messages.

/** The result of one message, as far as tests look at it. */
export interface Item {
  message_id: string;
  custom_id: string;
  status: 'accepted' | 'rejected';
  code?: string;
  errors: { code?: string; field?: string; value?: unknown; errors?: { code: string }[] }[];
}
export type Change = Record<string, unknown>;

/** What a request that was refused as a whole said. */
interface Failure {
  status: number;
  code: unknown;
  errors: string[];
}

/** The API, and one tenant who sends. */
export interface SendingApi {
  api: TestApi;
  /**
   * From demo.test it may send. It has the domains unverified.test, half.test and other-half.test (each verified by half),
   * unassigned.test, and the suppression of `Never@Customer.test`.
   */
  tenant: TestTenant;
  /** Sends a batch that is answered item by item. */
  send(messages: unknown, basic?: SendingKey): Promise<{ status: number; items: Item[] }>;
  /** Sends one message that differs so from one that is fine. */
  sendOne(change?: Change): Promise<Item>;
  /** Sends what is refused as a whole. */
  failure(body: unknown, options?: CallOptions): Promise<Failure>;
  /** How many rows there are of all that an accepted message leaves; each accepted message adds one to each. */
  rowCounts(): Promise<Record<string, number>>;
}
type SendingKey = Pick<TestAccount, 'account_id' | 'api_key'>;

/** Starts the API and makes the tenant. */
export async function startSending(): Promise<SendingApi> {
  const api = await startApi();
  // Otherwise the worker would take jobs away while they are counted.
  await api.stopDelivery();
  const tenant = await api.createTenant();
  await addTroubles(api, tenant);

  const send: SendingApi['send'] = async (messages, basic = tenant.account) => {
    const { status, data, meta } = await api.call('POST', '/v1/send_email', { basic, body: messages });
    expect(meta).toEqual({});
    return { status, items: data as Item[] };
  };
  const sendOne: SendingApi['sendOne'] = async (change) => {
    const { items } = await send([message(change)]);
    const [item] = items;
    if (item === undefined || items.length !== 1) throw new Error('One message has one result.');
    return item;
  };
  const failure: SendingApi['failure'] = async (body, options = {}) => {
    const answer = await api.call('POST', '/v1/send_email', { basic: tenant.account, body, ...options });
    const errors = answer.errors as { code: string }[];
    return { status: answer.status, code: answer.code, errors: errors.map(({ code }) => code) };
  };
  return { api, tenant, send, sendOne, failure, rowCounts: () => rowCounts(api) };
}

/** A message that is fine, and what shall be different. */
export function message(change: Change = {}): Change {
  return {
    from: { email: 'hello@demo.test' },
    to: [{ email: 'ada@customer.test' }],
    subject: 'Your order',
    body: { text: 'Thank you.' },
    ...change,
  };
}

/** What became of each, in order: `accepted`, or the code of the rejection. */
export function outcomes(items: readonly Item[]): string[] {
  return items.map(({ status, code }) => code ?? status);
}

/** The faults of a rejected message: `field: CODES`, or the code where no field is at fault. */
export function faultsOf({ errors }: Item): string[] {
  return errors.map(({ field, code = '', errors: codes = [] }) =>
    field === undefined ? code : `${field}: ${codes.map((error) => error.code).join(' ')}`,
  );
}

async function addTroubles(api: TestApi, tenant: TestTenant): Promise<void> {
  const { client, account } = tenant;
  const accounts = [account.account_id];
  const create = async (name: string) => {
    const { data } = await client.createDomain({ body: { name, accounts } });
    return { path: { domain_id: data.domain_id } };
  };
  await create('unverified.test');
  await client.verifyDomainDkim(await create('half.test'));
  await client.verifyDomainReturnPath(await create('other-half.test'));
  await api.createDomain(tenant, 'unassigned.test', []);
  await client.createSuppression({
    body: { account_id: account.account_id, recipient_email: 'Never@Customer.test' },
  });
}

async function rowCounts({ database }: TestApi): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from messages) as messages, (select count(*) from message_contents) as contents,
      (select count(*) from message_events) as events, (select coalesce(sum(messages), 0) from message_counts) as counted,
      (select coalesce(sum(messages), 0) from stats_hourly) as statistics, (select count(*) from pgboss.job) as jobs
  `.execute(database.db);
  return rows[0] ?? {};
}
