import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { components } from '../../generated/types.ts';
import { startApi, type TestAccount, type TestApi, type TestTenant } from '../testing.ts';

type Webhook = components['schemas']['Webhook'];
type Created = components['schemas']['CreatedWebhook'];

const EVENTS = [
  'message.delivery',
  'message.hard_bounce',
  'message.soft_bounce',
  'message.spam_complaint',
  'message.unsubscribe',
  'message.open',
  'message.click',
];
const URL = 'https://shop.customer.test/hooks';
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const missing = { status: 409, code: 'WEBHOOK_NOT_FOUND' };

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startApi();
  tenant = await api.createTenant();
});
afterAll(() => api.close());

const pathOf = ({ account_id }: { account_id: string }, ...rest: string[]) =>
  ['/v1/accounts', account_id, 'webhooks', ...rest].join('/');

async function create(account: TestAccount = tenant.account, body: object = {}): Promise<Created> {
  const { status, data } = await tenant.call('POST', pathOf(account), { body: { url: URL, ...body } });
  expect(status).toBe(201);
  return data as Created;
}

const read = async ({ account_id, webhook_id }: Webhook): Promise<Webhook> =>
  (await tenant.client.getWebhook({ path: { account_id, webhook_id } })).data;

describe('a new webhook', () => {
  test('listens to everything, shows its secret once, and is enabled', async () => {
    const { secret, ...webhook } = await create();
    expect(webhook).toMatchObject({
      account_id: tenant.account.account_id,
      url: URL,
      events: EVENTS,
      status: 'enabled',
      failing_since: null,
      status_changes: [{ changed_at: webhook.created_at, status: 'enabled', reason: 'created' }],
      updated_at: webhook.created_at,
    });
    expect(secret).toMatch(SECRET);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    const answers = await Promise.all([
      tenant.call('GET', pathOf(tenant.account, webhook.webhook_id)),
      tenant.viewer.call('GET', pathOf(tenant.account)),
      tenant.call('PATCH', pathOf(tenant.account, webhook.webhook_id), { body: {} }),
    ]);
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).not.toContain('whsec_');
    }
    expect(await read(webhook)).toEqual(webhook);
  });

  test.each([
    [
      ['message.click', 'message.open', 'message.click'],
      ['message.open', 'message.click'],
    ],
    [null, EVENTS],
  ])('told %j listens to each once, in one order', async (events, listened) => {
    expect((await create(tenant.account, { events })).events).toEqual(listened);
  });

  test.each([
    ['no URL', { url: undefined }, 'url', 'REQUIRED'],
    ['a URL that is none', { url: 'shop.customer.test' }, 'url', 'URL'],
    ['a URL of 2049 characters', { url: `${URL}/${'x'.repeat(2016)}` }, 'url', 'MAX'],
    ['another scheme', { url: 'ftp://shop.customer.test/' }, 'url', 'URL'],
    ['a scheme without a host', { url: 'mailto:ada@customer.test' }, 'url', 'URL'],
    ['a script', { url: 'javascript:alert(1)' }, 'url', 'URL'],
    ['credentials in the URL', { url: 'https://ada:secret@shop.customer.test/' }, 'url', 'URL'],
    ['no event', { events: [] }, 'events', 'REQUIRED'],
    ['an unknown event', { events: ['message.new'] }, 'events[0]', 'CHOICE'],
    ['101 events', { events: Array.from({ length: 101 }, () => 'message.open') }, 'events', 'MAX'],
  ])('with %s is refused', async (_name, body, field, code) => {
    const answer = await tenant.call('POST', pathOf(tenant.account), { body: { url: URL, ...body } });
    expect(answer).toMatchObject({
      status: 422,
      code: 'VALIDATION_ERROR',
      errors: [{ field, errors: [{ code }] }],
    });
    expect(answer.text).not.toContain('secret');
  });

  test('is one of at most 100 of an account, however many are made at once', async () => {
    const account = await api.createAccount(tenant, 'Many');
    for (let count = 0; count < 98; count++) await create(account);
    const race = await Promise.all(
      Array.from({ length: 5 }, () => tenant.call('POST', pathOf(account), { body: { url: URL } })),
    );
    expect(race.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409]);
    const refused = race.find(({ status }) => status === 409);
    expect(refused).toMatchObject({ code: 'WEBHOOK_LIMIT_REACHED' });
    const { data } = await tenant.client.listWebhooks({ path: account, query: { limit: 1, offset: 1 } });
    const { meta } = await tenant.client.listWebhooks({ path: account });
    expect(meta).toMatchObject({ total: 100, limit: 30, offset: 0 });
    const [webhook] = data;
    if (webhook === undefined) throw new Error('none is listed');
    expect((await tenant.call('DELETE', pathOf(account, webhook.webhook_id))).status).toBe(200);
    await create(account);
  });
});

describe('a change', () => {
  test('is of what is given; what is absent or null stays', async () => {
    const { secret: _secret, ...before } = await create();
    const path = { account_id: before.account_id, webhook_id: before.webhook_id };
    const change = async (body: object) => (await tenant.client.updateWebhook({ path, body })).data;
    expect(await change({ url: null, events: null, status: null, other: 1 })).toEqual(before);
    const moved = await change({ url: 'http://127.0.0.1:9/' });
    expect(moved).toEqual({ ...before, url: 'http://127.0.0.1:9/', updated_at: moved.updated_at });
    expect(moved.updated_at > before.updated_at).toBe(true);
    expect(await change({ events: ['message.click'] })).toMatchObject({
      url: moved.url,
      events: ['message.click'],
    });
  });

  test('of the status stands on record, the last 20; to the same status is none', async () => {
    const webhook = await create();
    const path = { account_id: webhook.account_id, webhook_id: webhook.webhook_id };
    const set = async (status: Webhook['status']) =>
      (await tenant.client.updateWebhook({ path, body: { status } })).data;
    expect((await set('enabled')).status_changes).toHaveLength(1);
    const disabled = await set('disabled');
    expect(disabled.status_changes[0]).toEqual({
      changed_at: disabled.updated_at,
      status: 'disabled',
      reason: 'requested',
    });
    expect(await set('disabled')).toEqual(disabled);
    for (let count = 0; count < 12; count++) {
      await set('enabled');
      await set('disabled');
    }
    expect((await read(webhook)).status_changes).toHaveLength(20);
  });

  test.each([
    [{ url: '' }, 'url', 'URL'],
    [{ url: 'https://ada@shop.customer.test/' }, 'url', 'URL'],
    [{ events: [] }, 'events', 'REQUIRED'],
    [{ events: 'message.open' }, 'events', 'ARRAY'],
    [{ status: 'paused' }, 'status', 'CHOICE'],
  ])('to %j is refused', async (body, field, code) => {
    const { webhook_id } = await create();
    expect(await tenant.call('PATCH', pathOf(tenant.account, webhook_id), { body })).toMatchObject({
      status: 422,
      errors: [{ field, errors: [{ code }] }],
    });
  });
});

describe('a rotated secret', () => {
  const rotate = (webhook: Webhook, overlap_seconds: unknown) =>
    tenant.call('POST', pathOf(webhook, webhook.webhook_id, 'rotate_secret'), { body: { overlap_seconds } });

  test('takes over while the old ones are valid for the overlap, five at most', async () => {
    const webhook = await create();
    const first = await rotate(webhook, 3600);
    expect(first).toMatchObject({ status: 200, data: { webhook_id: webhook.webhook_id } });
    const { secret, previous_secrets_expire_at: end } = first.data as Rotated;
    expect(secret).toMatch(SECRET);
    expect(secret).not.toBe(webhook.secret);
    expect(Math.abs(Date.parse(end ?? '') - Date.now() - 3600_000)).toBeLessThan(60_000);
    for (let count = 0; count < 3; count++) expect((await rotate(webhook, 604_800)).status).toBe(200);
    expect(await rotate(webhook, 60)).toMatchObject({ status: 409, code: 'SECRET_ROTATED_RECENTLY' });
    await api.advance(3601);
    const owner = await api.signIn(tenant.owner, tenant.account);
    tenant = { ...tenant, owner, client: owner.client, call: owner.call };
    const after = await rotate(webhook, 60);
    expect(after).toMatchObject({ status: 200 });
    expect(await rotate(webhook, 60)).toMatchObject({ status: 409, code: 'SECRET_ROTATED_RECENTLY' });
    expect(await rotate(webhook, 0)).toMatchObject({
      status: 200,
      data: { previous_secrets_expire_at: null },
    });
  });

  type Rotated = components['schemas']['WebhookSecret'];

  test('never makes an old one valid for longer', async () => {
    const webhook = await create();
    const { data: first } = await rotate(webhook, 60);
    const { data: second } = await rotate(webhook, 10);
    expect(Date.parse((second as Rotated).previous_secrets_expire_at ?? '')).toBeLessThan(
      Date.parse((first as Rotated).previous_secrets_expire_at ?? ''),
    );
  });

  test.each([
    [undefined, 'REQUIRED'],
    [-1, 'MIN'],
    [604_801, 'MAX'],
    [1.5, 'INTEGER'],
    ['60', 'INTEGER'],
  ])('with an overlap of %j is refused', async (overlap, code) => {
    const webhook = await create();
    expect(await rotate(webhook, overlap)).toMatchObject({
      status: 422,
      errors: [{ field: 'overlap_seconds', errors: [{ code }] }],
    });
  });
});

describe('a webhook that is gone', () => {
  test('with its deletion, which shows it a last time', async () => {
    const { secret: _secret, ...webhook } = await create();
    const path = pathOf(tenant.account, webhook.webhook_id);
    expect(await tenant.call('DELETE', path)).toMatchObject({ status: 200, data: webhook });
    for (const [method, rest, body] of USES) {
      expect(await tenant.call(method, `${path}${rest}`, { body }), rest).toMatchObject(missing);
    }
  });

  test('with its account', async () => {
    const account = await api.createAccount(tenant, 'Short');
    const { webhook_id } = await create(account);
    await tenant.client.deleteAccount({ path: account });
    const gone = { status: 409, code: 'ACCOUNT_NOT_FOUND' };
    expect(await tenant.call('GET', pathOf(account, webhook_id))).toMatchObject(gone);
    expect(await tenant.call('GET', pathOf(tenant.account, webhook_id))).toMatchObject(missing);
  });

  test('is one of another account of the organisation, and of an account that is missing the account is', async () => {
    const account = await api.createAccount(tenant, 'Other');
    const { webhook_id } = await create(account);
    for (const [method, rest, body] of USES) {
      const path = `${pathOf(tenant.account, webhook_id)}${rest}`;
      expect(await tenant.call(method, path, { body }), rest).toMatchObject(missing);
    }
    const nowhere = { account_id: randomUUID() };
    expect(await tenant.call('GET', pathOf(nowhere, randomUUID()))).toMatchObject({
      code: 'ACCOUNT_NOT_FOUND',
    });
    expect((await tenant.call('GET', pathOf(account, webhook_id))).status).toBe(200);
  });

  const USES = [
    ['GET', '', undefined],
    ['PATCH', '', { status: 'disabled' }],
    ['DELETE', '', undefined],
    ['POST', '/rotate_secret', { overlap_seconds: 0 }],
    ['POST', '/test', { event: 'message.open' }],
    ['GET', '/deliveries', undefined],
    ['POST', '/replay', { period_from: '2026-01-01' }],
    ['POST', '/replay', { notification_id: randomUUID() }],
  ] as const;
});

test('a viewer reads and does nothing else', async () => {
  const { webhook_id } = await create();
  const viewer = await api.signIn(tenant.viewer);
  const path = pathOf(tenant.account, webhook_id);
  for (const shown of [pathOf(tenant.account), path, `${path}/deliveries`]) {
    expect((await viewer.call('GET', shown)).status).toBe(200);
  }
  const denied = { status: 403, code: 'ACCESS_DENIED' };
  expect(await viewer.call('POST', pathOf(tenant.account), { body: { url: URL } })).toMatchObject(denied);
  expect(await viewer.call('PATCH', path, { body: {} })).toMatchObject(denied);
  expect(await viewer.call('DELETE', path)).toMatchObject(denied);
  for (const [rest, body] of [
    ['rotate_secret', { overlap_seconds: 0 }],
    ['test', { event: 'message.open' }],
    ['replay', { period_from: '2026-01-01' }],
  ] as const) {
    expect(await viewer.call('POST', `${path}/${rest}`, { body })).toMatchObject(denied);
  }
});
