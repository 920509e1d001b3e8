import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { MILLISECONDS_PER_DAY, plusMilliseconds } from '../../domain/time.ts';
import { PATIENCE_MS } from '../../domain/webhook-schedule.ts';
import { createTenant } from '../testing.ts';
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
  take,
  tenantOf,
  webhooks,
} from './notification-testing.ts';

openNotifications();

describe('clearing away', () => {
  const purge = (before = plusMilliseconds(opened().clock.now(), -60 * MILLISECONDS_PER_DAY)) =>
    opened().store.maintenance.purgeNotifications(before, 2);
  const rows = async () => {
    const { rows: found } = await sql<{ webhooks: number; deliveries: number }>`
      select (select count(*) from webhooks) as webhooks, (select count(*) from webhook_deliveries) as deliveries`.execute(
      opened().database.db,
    );
    return found[0];
  };

  test('old notifications go in steps once they have ended; what waits stays', async () => {
    const webhook = await hook();
    for (let count = 0; count < 4; count++) await happen(await message(), 'delivery');
    const [waiting, ...ended] = await take();
    await record(...ended.map((due, index) => outcomeOf(due, index === 0 ? 'failed' : 'delivered')));
    expect(await purge()).toBe(0);
    opened().clock.advance(61 * MILLISECONDS_PER_DAY);
    expect([await purge(), await purge(), await purge()]).toEqual([2, 1, 0]);
    expect((await log(webhook)).map(({ notification_id }) => notification_id)).toEqual([
      waiting?.notificationId,
    ]);
  });

  test('what waited for a disabled webhook for five days is given up, and not what waits for others', async () => {
    const [disabled, enabled] = [await hook(), await hook()];
    await webhooks().update(account(), disabled, { status: 'disabled' });
    for (let count = 0; count < 3; count++) await happen(await message(), 'delivery');
    opened().clock.advance(PATIENCE_MS - 1000);
    expect(await opened().store.maintenance.giveUpNotifications(2)).toBe(0);
    opened().clock.advance(2000);
    const steps = [2, 2, 2].map((limit) => () => opened().store.maintenance.giveUpNotifications(limit));
    const given = [];
    for (const step of steps) given.push(await step());
    expect(given).toEqual([2, 1, 0]);
    expect((await log(disabled)).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
    expect((await log(enabled)).map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
  });

  test('those of a deleted webhook go at once, the webhook itself an hour later', async () => {
    const webhook = await hook();
    for (let count = 0; count < 3; count++) await happen(await message(), 'delivery');
    await webhooks().delete(account(), webhook);
    expect([await purge(), await purge(), await purge()]).toEqual([2, 1, 0]);
    expect(await rows()).toEqual({ webhooks: 1, deliveries: 0 });
    opened().clock.advance(61 * MINUTE);
    expect(await purge()).toBe(1);
    expect(await rows()).toEqual({ webhooks: 0, deliveries: 0 });
  });

  test('a deleted account takes its webhooks with it, and holds up no other account', async () => {
    await hook();
    const other = await createTenant(opened().store, `o${randomUUIDv7()}.test`);
    await happen(await message(), 'delivery');
    await tenantOf().store.accounts.delete(account());
    expect(await take()).toEqual([]);
    await other.store.accounts.delete(other.account.account_id);
    const accounts = async () => {
      while ((await opened().store.maintenance.purgeDeletedAccounts(10)) > 0);
      while ((await purge()) > 0);
      const { rows: left } = await sql<{ account_id: string }>`
        select account_id from accounts where deleted_at is not null`.execute(opened().database.db);
      return left.map(({ account_id }) => account_id);
    };
    expect(await accounts()).toEqual([account()]);
    opened().clock.advance(61 * MINUTE);
    await accounts();
    expect(await accounts()).toEqual([]);
  });
});
