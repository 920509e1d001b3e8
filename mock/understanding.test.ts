import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject, type JsonObject, valueAt } from './json.ts';
import { startTestMock, type TestMock } from './testing/mock.ts';

// A request says to the mock what it says to the service: the same fields, the same letters, the same defaults.

const ORDERS = '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3';
const DOMAIN = 'e19c3f62-5a80-4b7d-96e4-d83b07f2a1c5';
const WEBHOOKS = `/v1/accounts/${ORDERS}/webhooks`;
const WEBHOOK = `${WEBHOOKS}/b7d2e48c-05f9-4c3a-8e16-92a4d07c5f31`;
const token = 'any';

let mock: TestMock;
beforeAll(async () => {
  mock = await startTestMock();
});
afterAll(() => mock.close());

async function post(path: string, body: unknown): Promise<unknown> {
  return (await mock.call('POST', path, { token, body })).data;
}

async function itemsOf(path: string, query: Record<string, string | string[]>): Promise<JsonObject[]> {
  const { data } = await mock.call('GET', path, { token, query });
  return Array.isArray(data) ? data.filter(isObject) : [];
}

describe('fields that an operation does not know', () => {
  it('are ignored by a creation', async () => {
    const more = { account_id: ORDERS.replaceAll('6', '7'), status: 'disabled' };
    const data = await post('/v1/accounts', { name: 'Shop', type: 'marketing', ...more });
    expect(data).toMatchObject({ name: 'Shop', status: 'active' });
    expect(valueAt(data, 'account_id')).not.toBe(more.account_id);
  });

  it('are ignored by a change: a domain keeps its name', async () => {
    const path = `/v1/domains/${DOMAIN}`;
    const { data } = await mock.call('GET', path, { token });
    const body = { accounts: [], name: 'other.test', dkim_verified_at: '2026-03-14T09:26:53Z' };
    expect((await mock.call('PATCH', path, { token, body })).data).toEqual(data);
  });
});

describe('identifiers in capitals', () => {
  it.each(['/v1/accounts', '/v1/domains', '/v1/messages', '/v1/users', '/v1/suppressions'])(
    'stand for the same thing, and leave in lower case: %s',
    async (path) => {
      const [item = {}] = await itemsOf(path, {});
      const [id] = Object.values(item);
      const { data } = await mock.call('GET', `${path}/${String(id).toUpperCase()}`, { token });
      expect(data).toEqual(item);
    },
  );

  it('are known in a body', async () => {
    const body = { account_id: ORDERS.toUpperCase(), recipient_email: 'Ada@Customer.test' };
    expect(await post('/v1/suppressions', body)).toMatchObject({
      account_id: ORDERS,
      account_name: 'Shop orders',
      recipient_email: 'Ada@Customer.test',
    });
    const domain = { name: 'News.Example', accounts: [ORDERS, ORDERS.toUpperCase()] };
    expect(await post('/v1/domains', domain)).toMatchObject({
      accounts: [{ account_id: ORDERS, name: 'Shop orders' }],
    });
  });
});

it('a domain is named in lower case', async () => {
  expect(await post('/v1/domains', { name: 'Mail.Example', accounts: [] })).toMatchObject({
    name: 'mail.example',
    dkim_selector_1: 'cs1._domainkey.mail.example',
  });
});

it('another Return-Path host has to be verified again, the same one not', async () => {
  const [verified = {}] = (await itemsOf('/v1/domains', {})).filter(
    (one) => one.return_path_verified_at !== null,
  );
  const { domain_id: id, return_path_hostname: same, return_path_verified_at: at } = verified;
  const changed = async (host: unknown) => {
    const body = { accounts: [], return_path_hostname: host };
    return (await mock.call('PATCH', `/v1/domains/${id}`, { token, body })).data;
  };
  expect(await changed('another')).toMatchObject({
    return_path_hostname: 'another',
    return_path_verified_at: null,
  });
  expect(await changed(same)).toMatchObject({ return_path_hostname: same, return_path_verified_at: at });
});

it.each([{}, { reason: null }])('what a creation leaves out has its default: %j', async (left) => {
  const suppression = { account_id: ORDERS, recipient_email: 'zoe@customer.test', ...left };
  expect(await post('/v1/suppressions', suppression)).toMatchObject({ reason: '' });
});

it('events come back in the order of the contract', async () => {
  const body = { url: 'https://shop.demo.test/hooks', events: ['message.click', 'message.delivery'] };
  const events = ['message.delivery', 'message.click'];
  expect(await post(WEBHOOKS, body)).toMatchObject({ events });
  expect((await mock.call('PATCH', WEBHOOK, { token, body })).data).toMatchObject({ events });
});

it('who registers is registered under the own name', async () => {
  const body = {
    organisation_name: 'Harbour Books',
    name: 'Noor Haddad',
    email: 'noor@harbour.test',
    password: 'correct horse battery staple',
  };
  const { data } = await mock.call('POST', '/v1/register', { body });
  expect(data).toMatchObject({
    organisation: { name: 'Harbour Books' },
    user: { name: 'Noor Haddad', email: 'noor@harbour.test', role: 'owner' },
  });
});

describe('what is made', () => {
  it.each([
    ['/v1/accounts', { name: 'Shop', type: 'marketing' }],
    ['/v1/domains', { name: 'mail.example', accounts: [] }],
    ['/v1/suppressions', { account_id: ORDERS, recipient_email: 'zoe@customer.test' }],
    [`/v1/accounts/${ORDERS}/api_keys`, { name: 'my key' }],
    [WEBHOOKS, { url: 'https://shop.demo.test/mine' }],
    [`${WEBHOOK}/test`, { event: 'message.open' }],
  ])('has an id of its own each time: %s', async (path, body) => {
    const [first, second] = [await post(path, body), await post(path, body)];
    const [[name, id] = ['', '']] = Object.entries(Object(first));
    expect(name).toMatch(/_id$/);
    expect(valueAt(second, name)).not.toBe(id);
    const known = await itemsOf(path.replace(/\/test$/, '/deliveries'), {});
    expect(known.map((item) => item[name])).not.toContain(id);
  });

  it('has the id of the example when the request is the one of the example', async () => {
    const data = await post('/v1/accounts', { type: 'transactional', name: 'Shop orders' });
    expect(data).toMatchObject({ account_id: ORDERS });
  });
});

it('a secret that is rotated without an overlap leaves no old one', async () => {
  const rotated = (seconds: number) => post(`${WEBHOOK}/rotate_secret`, { overlap_seconds: seconds });
  expect(await rotated(0)).toMatchObject({ previous_secrets_expire_at: null });
  expect(valueAt(await rotated(60), 'previous_secrets_expire_at')).not.toBeNull();
});

it('one notification is replayed once', async () => {
  const body = { notification_id: crypto.randomUUID() };
  expect(await post(`${WEBHOOK}/replay`, body)).toEqual({ replayed: 1, remaining: 0 });
});

describe('filters', () => {
  it('by nothing find what has a text that is empty, not what has none', async () => {
    expect(await itemsOf('/v1/suppressions', { message_custom_id: '' })).toEqual([]);
  });

  it.each([['open'], ['unsubscribe'], ['unsibscribe'], ['hard_bounce', 'click'], ['soft_bounce']])(
    'by events find the messages that have one: %s',
    async (...events: string[]) => {
      const found = await itemsOf('/v1/messages', { 'events[]': events });
      const wanted = events.map((type) => type.replace('unsibscribe', 'unsubscribe'));
      const expected = [];
      for (const message of await itemsOf('/v1/messages', {})) {
        const types = (await itemsOf(`/v1/messages/${message.message_id}/events`, {})).map(({ type }) =>
          String(type),
        );
        if (types.some((type) => wanted.includes(type))) expected.push(message.message_id);
      }
      expect(found.map(({ message_id: id }) => id)).toEqual(expected);
    },
  );

  it.each<Record<string, string | string[]>>([
    {},
    { recipient_email: 'ADA@customer.test' },
    { 'events[]': ['open'] },
    { 'account_ids[]': [ORDERS.toUpperCase()] },
    { subject: 'no such subject' },
  ])('are the same for the export and for the list: %j', async (query) => {
    const { text } = await mock.call('GET', '/v1/messages/export', { token, query });
    const [header, ...rows] = text.split('\r\n').slice(0, -1);
    expect(header).toMatch(/^message_id,/);
    const listed = await itemsOf('/v1/messages', query);
    expect(rows.map((row) => row.split(',')[0])).toEqual(listed.map(({ message_id: id }) => id));
  });
});

describe('generated values', () => {
  const OWN_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;
  const headers = { Prefer: 'dynamic=true' };

  it('have timestamps as the service writes them', async () => {
    const { data } = await mock.call('GET', '/v1/messages', { token, headers });
    const items = Array.isArray(data) ? data.filter(isObject) : [];
    expect(items.length).toBeGreaterThan(0);
    for (const item of items) {
      expect(item.created_at).toMatch(OWN_TIMESTAMP);
      expect(item.opened_at ?? '2026-03-14T09:26:53.589793+00:00').toMatch(OWN_TIMESTAMP);
    }
  });

  it('are statistics of the period and with the breakdown that was asked for', async () => {
    const query = { period_from: '2026-02-01', period_to: '2026-02-01' };
    for (let round = 0; round < 5; round += 1) {
      const { data } = await mock.call('GET', '/v1/stats', { token, query, headers });
      expect(Object.keys(Object(data))).toEqual(['period_from', 'period_to', 'stats_summary']);
      expect(data).toMatchObject({
        period_from: '2026-02-01T00:00:00.000000+00:00',
        period_to: '2026-02-01T23:59:59.999999+00:00',
      });
      const all = { ...query, all_accounts: 1 };
      const broken = await mock.call('GET', '/v1/stats', { token, query: all, headers });
      expect(valueAt(broken.data, 'breakdown')).toBeInstanceOf(Array);
    }
  });
});
