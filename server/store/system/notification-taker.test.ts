import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { plusMilliseconds } from '../../domain/time.ts';
import type { DueNotification } from '../webhook-rows.ts';
import {
  account,
  HOOK_URL,
  happen,
  hook,
  look,
  MINUTE,
  message,
  opened,
  openNotifications,
  outcomeOf,
  record,
  release,
  replay,
  take,
  webhooks,
} from './notification-testing.ts';

openNotifications();

const events = (taken: DueNotification[]) => taken.map(({ event }) => event);

describe('taking', () => {
  test('holds what it took, until then', async () => {
    await hook();
    await happen(await message(), 'delivery');
    const [due] = await take();
    expect(due).toMatchObject({ event: 'message.delivery', isTest: false, attemptsMade: 0, url: HOOK_URL });
    expect(due?.secrets).toEqual([expect.stringMatching(/^whsec_/)]);
    expect(await take()).toEqual([]);
    opened().clock.advance(MINUTE);
    expect(await take()).toHaveLength(1);
  });

  test('gives the events of a message one by one, in their order, and those of others meanwhile', async () => {
    const webhook = await hook();
    const [one, other] = [await message(), await message()];
    await happen(one, 'delivery', 'spam_complaint');
    await happen(other, 'spam_complaint');
    const first = await take();
    expect(events(first).toSorted()).toEqual(['message.delivery', 'message.spam_complaint']);
    expect(await take()).toEqual([]);
    const [delivery] = first.filter(({ event }) => event === 'message.delivery');
    if (delivery === undefined) throw new Error('nothing was taken');
    await record(outcomeOf(delivery, 'pending'));
    const second = await take();
    expect(second.map(({ event, webhookId }) => [event, webhookId])).toEqual([
      ['message.spam_complaint', webhook],
    ]);
  });

  test('gives what was given back at once', async () => {
    await hook();
    await happen(await message(), 'delivery');
    await release(await take());
    expect(await take()).toHaveLength(1);
  });

  test('gives what is replayed while it is held at once, when it is given back', async () => {
    const webhook = await hook();
    await happen(await message(), 'delivery');
    for (const due of await take()) await record(outcomeOf(due, 'pending'));
    opened().clock.advance(5 * MINUTE);
    const held = await take();
    await replay(webhook, held[0]?.notificationId ?? '');
    await release(held);
    expect(await take()).toMatchObject([{ attemptsMade: 0 }]);
  });

  test('gives nothing sooner because somebody gives back what is not his any more', async () => {
    await hook();
    await happen(await message(), 'delivery');
    const first = await take();
    opened().clock.advance(MINUTE);
    const second = await take();
    await release(first);
    expect(await take()).toEqual([]);
    await record(...second.map((due) => outcomeOf(due, 'pending')));
    await release(second);
    expect(await take()).toEqual([]);
  });

  test('tries again when it is time, beside what is new', async () => {
    await hook();
    await happen(await message(), 'delivery');
    for (const due of await take()) await record(outcomeOf(due, 'pending'));
    expect(await take()).toEqual([]);
    await happen(await message(), 'delivery');
    opened().clock.advance(5 * MINUTE);
    expect((await take()).map(({ attemptsMade }) => attemptsMade).toSorted()).toEqual([0, 1]);
  });

  test('passes over webhooks that are disabled, paused or deleted, but for tests of the first two', async () => {
    const [disabled, paused, deleted] = [await hook(), await hook(), await hook()];
    await happen(await message(), 'delivery');
    const due = await take({ rooms: { [disabled]: 0, [deleted]: 0 } });
    const pausedUntil = plusMilliseconds(opened().clock.now(), 10 * MINUTE);
    for (const one of due)
      await record(outcomeOf(one, 'pending', { pausedUntil, nextAttemptAt: opened().clock.now() }));
    await webhooks().update(account(), disabled, { status: 'disabled' });
    for (const webhook of [disabled, paused, deleted])
      await webhooks().test(account(), webhook, 'message.open');
    await webhooks().delete(account(), deleted);
    const tests = await take();
    expect(tests.map(({ webhookId, isTest }) => [webhookId, isTest])).toEqual(
      [
        [disabled, true],
        [paused, true],
      ].toSorted(),
    );
    expect(await opened().store.notifications.depth()).toEqual({ ready: 0, waiting: 0, held: 4 });
    opened().clock.advance(10 * MINUTE);
    expect((await take()).filter(({ isTest }) => !isTest).map(({ webhookId }) => webhookId)).toEqual([
      paused,
    ]);
  });

  test('gives each webhook as much as it has room for', async () => {
    const [small, none, other] = [await hook(), await hook(), await hook()];
    for (let count = 0; count < 4; count++) await happen(await message(), 'delivery');
    const taken = await take({ rooms: { [small]: 1, [none]: 0 }, others: 3 });
    const counts = new Map(
      [small, none, other].map((id) => [id, taken.filter((due) => due.webhookId === id).length]),
    );
    expect([...counts.values()]).toEqual([1, 0, 3]);
  });

  test('gives less of a webhook that has failed, unless there is said to be more room', async () => {
    const webhook = await hook();
    for (let count = 0; count < 3; count++) await happen(await message(), 'delivery');
    for (const due of await take({ others: 1 })) await record(outcomeOf(due, 'pending'));
    const first = await take({ failing: 1 });
    expect(first).toHaveLength(1);
    await release(first);
    expect(await take({ failing: 1, rooms: { [webhook]: 2 } })).toHaveLength(2);
  });

  test('gives all webhooks their turn, however much waits for the others', async () => {
    const all = [await hook(), await hook(), await hook(), await hook()];
    for (let count = 0; count < 5; count++) await happen(await message(), 'delivery');
    const turns = new Set<string>();
    for (let look = 0; look < 4; look++) {
      for (const due of await take({ limit: 3, others: 3 })) {
        turns.add(due.webhookId);
        await release([due]);
      }
    }
    expect(turns).toEqual(new Set(all));
  });

  test('goes around in stretches where many webhooks wait, and comes to those that are named in each', async () => {
    const ids = await manyWaiting(2_500);
    const [first, last] = [ids[0] ?? '', ids.at(-1) ?? ''];
    await makeDue([first, last]);
    const found = [await look(), await look(), await look()];
    expect(found.map(({ taken, mayBeMore }) => [taken.map(({ webhookId }) => webhookId), mayBeMore])).toEqual(
      [
        [[first], true],
        [[], true],
        [[last], false],
      ],
    );
    await makeDue([first, last]);
    expect((await take({ rooms: { [last]: 1 } })).map(({ webhookId }) => webhookId)).toEqual([first, last]);
  });

  test('signs with every secret that is valid, the newest first', async () => {
    const webhook = await hook();
    const { secret } = await webhooks().rotateSecret(account(), webhook, 3600);
    await happen(await message(), 'delivery');
    const [both] = await take();
    expect(both?.secrets).toEqual([secret, expect.stringMatching(/^whsec_/)]);
    opened().clock.advance(3600_000);
    const [one] = await take();
    expect(one?.secrets).toEqual([secret]);
  });
});

/** So many webhooks, each with a notification that is to be tried again in an hour; their ids in order. */
async function manyWaiting(count: number): Promise<string[]> {
  const template = await hook();
  const later = plusMilliseconds(opened().clock.now(), 60 * MINUTE);
  const { rows } = await sql<{ webhook_id: string }>`
    with made as (
      insert into webhooks (
        webhook_id, organisation_id, account_id, url, events, status, secrets, status_changes, created_at, updated_at
      )
      select gen_random_uuid(), organisation_id, account_id, url, events, status, secrets, status_changes, created_at, updated_at
      from webhooks, generate_series(1, ${count}::int) where webhook_id = ${template}
      returning webhook_id, organisation_id
    )
    insert into webhook_deliveries (
      webhook_id, organisation_id, notification_id, event, message_id, payload, attempts_made, created_at, next_attempt_at
    )
    select webhook_id, organisation_id, gen_random_uuid(), 'message.open', gen_random_uuid(), '{}', 1, ${later}, ${later} from made
    returning webhook_id`.execute(opened().database.db);
  return rows.map(({ webhook_id }) => webhook_id).toSorted();
}

async function makeDue(webhookIds: readonly string[]): Promise<void> {
  await sql`
    update webhook_deliveries set next_attempt_at = ${opened().clock.now()} where webhook_id = any(${[...webhookIds]}::uuid[])`.execute(
    opened().database.db,
  );
}
