import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestAccount, type TestApi, type TestTenant } from '../testing.ts';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startApi();
  tenant = await api.createTenant();
});
afterAll(() => api.close());

const unauthorized = { status: 401, code: 'INVALID_CREDENTIALS' };
const keysOf = ({ account_id }: { account_id: string }) => `/v1/accounts/${account_id}/api_keys`;

/** Sends one mail with a key. */
function send(account_id: string, api_key: string) {
  const message = {
    from: { email: 'hello@demo.test' },
    to: [{ email: 'ann@example.com' }],
    subject: 'Hello',
    body: { text: 'Hello' },
  };
  return api.call('POST', '/v1/send_email', { basic: { account_id, api_key }, body: [message] });
}

describe('an API key', () => {
  test('is shown once, works at once, and is stored as a hash', async () => {
    const account = await api.createAccount(tenant);
    const created = await tenant.call('POST', keysOf(account), { body: { name: 'Shop Ω' } });
    expect(created).toMatchObject({
      status: 201,
      data: {
        account_id: account.account_id,
        name: 'Shop Ω',
        api_key: expect.stringMatching(/^ss_key_[\w-]{43}$/),
        last_used_at: null,
      },
    });
    const { api_key, ...record } = created.data as TestAccount & { prefix: string };
    expect(api_key.startsWith(record.prefix)).toBe(true);
    expect(record.prefix.length).toBeLessThan(20);
    const listed = await tenant.call('GET', keysOf(account));
    expect(listed).toMatchObject({ status: 200, data: [record, { name: 'Test' }], meta: { total: 2 } });
    expect(listed.text).not.toContain(api_key);
    const { rows } = await sql`select * from api_keys`.execute(api.database.db);
    expect(JSON.stringify(rows)).not.toContain(api_key);
    expect(await send(account.account_id, api_key)).toMatchObject({
      status: 207,
      data: [{ code: 'SENDING_DOMAIN_NOT_ASSIGNED' }],
    });
  });

  test('notes when it was used', async () => {
    const account = await api.createAccount(tenant);
    const before = api.clock.now();
    await send(account.account_id, account.api_key);
    const { data } = await tenant.client.listApiKeys({ path: { account_id: account.account_id } });
    expect(data[0]?.last_used_at?.localeCompare(before)).toBe(1);
  });

  test('is one of several, and revoking it stops it at once and no other', async () => {
    const { account } = tenant;
    const { data: second } = await tenant.client.createApiKey({
      path: { account_id: account.account_id },
      body: { name: 'Second' },
    });
    expect((await send(account.account_id, second.api_key)).status).toBe(200);
    const { data: keys } = await tenant.client.listApiKeys({ path: { account_id: account.account_id } });
    const revoked = await tenant.call('DELETE', `${keysOf(account)}/${second.api_key_id}`);
    expect(revoked).toMatchObject({ status: 200, data: keys[0] });
    expect(await send(account.account_id, second.api_key)).toMatchObject(unauthorized);
    expect((await send(account.account_id, account.api_key)).status).toBe(200);
    expect(await tenant.call('DELETE', `${keysOf(account)}/${second.api_key_id}`)).toMatchObject({
      status: 409,
      code: 'API_KEY_NOT_FOUND',
    });
  });

  test('belongs to one account', async () => {
    const other = await api.createAccount(tenant, 'Other');
    const { account } = tenant;
    expect(await send(account.account_id, other.api_key)).toMatchObject(unauthorized);
    expect(await send(other.account_id, account.api_key)).toMatchObject(unauthorized);
    const answer = await tenant.call('DELETE', `${keysOf(account)}/${other.api_key_id}`);
    expect(answer).toMatchObject({ status: 409, code: 'API_KEY_NOT_FOUND' });
    expect((await send(other.account_id, other.api_key)).status).toBe(207);
  });

  test('takes the account in any case of the letters, and nothing but exactly itself', async () => {
    const { account_id, api_key } = tenant.account;
    expect((await send(account_id.toUpperCase(), api_key)).status).toBe(200);
    const wrong = ['', ' ', `${api_key} `, api_key.toUpperCase(), api_key.slice(0, -1), `${api_key}:`, '\0'];
    for (const key of wrong) expect(await send(account_id, key)).toMatchObject(unauthorized);
    for (const id of ['', '*', "' or 1=1", `${account_id}\0`]) {
      expect(await send(id, api_key)).toMatchObject(unauthorized);
    }
  });

  test.each([
    ['no colon', 'YWJj'],
    ['no base64', '%%%'],
    ['nothing', ''],
    ['bytes that are no UTF-8', Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')],
  ])('has to come as HTTP Basic has it, not with %s', async (_what, credentials) => {
    const headers = { authorization: `Basic ${credentials}` };
    const answer = await api.call('POST', '/v1/send_email', { headers, body: [] });
    expect(answer).toMatchObject(unauthorized);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
  });

  test.each([
    ['no name', {}, 'REQUIRED'],
    ['an empty name', { name: '' }, 'MIN'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'MAX'],
    ['a name of two lines', { name: 'a\nb' }, 'CONTROL_CHARACTER'],
    ['a number for a name', { name: 5 }, 'STRING'],
  ])('is not created with %s', async (_what, body, code) => {
    const answer = await tenant.call('POST', keysOf(tenant.account), { body });
    expect(answer).toMatchObject({ status: 422, errors: [{ field: 'name', errors: [{ code }] }] });
  });
});

test('the keys of an account come newest first, page by page', async () => {
  const account = await api.createAccount(tenant);
  const path = { account_id: account.account_id };
  const ids = [account.api_key_id];
  for (const name of ['2', '3', '4', '5']) {
    ids.unshift((await tenant.client.createApiKey({ path, body: { name } })).data.api_key_id);
  }
  const page = await tenant.client.listApiKeys({ path, query: { limit: 2, offset: 2 } });
  expect(page.data.map(({ api_key_id }) => api_key_id)).toEqual(ids.slice(2, 4));
  expect(page.meta).toMatchObject({ limit: 2, offset: 2, total: 5 });
});
