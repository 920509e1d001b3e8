import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WEBHOOK_EVENTS } from '../domain/webhooks.ts';
import { eventually } from '../testing.ts';
import { type Query, WebhookOnTrial } from './webhook-testing.ts';

const DAY_SECONDS = 86_400;

let hook: WebhookOnTrial;

beforeAll(async () => {
  hook = await WebhookOnTrial.start();
});
afterAll(() => hook.close());
beforeEach(() => hook.renew());

describe('a test', () => {
  test.each(WEBHOOK_EVENTS)(
    'of %s is a whole notification of it, about nothing that has happened',
    async (event) => {
      const made = await hook.test(event);
      expect(made).toMatchObject({
        ...hook.path(),
        event,
        message_id: null,
        is_test: true,
        status: 'pending',
        next_attempt_at: made.created_at,
        attempts: [],
        payload: {
          account_id: hook.tenant.account.account_id,
          custom_id: 'test',
          event,
          from_email: expect.stringMatching(/@example\.com$/),
          recipient_email: expect.stringMatching(/@example\.com$/),
          received_at: made.created_at,
        },
      });
      const [arrived] = await hook.all('delivered', 1);
      expect(arrived).toMatchObject({
        notification_id: made.notification_id,
        attempts: [{ status_code: 200, url: hook.url }],
      });
      expect(hook.received()).toEqual([made.notification_id]);
    },
  );

  test('is tried once, and can be sent again', async () => {
    hook.answer(500);
    const made = await hook.test('message.open');
    const [failed] = await hook.all('failed', 1);
    expect(failed).toMatchObject({
      next_attempt_at: null,
      attempts: [{ result: 'rejected', status_code: 500 }],
    });
    hook.answer(200);
    expect((await hook.post('replay', { notification_id: made.notification_id })).data).toEqual({
      replayed: 1,
      remaining: 0,
    });
    expect((await hook.all('delivered', 1))[0]?.attempts).toHaveLength(2);
    expect(hook.received()).toEqual([made.notification_id, made.notification_id]);
  });

  test.each([
    [{}, 'REQUIRED'],
    [{ event: 'message.new' }, 'CHOICE'],
    [{ event: 7 }, 'STRING'],
  ])('of %j is refused', async (body, code) => {
    expect(await hook.post('test', body)).toMatchObject({
      status: 422,
      errors: [{ field: 'event', errors: [{ code }] }],
    });
  });
});

describe('the delivery log', () => {
  test('tells of each notification, newest first, and filters by all that is asked for', async () => {
    await hook.update({ status: 'disabled' });
    const [first = '', second = ''] = await hook.complain(2);
    await hook.pass(2 * DAY_SECONDS);
    const [third = ''] = await hook.complain();
    const complaints = { 'events[]': ['message.spam_complaint'] };
    const messages = async (query: Query) => (await hook.log(query)).map(({ message_id }) => message_id);
    await eventually(async () => (await hook.log({ 'events[]': ['message.delivery'] })).length === 3);
    expect(await messages(complaints)).toEqual([third, second, first]);
    expect(await messages({ ...complaints, message_id: second })).toEqual([second]);
    expect(await messages({ ...complaints, limit: 1, offset: 1 })).toEqual([second]);
    expect(
      (await hook.listed({ 'events[]': ['message.spam_complaint', 'message.delivery'], limit: 1 })).meta,
    ).toMatchObject({
      total: 6,
    });
    expect(await messages({ ...complaints, 'statuses[]': ['delivered', 'failed'] })).toEqual([]);
    const [entry] = await hook.log({ ...complaints, message_id: first });
    expect(entry).toMatchObject({
      ...hook.path(),
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
    expect(await hook.listed(query)).toMatchObject({ status: 422, errors: [{ field }] });
  });

  test('holds only what the webhook listens to', async () => {
    await hook.update({ events: ['message.open'] });
    await hook.complain();
    await hook.update({ events: ['message.spam_complaint'] });
    await hook.complain();
    expect(await hook.log()).toHaveLength(1);
  });
});

describe('enabling', () => {
  test('sends what waited, and gives up what waited for more than five days', async () => {
    await hook.update({ events: ['message.spam_complaint'], status: 'disabled' });
    const [old] = await hook.complain();
    await hook.pass(5 * DAY_SECONDS - 3600);
    const [young] = await hook.complain();
    await hook.pass(7200);
    expect(hook.received()).toEqual([]);
    await hook.update({ status: 'enabled' });
    expect(await hook.all('failed', 1)).toMatchObject([{ message_id: old, attempts: [] }]);
    expect(await hook.all('delivered', 1)).toMatchObject([{ message_id: young }]);
    expect((await hook.post('replay', { period_from: '2020-01-01' })).data).toEqual({
      replayed: 1,
      remaining: 0,
    });
    await hook.all('delivered', 2);
  });
});

test('deleting the account ends what waits', async () => {
  hook.answer(503);
  await hook.complain();
  await eventually(() => hook.received().length > 0);
  await hook.tenant.client.deleteAccount({ path: { account_id: hook.tenant.account.account_id } });
  const before = hook.received().length;
  hook.answer(200);
  await hook.api.advance(600);
  expect(
    await hook.api.store.notifications.take({
      limit: 10,
      rooms: [],
      roomOfOthers: 10,
      roomOfFailing: 10,
      heldUntil: hook.api.clock.now(),
    }),
  ).toEqual({ taken: [], mayBeMore: false });
  expect(hook.received()).toHaveLength(before);
});
