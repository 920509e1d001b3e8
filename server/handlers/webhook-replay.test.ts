import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../testing.ts';
import { WebhookOnTrial } from './webhook-testing.ts';

let hook: WebhookOnTrial;

beforeAll(async () => {
  hook = await WebhookOnTrial.start();
});
afterAll(() => hook.close());
beforeEach(() => hook.renew());

describe('a replay', () => {
  test('takes the failed ones of the period unless told otherwise', async () => {
    await hook.update({ events: ['message.spam_complaint'] });
    await hook.complain(2);
    await hook.all('delivered', 2);
    const period_from = '2020-01-01';
    expect((await hook.post('replay', { period_from })).data).toEqual({ replayed: 0, remaining: 0 });
    const later = { period_from: '2099-01-01', period_to: '2098-01-01', statuses: ['delivered'] };
    expect((await hook.post('replay', later)).data).toEqual({ replayed: 0, remaining: 0 });
    expect((await hook.post('replay', { period_from, statuses: ['delivered'] })).data).toEqual({
      replayed: 2,
      remaining: 0,
    });
    await eventually(() => hook.received().length === 4);
    expect(new Set(hook.received()).size).toBe(2);
    await hook.all('delivered', 2);
    // Those were replayed a moment ago, and nothing else matches: they are meant.
    expect((await hook.post('replay', { period_from, statuses: ['delivered'] })).data).toMatchObject({
      replayed: 2,
    });
  });

  test('leaves to the next call what was replayed a while ago, until nothing else is left', async () => {
    await hook.update({ events: ['message.spam_complaint'] });
    await hook.complain(2);
    const [one] = await hook.all('delivered', 2);
    await hook.post('replay', { notification_id: one?.notification_id });
    await hook.all('delivered', 2);
    const body = { period_from: '2020-01-01', statuses: ['delivered'] };
    expect((await hook.post('replay', body)).data).toEqual({ replayed: 1, remaining: 0 });
  });

  test('sends what waits for its next attempt now, and not what is on its way already', async () => {
    await hook.update({ events: ['message.spam_complaint'] });
    hook.answer(503);
    await hook.complain();
    const [waiting] = await eventually(async () => {
      const found = await hook.log();
      return found[0]?.attempts.length === 1 ? found : undefined;
    });
    expect(waiting?.status).toBe('pending');
    hook.answer(200);
    const body = { period_from: '2020-01-01', statuses: ['pending'] };
    expect((await hook.post('replay', body)).data).toEqual({ replayed: 1, remaining: 0 });
    await hook.all('delivered', 1);
    expect((await hook.post('replay', body)).data).toEqual({ replayed: 0, remaining: 0 });
  });

  test('of a disabled webhook is refused, and of what the webhook never had', async () => {
    const unknown = await hook.post('replay', { notification_id: randomUUID() });
    expect(unknown).toMatchObject({ status: 409, code: 'NOTIFICATION_NOT_FOUND' });
    await hook.update({ status: 'disabled' });
    const made = await hook.test('message.open');
    for (const body of [{ notification_id: made.notification_id }, { period_from: '2020-01-01' }]) {
      expect(await hook.post('replay', body)).toMatchObject({ status: 409, code: 'WEBHOOK_DISABLED' });
    }
    await hook.create();
    const foreign = await hook.post('replay', { notification_id: made.notification_id });
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
    expect(await hook.post('replay', body)).toMatchObject({
      status: 422,
      errors: [{ field, errors: [{ code }] }],
    });
  });
});
