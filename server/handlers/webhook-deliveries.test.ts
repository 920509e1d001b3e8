import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { components } from '../../generated/types.ts';
import { WEBHOOK_EVENTS } from '../domain/webhooks.ts';
import { closeWebServer, listen } from '../http/listen.ts';
import { eventually, startApi, type TestApi, type TestTenant } from '../testing.ts';

type Delivery = components['schemas']['WebhookDelivery'];
type Webhook = components['schemas']['Webhook'];
type Query = Record<string, string | number | string[]>;

const DAY_SECONDS = 86_400;

let api: TestApi;
let tenant: TestTenant;
let webhook: Webhook;
let origin: string;
/** Of each test its own. */
let url: string;
/** What the receiver answers next, and the ids of what it got there. */
let answer = 200;
const received: string[] = [];

const receiver = createServer((request, response) => {
  if (url.endsWith(String(request.url))) received.push(String(request.headers['webhook-id']));
  request.resume();
  response.writeHead(answer).end();
});

beforeAll(async () => {
  const port = await listen(
    receiver,
    { host: '127.0.0.1', port: 0 },
    { what: 'the receiver', portSetting: 'PORT' },
  );
  origin = `http://127.0.0.1:${port}`;
  api = await startApi();
  tenant = await api.createTenant();
});
afterAll(async () => {
  await api.close();
  await closeWebServer(receiver, 0);
});
beforeEach(async () => {
  answer = 200;
  received.length = 0;
  url = `${origin}/${randomUUID()}`;
  const { account_id } = tenant.account;
  // What the mails of the test before have to tell is told.
  await eventually(async () => Object.values(await api.queue.depth()).every((count) => count === 0));
  const { data: former } = await tenant.client.listWebhooks({ path: { account_id } });
  for (const { webhook_id } of former)
    await tenant.client.deleteWebhook({ path: { account_id, webhook_id } });
  ({ data: webhook } = await tenant.client.createWebhook({ path: { account_id }, body: { url } }));
});

const path = () => ({ account_id: tenant.account.account_id, webhook_id: webhook.webhook_id });
const at = (rest: string) => `/v1/accounts/${path().account_id}/webhooks/${path().webhook_id}/${rest}`;
const set = (status: Webhook['status']) => tenant.client.updateWebhook({ path: path(), body: { status } });
const replay = (body: object) => tenant.call('POST', at('replay'), { body });
const listed = (query: Query = {}) => tenant.call('GET', at('deliveries'), { query });
const log = async (query: Query = {}) => (await listed(query)).data as Delivery[];
const all = async (status: Delivery['status'], count: number) =>
  await eventually(async () => {
    const found = await log({ 'statuses[]': [status] });
    return found.length === count ? found : undefined;
  });

/** Sessions end with the sandbox's time. */
async function pass(seconds: number): Promise<void> {
  await api.advance(seconds);
  const owner = await api.signIn(tenant.owner, tenant.account);
  tenant = { ...tenant, owner, client: owner.client, call: owner.call };
}

/** Something that happens to new messages. */
async function complain(count = 1): Promise<string[]> {
  const ids: string[] = [];
  for (let sent = 0; sent < count; sent++) {
    const from = { email: `hello@${tenant.domain.name}` };
    const to = [{ email: `${randomUUID()}@example.com` }];
    const { data } = await tenant.client.sendEmail({
      body: [{ from, to, subject: 'Hi', body: { text: 'Hi' } }],
    });
    ids.push(data[0]?.message_id ?? '');
  }
  const receivedAt = api.clock.now();
  await api.store.delivery.recordEvents(
    ids.map((messageId) => ({ eventId: randomUUIDv7(), messageId, receivedAt, type: 'spam_complaint' })),
  );
  return ids;
}

describe('a test', () => {
  test.each(WEBHOOK_EVENTS)(
    'of %s is a whole notification of it, about nothing that has happened',
    async (event) => {
      const { data } = await tenant.client.testWebhook({ path: path(), body: { event } });
      expect(data).toMatchObject({
        ...path(),
        event,
        message_id: null,
        is_test: true,
        status: 'pending',
        next_attempt_at: data.created_at,
        attempts: [],
        payload: {
          account_id: tenant.account.account_id,
          custom_id: 'test',
          event,
          from_email: expect.stringMatching(/@example\.com$/),
          recipient_email: expect.stringMatching(/@example\.com$/),
          received_at: data.created_at,
        },
      });
      const [arrived] = await all('delivered', 1);
      expect(arrived).toMatchObject({
        notification_id: data.notification_id,
        attempts: [{ status_code: 200, url }],
      });
      expect(received).toEqual([data.notification_id]);
    },
  );

  test('is tried once, and can be sent again', async () => {
    answer = 500;
    const { data } = await tenant.client.testWebhook({ path: path(), body: { event: 'message.open' } });
    const [failed] = await all('failed', 1);
    expect(failed).toMatchObject({
      next_attempt_at: null,
      attempts: [{ result: 'rejected', status_code: 500 }],
    });
    answer = 200;
    expect((await replay({ notification_id: data.notification_id })).data).toEqual({
      replayed: 1,
      remaining: 0,
    });
    expect((await all('delivered', 1))[0]?.attempts).toHaveLength(2);
    expect(received).toEqual([data.notification_id, data.notification_id]);
  });

  test.each([
    [{}, 'REQUIRED'],
    [{ event: 'message.new' }, 'CHOICE'],
    [{ event: 7 }, 'STRING'],
  ])('of %j is refused', async (body, code) => {
    expect(await tenant.call('POST', at('test'), { body })).toMatchObject({
      status: 422,
      errors: [{ field: 'event', errors: [{ code }] }],
    });
  });
});

describe('the delivery log', () => {
  test('tells of each notification, newest first, and filters by all that is asked for', async () => {
    await set('disabled');
    const [first = '', second = ''] = await complain(2);
    await pass(2 * DAY_SECONDS);
    const [third = ''] = await complain();
    const complaints = { 'events[]': ['message.spam_complaint'] };
    const messages = async (query: Query) => (await log(query)).map(({ message_id }) => message_id);
    await eventually(async () => (await log({ 'events[]': ['message.delivery'] })).length === 3);
    expect(await messages(complaints)).toEqual([third, second, first]);
    expect(await messages({ ...complaints, message_id: second })).toEqual([second]);
    expect(await messages({ ...complaints, limit: 1, offset: 1 })).toEqual([second]);
    expect(
      (await listed({ 'events[]': ['message.spam_complaint', 'message.delivery'], limit: 1 })).meta,
    ).toMatchObject({
      total: 6,
    });
    expect(await messages({ ...complaints, 'statuses[]': ['delivered', 'failed'] })).toEqual([]);
    const [entry] = await log({ ...complaints, message_id: first });
    expect(entry).toMatchObject({
      ...path(),
      is_test: false,
      status: 'pending',
      next_attempt_at: null,
      attempts: [],
    });
    expect(entry?.payload).toMatchObject({ message_id: first, event: 'message.spam_complaint' });
    const made = entry?.created_at ?? '';
    expect(await messages({ ...complaints, period_from: made, period_to: made })).toEqual([second, first]);
    expect(await messages({ ...complaints, period_to: '2020-01-01', period_from: made })).toEqual([
      second,
      first,
    ]);
    const one = { notification_id: entry?.notification_id ?? '' };
    expect(await messages(one)).toEqual([first]);
    expect(await messages({ ...one, 'events[]': ['message.open'] })).toEqual([]);
    expect(await messages({ notification_id: randomUUID() })).toEqual([]);
  });

  test.each([
    [{ 'statuses[]': ['sent'] }, 'statuses[0]'],
    [{ 'events[]': ['open'] }, 'events[0]'],
    [{ period_from: 'yesterday' }, 'period_from'],
    [{ message_id: '\0' }, 'message_id'],
    [{ limit: 1001 }, 'limit'],
  ])('with %j is refused', async (query, field) => {
    expect(await listed(query)).toMatchObject({ status: 422, errors: [{ field }] });
  });

  test('holds only what the webhook listens to', async () => {
    await tenant.client.updateWebhook({ path: path(), body: { events: ['message.open'] } });
    await complain();
    await tenant.client.updateWebhook({ path: path(), body: { events: ['message.spam_complaint'] } });
    await complain();
    expect(await log()).toHaveLength(1);
  });
});

describe('enabling', () => {
  test('sends what waited, and gives up what waited for more than five days', async () => {
    await tenant.client.updateWebhook({
      path: path(),
      body: { events: ['message.spam_complaint'], status: 'disabled' },
    });
    const [old] = await complain();
    await pass(5 * DAY_SECONDS - 3600);
    const [young] = await complain();
    await pass(7200);
    expect(received).toEqual([]);
    await set('enabled');
    expect(await all('failed', 1)).toMatchObject([{ message_id: old, attempts: [] }]);
    expect(await all('delivered', 1)).toMatchObject([{ message_id: young }]);
    expect((await replay({ period_from: '2020-01-01' })).data).toEqual({ replayed: 1, remaining: 0 });
    await all('delivered', 2);
  });
});

describe('a replay', () => {
  test('takes the failed ones of the period unless told otherwise', async () => {
    await tenant.client.updateWebhook({ path: path(), body: { events: ['message.spam_complaint'] } });
    await complain(2);
    await all('delivered', 2);
    const period_from = '2020-01-01';
    expect((await replay({ period_from })).data).toEqual({ replayed: 0, remaining: 0 });
    const later = { period_from: '2099-01-01', period_to: '2098-01-01', statuses: ['delivered'] };
    expect((await replay(later)).data).toEqual({ replayed: 0, remaining: 0 });
    expect((await replay({ period_from, statuses: ['delivered'] })).data).toEqual({
      replayed: 2,
      remaining: 0,
    });
    await eventually(() => received.length === 4);
    expect(new Set(received).size).toBe(2);
    await all('delivered', 2);
    // Those were replayed a moment ago, and nothing else matches: they are meant.
    expect((await replay({ period_from, statuses: ['delivered'] })).data).toMatchObject({ replayed: 2 });
  });

  test('leaves to the next call what was replayed a while ago, until nothing else is left', async () => {
    await tenant.client.updateWebhook({ path: path(), body: { events: ['message.spam_complaint'] } });
    await complain(2);
    const [one] = await all('delivered', 2);
    await replay({ notification_id: one?.notification_id });
    await all('delivered', 2);
    const body = { period_from: '2020-01-01', statuses: ['delivered'] };
    expect((await replay(body)).data).toEqual({ replayed: 1, remaining: 0 });
  });

  test('sends what waits for its next attempt now, and not what is on its way already', async () => {
    await tenant.client.updateWebhook({ path: path(), body: { events: ['message.spam_complaint'] } });
    answer = 503;
    await complain();
    const [waiting] = await eventually(async () => {
      const found = await log();
      return found[0]?.attempts.length === 1 ? found : undefined;
    });
    expect(waiting?.status).toBe('pending');
    answer = 200;
    const body = { period_from: '2020-01-01', statuses: ['pending'] };
    expect((await replay(body)).data).toEqual({ replayed: 1, remaining: 0 });
    await all('delivered', 1);
    expect((await replay(body)).data).toEqual({ replayed: 0, remaining: 0 });
  });

  test('of a disabled webhook is refused, and of what the webhook never had', async () => {
    const unknown = await replay({ notification_id: randomUUID() });
    expect(unknown).toMatchObject({ status: 409, code: 'NOTIFICATION_NOT_FOUND' });
    await set('disabled');
    const { data } = await tenant.client.testWebhook({ path: path(), body: { event: 'message.open' } });
    for (const body of [{ notification_id: data.notification_id }, { period_from: '2020-01-01' }]) {
      expect(await replay(body)).toMatchObject({ status: 409, code: 'WEBHOOK_DISABLED' });
    }
    const { data: other } = await tenant.client.createWebhook({
      path: { account_id: tenant.account.account_id },
      body: { url },
    });
    webhook = other;
    const foreign = await replay({ notification_id: data.notification_id });
    expect(foreign).toMatchObject({ status: 409, code: 'NOTIFICATION_NOT_FOUND' });
  });

  test.each([
    [{}, '', 'REQUIRED'],
    [{ period_to: '2026-01-01' }, '', 'REQUIRED'],
    [{ period_from: null, notification_id: null }, '', 'REQUIRED'],
    [{ notification_id: 'x' }, 'notification_id', 'UUID'],
    [{ period_from: '2026-01-01T00:00:00' }, 'period_from', 'TIMESTAMP'],
    [{ period_from: '2026-01-01', statuses: [] }, 'statuses', 'REQUIRED'],
    [{ period_from: '2026-01-01', statuses: ['sent'] }, 'statuses[0]', 'CHOICE'],
  ])('of %j is refused', async (body, field, code) => {
    expect(await replay(body)).toMatchObject({ status: 422, errors: [{ field, errors: [{ code }] }] });
  });
});

test('deleting the account ends what waits', async () => {
  answer = 503;
  await complain();
  await eventually(() => received.length > 0);
  await tenant.client.deleteAccount({ path: { account_id: tenant.account.account_id } });
  const before = received.length;
  answer = 200;
  await api.advance(600);
  expect(
    await api.store.notifications.take({
      limit: 10,
      rooms: [],
      roomOfOthers: 10,
      roomOfFailing: 10,
      heldUntil: api.clock.now(),
    }),
  ).toEqual({ taken: [], mayBeMore: false });
  expect(received).toHaveLength(before);
});
