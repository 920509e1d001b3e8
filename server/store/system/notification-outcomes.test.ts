import { describe, expect, test } from 'vitest';
import type { DueNotification } from '../webhook-rows.ts';
import {
  account,
  happen,
  hook,
  log,
  MINUTE,
  message,
  opened,
  openNotifications,
  outcomeOf,
  record,
  replay,
  take,
  webhooks,
} from './notification-testing.ts';

openNotifications();

describe('recording', () => {
  async function one(): Promise<{ webhook: string; due: DueNotification }> {
    const webhook = await hook();
    await happen(await message(), 'delivery');
    const [due] = await take();
    if (due === undefined) throw new Error('nothing was taken');
    return { webhook, due };
  }

  test('keeps the attempts, newest first, the last twenty', async () => {
    const { webhook, due } = await one();
    for (let attempt = 0; attempt < 22; attempt++) {
      const outcome = outcomeOf(due, 'failed');
      await record({ ...outcome, attempt: { ...outcome.attempt, response: String(attempt) } });
    }
    const [entry] = await log(webhook);
    expect(entry?.attempts.map(({ response }) => response)).toEqual(
      Array.from({ length: 20 }, (_, index) => String(21 - index)),
    );
  });

  test('takes from a hostile answer what the database cannot keep', async () => {
    const { webhook, due } = await one();
    const outcome = outcomeOf(due, 'failed');
    await record({ ...outcome, attempt: { ...outcome.attempt, response: 'a\0b\ud800' } });
    expect((await log(webhook))[0]?.attempts[0]?.response).toBe('ab\ufffd');
  });

  test('leaves what has ended as it is: a late failure is only kept in the log', async () => {
    const { webhook, due } = await one();
    await record(outcomeOf(due, 'delivered'));
    await record(outcomeOf(due, 'pending'));
    expect(await log(webhook)).toMatchObject([
      { status: 'delivered', next_attempt_at: null, attempts: [{}, {}] },
    ]);
  });

  test('a success that comes after the end does not undo it', async () => {
    const { webhook, due } = await one();
    await record(outcomeOf(due, 'failed'));
    await record(outcomeOf(due, 'delivered'));
    expect(await log(webhook)).toMatchObject([{ status: 'failed', attempts: [{ result: 'delivered' }, {}] }]);
  });

  test('of the same notification twice in one batch keeps both', async () => {
    const { webhook, due } = await one();
    await record(outcomeOf(due, 'pending'), outcomeOf(due, 'delivered'));
    expect(await log(webhook)).toMatchObject([
      { status: 'delivered', attempts: [{ result: 'delivered' }, { result: 'rejected' }] },
    ]);
  });

  test('a failure does no harm to a replay that came meanwhile: it goes on at once, with all attempts before it', async () => {
    const { webhook, due } = await one();
    expect(await replay(webhook, due.notificationId)).toEqual({ replayed: 1, remaining: 0 });
    expect(await take()).toEqual([]);
    await record(outcomeOf(due, 'failed'));
    expect(await log(webhook)).toMatchObject([{ status: 'pending', attempts: [{}] }]);
    expect(await take()).toMatchObject([{ attemptsMade: 0 }]);
  });

  test('a success counts for a replay that came meanwhile', async () => {
    const { webhook, due } = await one();
    await replay(webhook, due.notificationId);
    await record(outcomeOf(due, 'delivered'));
    expect(await log(webhook)).toMatchObject([{ status: 'delivered', next_attempt_at: null }]);
    expect(await take()).toEqual([]);
  });

  test('a failure has no say in what another process has taken over', async () => {
    const { webhook, due } = await one();
    opened().clock.advance(MINUTE);
    const [again] = await take();
    await record(outcomeOf(due, 'failed'));
    expect(await log(webhook)).toMatchObject([{ status: 'pending' }]);
    if (again !== undefined) await record(outcomeOf(again, 'pending'));
    opened().clock.advance(5 * MINUTE);
    expect(await take()).toMatchObject([{ attemptsMade: 1 }]);
  });

  test('what was deleted meanwhile is no fault', async () => {
    const { webhook, due } = await one();
    await webhooks().delete(account(), webhook);
    await opened().store.maintenance.purgeNotifications(opened().clock.now(), 100);
    await record(outcomeOf(due, 'delivered'));
  });
});
