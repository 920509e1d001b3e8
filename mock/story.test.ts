import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentedOperations, readBundle } from './document.ts';
import { webhookEvents } from './example-webhook.ts';
import { isObject, type JsonObject, valueAt } from './json.ts';
import { startTestMock, type TestMock } from './testing/mock.ts';
import { BASIC } from './testing/requests.ts';

// The answers tell one story: what one names, another one shows.

const ORDERS = '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3';
const NEWSLETTER = 'b27d94c1-5e60-4f38-8b1d-93f2a6c07e45';
const UNKNOWN = '00000000-0000-4000-8000-000000000001';
const token = 'any';

let mock: TestMock;
beforeAll(async () => {
  mock = await startTestMock();
});
afterAll(() => mock.close());

async function listOf(
  path: string,
  query: Record<string, string | number | string[]> = {},
): Promise<JsonObject[]> {
  const { status, data } = await mock.call('GET', path, { token, query });
  expect(status).toBe(200);
  return Array.isArray(data) ? data.filter(isObject) : [];
}

async function get(path: string): Promise<unknown> {
  const { status, data } = await mock.call('GET', path, { token });
  expect(status).toBe(200);
  return data;
}

test.each([
  ['/v1/accounts', 'account_id'],
  ['/v1/domains', 'domain_id'],
  ['/v1/suppressions', 'suppression_id'],
  ['/v1/messages', 'message_id'],
  ['/v1/users', 'user_id'],
  [`/v1/accounts/${ORDERS}/webhooks`, 'webhook_id'],
])('every item of %s can be retrieved by its id, and is the same', async (path, id) => {
  const items = await listOf(path);
  expect(items.length).toBeGreaterThanOrEqual(3);
  for (const item of items) expect(await get(`${path}/${item[id]}`)).toEqual(item);
});

test('every list of the contract has an example of three items or more', () => {
  const operations = documentedOperations(JSON.parse(readBundle()));
  const short = [...operations].filter(([, { answers }]) => {
    const longest =
      answers[0]?.examples.map(({ value }) => valueAt(value, 'data')).filter(Array.isArray) ?? [];
    const isList = answers[0]?.examples.some(({ value }) => valueAt(value, 'meta', 'total') !== undefined);
    return isList && longest.every((items) => items.length < 3);
  });
  expect(short.map(([id]) => id)).toEqual([]);
});

test('what names an account or a domain names one that is listed, as it is called there', async () => {
  const names = new Map<unknown, unknown>();
  for (const account of await listOf('/v1/accounts')) names.set(account.account_id, account.name);
  for (const domain of await listOf('/v1/domains')) names.set(domain.domain_id, domain.name);
  for (const path of ['/v1/messages', '/v1/suppressions']) {
    for (const item of await listOf(path)) {
      expect(item.account_name).toBe(names.get(item.account_id));
      if ('domain_id' in item) expect(item.domain_name).toBe(names.get(item.domain_id));
    }
  }
});

test("the events of each listed message are that message's", async () => {
  for (const message of await listOf('/v1/messages')) {
    const events = await listOf(`/v1/messages/${message.message_id}/events`);
    const at = (type: string) => events.find((event) => event.type === type)?.received_at ?? null;
    expect(at('new')).toBe(message.created_at);
    expect([at('open'), at('click')]).toEqual([message.opened_at, message.clicked_at]);
    expect([at('unsubscribe'), at('spam_complaint')]).toEqual([
      message.unsubscribed_at,
      message.spam_complaint_at,
    ]);
    expect(events[0]?.received_at).toBe(message.updated_at);
    if (message.delivery_status !== 'new') expect(at(String(message.delivery_status))).not.toBeNull();
  }
});

test('the export has the messages of the list', async () => {
  const { text } = await mock.call('GET', '/v1/messages/export', { token });
  const [, ...rows] = text.trimEnd().split('\r\n');
  const messages = await listOf('/v1/messages');
  expect(rows.map((row) => row.split(',').slice(0, 5))).toEqual(
    messages.map((one) => [one.message_id, one.custom_id, one.recipient_email, one.from_email, one.subject]),
  );
});

test('statistics by account and by domain list every one, add up, and are of the period that was asked for', async () => {
  for (const [path, id] of [
    ['accounts', 'account_id'],
    ['domains', 'domain_id'],
  ] as const) {
    const query = { period_from: '2026-02-01', period_to: '2026-02-10T12:00:00+02:00', [`all_${path}`]: 1 };
    const { data } = await mock.call('GET', '/v1/stats', { token, query });
    expect(data).toMatchObject({
      period_from: '2026-02-01T00:00:00.000000+00:00',
      period_to: '2026-02-10T10:00:00.000000+00:00',
    });
    const breakdown = valueAt(data, 'breakdown');
    const rows = Array.isArray(breakdown) ? breakdown.filter(isObject) : [];
    expect(rows.map((row) => row[id])).toEqual((await listOf(`/v1/${path}`)).map((one) => one[id]));
    const summary = valueAt(data, 'stats_summary');
    for (const [counter, total] of Object.entries(isObject(summary) ? summary : {})) {
      expect(rows.reduce((sum, row) => sum + Number(row[counter]), 0)).toBe(total);
    }
  }
});

test('pages are pages of the list', async () => {
  const all = await listOf('/v1/messages');
  const { data, meta } = await mock.call('GET', '/v1/messages', { token, query: { limit: 2, offset: 1 } });
  expect(data).toEqual(all.slice(1, 3));
  expect(meta).toMatchObject({ limit: 2, offset: 1, total: all.length });
  expect((await mock.call('GET', '/v1/messages', { token, query: { offset: 1000 } })).data).toEqual([]);
});

test.each([
  ['/v1/messages', { 'account_ids[]': [NEWSLETTER] }, { account_id: NEWSLETTER }],
  ['/v1/messages', { recipient_email: 'ADA@customer.test' }, { custom_id: 'order-10042' }],
  ['/v1/messages', { message_custom_id: 'order-10043' }, { custom_id: 'order-10043' }],
  ['/v1/messages', { subject: 'news' }, { subject: 'News in March' }],
  ['/v1/accounts', { type: 'marketing' }, { type: 'marketing' }],
  ['/v1/accounts', { name: 'LETTER' }, { name: 'Shop newsletter' }],
  ['/v1/suppressions', { 'types[]': ['manual'] }, { type: 'manual' }],
])('%s is filtered by %j', async (path, query, expected) => {
  const items = await listOf(path, query);
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject(expected);
});

test('an id that no example knows is answered under that id', async () => {
  expect(await get(`/v1/accounts/${UNKNOWN}`)).toMatchObject({ account_id: UNKNOWN, status: 'active' });
  const keys = await listOf(`/v1/accounts/${UNKNOWN}/api_keys`);
  expect(keys.map((key) => key.account_id)).toEqual([UNKNOWN, UNKNOWN, UNKNOWN]);
});

test('a creation repeats what the request says, and what follows from it', async () => {
  const body = { name: 'mail.example', accounts: [NEWSLETTER, UNKNOWN] };
  const { status, data } = await mock.call('POST', '/v1/domains', { token, body });
  expect(status).toBe(201);
  expect(data).toMatchObject({
    name: 'mail.example',
    accounts: [{ account_id: NEWSLETTER, name: 'Shop newsletter' }, { account_id: UNKNOWN }],
    dkim_selector_1: 'cs1._domainkey.mail.example',
    dkim_verified_at: null,
  });
  const suppression = { account_id: NEWSLETTER, recipient_email: 'zoe@customer.test' };
  expect((await mock.call('POST', '/v1/suppressions', { token, body: suppression })).data).toMatchObject({
    ...suppression,
    account_name: 'Shop newsletter',
    type: 'manual',
  });
});

test('a change is one of the thing that it names', async () => {
  const body = { name: 'Letters', status: 'disabled' };
  const { data } = await mock.call('PATCH', `/v1/accounts/${NEWSLETTER}`, { token, body });
  expect(data).toEqual({ account_id: NEWSLETTER, name: 'Letters', status: 'disabled', type: 'marketing' });
});

test('a change leaves what it does not name', async () => {
  const paths = ['/v1/users', `/v1/accounts/${ORDERS}/webhooks`];
  for (const path of paths) {
    for (const item of await listOf(path)) {
      const [id = ''] = Object.values(item);
      const { data } = await mock.call('PATCH', `${path}/${id}`, { token, body: {} });
      const { updated_at: _updated, ...same } = item;
      expect(data).toMatchObject(same);
    }
  }
});

test('what a request names twice comes back once', async () => {
  const path = `/v1/accounts/${ORDERS}/webhooks`;
  const body = { url: 'https://shop.demo.test/hooks', events: ['message.open', 'message.open'] };
  const { data } = await mock.call('POST', path, { token, body });
  expect(valueAt(data, 'events')).toEqual(['message.open']);
  const domain = { name: 'mail.example', accounts: [ORDERS, ORDERS] };
  const created = await mock.call('POST', '/v1/domains', { token, body: domain });
  expect(valueAt(created.data, 'accounts')).toHaveLength(1);
});

test('a webhook that is disabled says so in its history, too', async () => {
  const path = `/v1/accounts/${ORDERS}/webhooks/b7d2e48c-05f9-4c3a-8e16-92a4d07c5f31`;
  const { data } = await mock.call('PATCH', path, { token, body: { status: 'disabled' } });
  expect(data).toMatchObject({
    url: 'https://shop.demo.test/hooks/mail',
    status: 'disabled',
    status_changes: [{ status: 'disabled', reason: 'requested' }, { status: 'enabled' }],
  });
});

test.each(webhookEvents())('a test of %s sends one', async (event) => {
  const path = `/v1/accounts/${ORDERS}/webhooks/b7d2e48c-05f9-4c3a-8e16-92a4d07c5f31/test`;
  const { data } = await mock.call('POST', path, { token, body: { event } });
  expect(data).toMatchObject({ event, payload: { event, custom_id: 'test' } });
});

test('what a request says that the contract would not let an answer say does not come back', async () => {
  const body = { name: 'UPPER.Example', accounts: [] };
  const { status } = await mock.call('POST', '/v1/domains', { token, body });
  expect(status).toBe(201);
});

test('each message of a batch is answered by itself, under an id that the log shows or a new one', async () => {
  const good = {
    from: { email: 'hello@demo.test' },
    to: [{ email: 'ada@customer.test' }],
    subject: 'Hello',
    body: { text: 'Hello' },
  };
  const body = [
    good,
    { ...good, to: [{ email: 'nobody' }], custom_id: 'bad' },
    ...Array.from({ length: 10 }, () => good),
  ];
  const { status, data } = await mock.call('POST', '/v1/send_email', { basic: BASIC, body });
  expect(status).toBe(207);
  const items = Array.isArray(data) ? data.filter(isObject) : [];
  expect(items.map((item) => item.status)).toEqual(
    body.map((_one, index) => (index === 1 ? 'rejected' : 'accepted')),
  );
  expect(items[1]).toMatchObject({
    custom_id: 'bad',
    code: 'VALIDATION_ERROR',
    errors: [{ field: 'to[0].email', value: 'nobody', errors: [{ code: 'INVALID_EMAIL' }] }],
  });
  const ids = items.filter((item) => item.status === 'accepted').map((item) => item.message_id);
  expect(new Set(ids).size).toBe(11);
  expect(await get(`/v1/messages/${ids[0]}`)).toMatchObject({ custom_id: 'order-10042' });
});

test.each(['mixed', 'EMAIL_SUPPRESSED', 'CUSTOM_ID_NOT_UNIQUE'])(
  'a rejection is there on request: %s',
  async (name) => {
    const message = {
      from: { email: 'hello@demo.test' },
      to: [{ email: 'ada@customer.test' }],
      subject: 'Hello',
      body: { text: 'Hello' },
      custom_id: 'mine',
    };
    for (const size of [1, 3]) {
      const body = Array.from({ length: size }, () => message);
      const answer = await mock.call('POST', '/v1/send_email', {
        basic: BASIC,
        body,
        headers: { Prefer: `example=${name}` },
      });
      expect(answer.status).toBe(207);
      expect(answer.data).toHaveLength(size);
      expect(valueAt(answer.data, 0, 'custom_id')).toBe('mine');
    }
  },
);
