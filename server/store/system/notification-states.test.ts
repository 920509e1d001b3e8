import { describe, expect, test } from 'vitest';
import { plusMilliseconds } from '../../domain/time.ts';
import { PATIENCE_MS } from '../../domain/webhook-schedule.ts';
import type { DueNotification } from '../webhook-rows.ts';
import {
  account,
  goneOf,
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
  webhooks,
} from './notification-testing.ts';

openNotifications();

describe('the state of a webhook', () => {
  const read = (webhook: string) => webhooks().get(account(), webhook);
  async function taken(count = 1): Promise<{ webhook: string; dues: DueNotification[] }> {
    const webhook = await hook();
    for (let made = 0; made < count; made++) await happen(await message(), 'delivery');
    return { webhook, dues: await take() };
  }
  /** A test of the webhook, as a dispatcher has taken it. */
  async function testOf(webhook: string): Promise<DueNotification> {
    await webhooks().test(account(), webhook, 'message.open');
    const [due] = await take();
    if (due === undefined) throw new Error('no test was taken');
    return due;
  }

  /** Lets these fail, and once more when the patience with it has ended. */
  async function failForLong(webhook: string, dues: DueNotification[]): Promise<void> {
    await record(...dues.map((due) => outcomeOf(due, 'pending')));
    expect((await read(webhook)).status).toBe('enabled');
    opened().clock.advance(PATIENCE_MS);
    await record(...(await take()).map((due) => outcomeOf(due, 'pending')));
  }

  test('fails since the first failure after which nothing succeeded; tests do not count as failures', async () => {
    const { webhook, dues } = await taken(3);
    const [first, second, third] = dues.map((due) => outcomeOf(due, 'pending'));
    await record(outcomeOf(await testOf(webhook), 'failed'));
    expect((await read(webhook)).failing_since).toBeNull();
    if (!first || !second || !third) throw new Error('too few');
    await record(first, second);
    expect((await read(webhook)).failing_since).toBe(first.attempt.attempted_at);
    await record({ ...third, status: 'delivered', attempt: { ...third.attempt, result: 'delivered' } });
    expect((await read(webhook)).failing_since).toBeNull();
  });

  test('is disabled once, with the reason on record', async () => {
    const { webhook, dues } = await taken(2);
    await failForLong(webhook, dues);
    const after = await read(webhook);
    expect(after).toMatchObject({
      status: 'disabled',
      status_changes: [{ reason: 'failing' }, { reason: 'created' }],
    });
    expect(after.updated_at).toBe(after.status_changes[0]?.changed_at);
  });

  test('is not disabled by a failure that was on its way when something arrived, or when somebody enabled it', async () => {
    const { webhook, dues } = await taken(3);
    await record(...dues.map((due) => outcomeOf(due, 'pending')));
    opened().clock.advance(PATIENCE_MS);
    const [first, second, third] = await take();
    if (!first || !second || !third) throw new Error('too few');
    await record(outcomeOf(first, 'delivered'));
    await record(outcomeOf(second, 'pending'));
    expect((await read(webhook)).status).toBe('enabled');
    const late = outcomeOf(third, 'pending');
    opened().clock.advance(PATIENCE_MS);
    await webhooks().update(account(), webhook, { status: 'disabled' });
    await webhooks().update(account(), webhook, { status: 'enabled' });
    await record(late);
    expect((await read(webhook)).status).toBe('enabled');
  });

  test('does not follow from an answer of its former URL', async () => {
    const { webhook, dues } = await taken();
    await webhooks().update(account(), webhook, { url: 'https://new.customer.test/' });
    for (const due of dues)
      await record({
        ...goneOf(due, 'pending'),
        pausedUntil: plusMilliseconds(opened().clock.now(), MINUTE),
      });
    expect(await read(webhook)).toMatchObject({ status: 'enabled', failing_since: null });
    await happen(await message(), 'delivery');
    expect(await take()).toHaveLength(1);
  });

  test.each(['gone', 'failing'] as const)(
    'that the service disabled as %s is enabled by a test that arrives, and what waited too long is given up',
    async (reason) => {
      const { webhook, dues } = await taken();
      if (reason === 'failing') await failForLong(webhook, dues);
      else await record(...dues.map((due) => goneOf(due, 'pending')));
      expect((await read(webhook)).status_changes[0]).toMatchObject({ reason });
      opened().clock.advance(PATIENCE_MS);
      await happen(await message(), 'delivery');
      const due = await testOf(webhook);
      await record(outcomeOf(due, 'delivered'));
      expect(await read(webhook)).toMatchObject({
        status: 'enabled',
        status_changes: [{ reason: 'recovered' }, {}, {}],
      });
      expect((await log(webhook)).map(({ status, is_test }) => [status, is_test])).toEqual([
        ['delivered', true],
        ['pending', false],
        ['failed', false],
      ]);
      expect(await take()).toHaveLength(1);
    },
  );

  test('that the service disabled is not enabled by what was on its way already', async () => {
    const { webhook, dues } = await taken(2);
    const [first, second] = dues;
    if (first === undefined || second === undefined) throw new Error('too few');
    await record(goneOf(first, 'pending'));
    await record(outcomeOf(second, 'delivered'));
    expect((await read(webhook)).status).toBe('disabled');
  });

  test('that somebody disabled stays so, whatever arrives; so does one whose test fails', async () => {
    const { webhook } = await taken();
    await webhooks().update(account(), webhook, { status: 'disabled' });
    await record(outcomeOf(await testOf(webhook), 'delivered'));
    expect((await read(webhook)).status).toBe('disabled');
    await webhooks().update(account(), webhook, { status: 'enabled' });
    await record(goneOf(await testOf(webhook), 'failed'));
    await record(outcomeOf(await testOf(webhook), 'failed'));
    expect((await read(webhook)).status_changes[0]).toMatchObject({ status: 'disabled', reason: 'gone' });
  });
});
