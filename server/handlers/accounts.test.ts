import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi, type TestTenant } from '../testing.ts';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startApi();
  tenant = await api.createTenant();
});
afterAll(() => api.close());

const create = (body: unknown) => tenant.call('POST', '/v1/accounts', { body });
const update = (id: string, body: unknown) => tenant.call('PATCH', `/v1/accounts/${id}`, { body });

const message = (change: Record<string, unknown> = {}) => ({
  from: { email: 'hello@demo.test' },
  to: [{ email: 'ann@example.com' }],
  subject: 'Hello',
  body: { text: 'Hello' },
  ...change,
});
const send = (account: { account_id: string; api_key: string }, body: unknown = [message()]) =>
  api.call('POST', '/v1/send_email', { basic: account, body });

describe('an account', () => {
  test.each(['transactional', 'marketing'])('starts active and %s, with nothing in it', async (type) => {
    const created = await create({ name: 'Zoë & Söhne 100%', type, status: 'disabled', account_id: 'x' });
    expect(created).toMatchObject({
      status: 201,
      data: { name: 'Zoë & Söhne 100%', type, status: 'active' },
    });
    const { account_id } = created.data as { account_id: string };
    expect(await tenant.call('GET', `/v1/accounts/${account_id}`)).toMatchObject({
      status: 200,
      data: created.data,
    });
    const upper = await tenant.call('GET', `/v1/accounts/${account_id.toUpperCase()}`);
    expect(upper).toMatchObject({ status: 200, data: created.data });
    expect(await tenant.call('GET', `/v1/accounts/${account_id}/api_keys`)).toMatchObject({ data: [] });
  });

  test.each([
    ['no name', { type: 'marketing' }, 'name', 'REQUIRED'],
    ['a name that is null', { name: null, type: 'marketing' }, 'name', 'REQUIRED'],
    ['an empty name', { name: '', type: 'marketing' }, 'name', 'MIN'],
    ['a name of 256 characters', { name: 'é'.repeat(256), type: 'marketing' }, 'name', 'MAX'],
    ['a name of two lines', { name: 'a\r\nb', type: 'marketing' }, 'name', 'CONTROL_CHARACTER'],
    ['no type', { name: 'A' }, 'type', 'REQUIRED'],
    ['another type', { name: 'A', type: 'Marketing' }, 'type', 'CHOICE'],
  ])('is not created with %s', async (_what, body, field, code) => {
    expect(await create(body)).toMatchObject({
      status: 422,
      code: 'VALIDATION_ERROR',
      errors: [{ field, errors: [{ code }] }],
    });
  });

  test('may have the longest name, and one that another has', async () => {
    const name = '👩‍🚀'.repeat(50).slice(0, 250);
    expect(await create({ name, type: 'marketing' })).toMatchObject({ status: 201, data: { name } });
    expect(await create({ name, type: 'marketing' })).toMatchObject({ status: 201, data: { name } });
  });

  test('is renamed, disabled and made active again, and keeps its type', async () => {
    const { account_id, name } = await api.createAccount(tenant);
    const type = 'transactional';
    expect(await update(account_id, { name: 'New', type: 'marketing' })).toMatchObject({
      status: 200,
      data: { account_id, name: 'New', type, status: 'active' },
    });
    expect(await update(account_id, { name, status: 'disabled' })).toMatchObject({
      data: { name, type, status: 'disabled' },
    });
    expect(await update(account_id, { name: 'Still', status: null })).toMatchObject({
      data: { status: 'disabled' },
    });
    expect(await update(account_id, { name: 'Still' })).toMatchObject({ data: { status: 'disabled' } });
    expect(await update(account_id, { name: 'Still', status: 'active' })).toMatchObject({
      data: { status: 'active' },
    });
    expect(await update(account_id, { status: 'disabled' })).toMatchObject({
      status: 422,
      errors: [{ field: 'name', value: '', errors: [{ code: 'REQUIRED' }] }],
    });
    expect(await update(account_id, { name: 'Not', status: 'deleted' })).toMatchObject({
      status: 422,
      errors: [{ field: 'status', value: 'deleted', errors: [{ code: 'CHOICE' }] }],
    });
    expect(await tenant.call('GET', `/v1/accounts/${account_id}`)).toMatchObject({
      data: { name: 'Still', status: 'active' },
    });
  });

  test('that is disabled sends nothing, while its keys are not mistaken for wrong ones', async () => {
    const account = await api.createAccount(tenant);
    await update(account.account_id, { name: 'Off', status: 'disabled' });
    const denied = { status: 403, code: 'ACCESS_DENIED' };
    expect(await send(account)).toMatchObject(denied);
    expect(await send(account, [])).toMatchObject({ status: 422, code: 'BODY_EMPTY_ARRAY' });
    expect(await send({ ...account, api_key: 'wrong' })).toMatchObject({ status: 401 });
    await update(account.account_id, { name: 'On', status: 'active' });
    expect((await send(account)).status).toBe(207);
  });
});

describe('a deleted account', () => {
  test('takes its keys, suppressions and log with it, and leaves its domains', async () => {
    const account = await api.createAccount(tenant, 'Gone');
    const { account_id } = account;
    const both = [account_id, tenant.account.account_id];
    const domain = { domain_id: tenant.domain.domain_id };
    await tenant.client.updateDomain({ path: domain, body: { accounts: both } });
    const { data: suppression } = await tenant.client.createSuppression({
      body: { account_id, recipient_email: 'bob@example.com' },
    });
    const sent = await send(account, [message({ custom_id: 'gone' })]);
    const [{ message_id }] = sent.data as [{ message_id: string }];
    await expect
      .poll(async () => (await tenant.client.getMessage({ path: { message_id } })).data)
      .toMatchObject({ account_name: 'Gone', delivery_status: 'delivery' });

    const deleted = await tenant.call('DELETE', `/v1/accounts/${account_id}`);
    expect(deleted).toMatchObject({ status: 200, data: { account_id, name: 'Gone', status: 'active' } });

    expect(await send(account)).toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' });
    const missing = (code: string) => ({ status: 409, code });
    const paths = [
      [`/v1/accounts/${account_id}`, 'ACCOUNT_NOT_FOUND'],
      [`/v1/accounts/${account_id}/api_keys`, 'ACCOUNT_NOT_FOUND'],
      [`/v1/suppressions/${suppression.suppression_id}`, 'SUPPRESSION_NOT_FOUND'],
      [`/v1/messages/${message_id}`, 'MESSAGE_NOT_FOUND'],
      [`/v1/messages/${message_id}/events`, 'MESSAGE_NOT_FOUND'],
      [`/v1/messages?account_ids[]=${account_id}`, 'ACCOUNT_NOT_FOUND'],
      [`/v1/messages/export?account_ids[]=${account_id}`, 'ACCOUNT_NOT_FOUND'],
      [`/v1/suppressions?account_ids[]=${account_id}`, 'ACCOUNT_NOT_FOUND'],
    ] as const;
    for (const [path, code] of paths)
      expect(await tenant.call('GET', path), path).toMatchObject(missing(code));
    expect(await tenant.call('DELETE', `/v1/accounts/${account_id}`)).toMatchObject(
      missing('ACCOUNT_NOT_FOUND'),
    );

    const { client } = tenant;
    expect((await client.getDomain({ path: domain })).data.accounts).toEqual([
      { account_id: tenant.account.account_id, name: 'Mail' },
    ]);
    for (const query of [{}, { message_custom_id: 'gone' }, { message_id }]) {
      expect((await client.listMessages({ query })).data).toEqual([]);
    }
    expect((await client.listSuppressions()).data).toEqual([]);
    const ids = [];
    for await (const one of client.listAccounts.all()) ids.push(one.account_id);
    expect(ids).not.toContain(account_id);
    const period = { period_from: '2000-01-01', period_to: '2100-01-01' };
    const { data: statistics } = await client.getStats({ query: { ...period, all_accounts: 1 } });
    expect(statistics.stats_summary.messages).toBe(0);
    expect(JSON.stringify(statistics.breakdown)).not.toContain(account_id);
  });

  test('sends nothing of what was waiting', async () => {
    const account = await api.createAccount(tenant, 'Waiting');
    const path = { domain_id: tenant.domain.domain_id };
    await tenant.client.updateDomain({ path, body: { accounts: [account.account_id] } });
    await expect.poll(() => api.queue.depth()).toEqual({ ready: 0, active: 0, waiting: 0 });
    // The receiving server cannot keep mails for a while, so that this one is to be tried again.
    await sql`alter table captured_mails rename to captured_mails_away`.execute(api.database.db);
    const sent = await send(account, [message({ to: [{ email: 'late@example.com' }] })]);
    const [{ message_id }] = sent.data as [{ message_id: string }];
    await expect
      .poll(async () => (await tenant.client.getMessage({ path: { message_id } })).data.delivery_status)
      .toBe('soft_bounce');
    await sql`alter table captured_mails_away rename to captured_mails`.execute(api.database.db);
    for (const fault of api.takeFaults())
      expect(fault).toMatchObject({ msg: 'a mail that came in could not be kept' });
    expect(await api.queue.depth()).toMatchObject({ ready: 0, active: 0, waiting: 1 });
    await tenant.client.deleteAccount({ path: { account_id: account.account_id } });
    expect(await api.queue.depth()).toMatchObject({ ready: 0, active: 0, waiting: 0 });
  });
});

describe('the list of accounts', () => {
  let lister: TestTenant;
  beforeAll(async () => {
    lister = await api.createTenant('lists.test');
    for (const [name, type] of [
      ['News A', 'marketing'],
      ['Shop 100% off_', 'transactional'],
      ['news ÄÖ\\', 'marketing'],
    ] as const) {
      await lister.client.createAccount({ body: { name, type } });
    }
  });

  const list = async (query: Record<string, string | number>) => {
    const { status, data, meta } = await lister.call('GET', '/v1/accounts', { query });
    expect(status).toBe(200);
    return { names: (data as { name: string }[]).map(({ name }) => name), meta };
  };
  const all = ['news ÄÖ\\', 'Shop 100% off_', 'News A', 'Mail'];

  test('is newest first and holds those of the organisation', async () => {
    expect(await list({})).toMatchObject({ names: all, meta: { limit: 30, offset: 0, total: 4 } });
  });

  test.each<[string, Record<string, string | number>, string[]]>([
    ['by part of the name', { name: 'ew' }, ['news ÄÖ\\', 'News A']],
    ['in any case', { name: 'NEWS' }, ['news ÄÖ\\', 'News A']],
    ['in any case beyond ASCII', { name: 'äö' }, ['news ÄÖ\\']],
    ['with % as itself', { name: '0%' }, ['Shop 100% off_']],
    ['with _ as itself', { name: '_' }, ['Shop 100% off_']],
    ['with \\ as itself', { name: '\\' }, ['news ÄÖ\\']],
    ['by type', { type: 'marketing' }, ['news ÄÖ\\', 'News A']],
    ['by both', { type: 'transactional', name: 'news' }, []],
    ['by what matches nothing', { name: "' or 1=1 --" }, []],
  ])('is searched %s', async (_how, query, names) => {
    expect(await list(query)).toMatchObject({ names, meta: { total: names.length } });
  });

  test('has pages that neither overlap nor skip', async () => {
    expect(await list({ limit: 1, offset: 1 })).toMatchObject({
      names: all.slice(1, 2),
      meta: { limit: 1, offset: 1, total: 4 },
    });
    expect(await list({ limit: 1000, offset: 3 })).toMatchObject({ names: all.slice(3) });
    expect(await list({ offset: 2_147_483_647 })).toMatchObject({ names: [], meta: { total: 4 } });
    expect(await list({ name: 'news', limit: 1, offset: 1 })).toMatchObject({
      names: ['News A'],
      meta: { total: 2 },
    });
  });

  test.each([
    ['limit=0', 'limit', 'MIN'],
    ['limit=1001', 'limit', 'MAX'],
    ['limit=ten', 'limit', 'INTEGER'],
    ['limit=1&limit=2', 'limit', 'DUPLICATE'],
    ['offset=-1', 'offset', 'MIN'],
    ['offset=2147483648', 'offset', 'MAX'],
    ['type=other', 'type', 'CHOICE'],
    ['name=a%00b', 'name', 'CONTROL_CHARACTER'],
  ])('is not asked for with %s', async (search, field, code) => {
    expect(await lister.call('GET', `/v1/accounts?${search}`)).toMatchObject({
      status: 422,
      code: 'VALIDATION_ERROR',
      errors: [{ field, errors: [{ code }] }],
    });
  });
});
