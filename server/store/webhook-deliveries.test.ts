import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { account, hook, MINUTE, opened, openNotifications, webhooks } from './system/notification-testing.ts';

openNotifications();

const MOST = 10_000;

/** Writes delivered notifications straight into the log: sending so many would take minutes. */
async function delivered(webhookId: string, count: number): Promise<void> {
  const now = opened().clock.now();
  await sql`
    insert into webhook_deliveries (
      webhook_id, organisation_id, notification_id, event, message_id, payload, status, attempts_made, created_at
    )
    select webhook_id, organisation_id, gen_random_uuid(), 'message.open', gen_random_uuid(), '{}', 'delivered', 1, ${now}
    from webhooks, generate_series(1, ${count}::int) where webhook_id = ${webhookId}`.execute(
    opened().database.db,
  );
}

/** What was replayed arrives. */
async function arrive(): Promise<void> {
  await sql`update webhook_deliveries set status = 'delivered', attempts_made = 1 where status = 'pending'`.execute(
    opened().database.db,
  );
}

/** Calls until nothing remains; everything arrives at once. Returns how much each call has replayed. */
async function replayAll(webhookId: string): Promise<number[]> {
  const now = opened().clock.now();
  const period = { from: '2020-01-01T00:00:00.000000+00:00', to: now };
  const counts: number[] = [];
  for (let isOver = false; !isOver && counts.length < 9; ) {
    const selection = { period, statuses: ['delivered'] as const };
    const { replayed, remaining } = await webhooks().replay(account(), webhookId, selection);
    counts.push(replayed);
    isOver = remaining === 0;
    await arrive();
  }
  return counts;
}

test('a replay of more than a call takes ends, and so does another one within the hour', async () => {
  const webhookId = await hook(['message.open']);
  await delivered(webhookId, MOST + 5);
  expect(await replayAll(webhookId)).toEqual([MOST, 5]);
  // Nobody asks for all of it again within minutes; whoever does gets what a call takes.
  expect(await replayAll(webhookId)).toEqual([MOST]);
  opened().clock.advance(10 * MINUTE);
  expect(await replayAll(webhookId)).toEqual([MOST, 5]);
  opened().clock.advance(61 * MINUTE);
  expect(await replayAll(webhookId)).toEqual([MOST, 5]);
});
