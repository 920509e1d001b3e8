import fc from 'fast-check';
import type { OperationId } from '../../../generated/operations.ts';
import type { Tester } from '../../suite/tester.ts';
import { differences } from '../support/compare.ts';
import type { Made } from '../support/made.ts';
import { type CreatedWebhook, createWebhook, pathOf } from '../support/webhooks.ts';
import { leftOver, type Stage, type Staging, withId } from './stage.ts';

/** Webhooks, of accounts in which nothing happens: no request is sent but those that are asked for. */
export const webhookStages = {
  listWebhooks: ownWebhooks,
  createWebhook: async (t, made) => {
    const { account_id } = await made.account();
    const path = { account_id };
    const created: string[] = [];
    return {
      own: { path: { account_id: fc.constant(account_id) } },
      adopt: withId('data.webhook_id', (id) => created.push(id)),
      residue: async () => {
        const { data } = await t.ok('listWebhooks', 200, { path });
        return leftOver(
          'webhooks',
          data.filter(({ webhook_id: id }) => !created.includes(id)),
        );
      },
    };
  },
  getWebhook: async (t, made) => (await ownWebhook(t, made)).stage,
  updateWebhook: async (t, made) => (await ownWebhook(t, made)).stage,
  deleteWebhook: async (t, made) => {
    const { stage, webhook } = await ownWebhook(t, made);
    return {
      ...stage,
      fresh: async () => ({ path: pathOf(await createWebhook(t, webhook.account_id)) }),
    };
  },
  listWebhookDeliveries: async (t, made) => (await ownWebhook(t, made)).stage,
  replayWebhook: async (t, made) => {
    const { stage, webhook } = await ownWebhook(t, made);
    const body = { event: 'message.delivery' as const };
    const { data } = await t.ok('testWebhook', 200, { path: pathOf(webhook), body });
    const known = fc.option(fc.constant(data.notification_id), { nil: null });
    return { own: { ...stage.own, body: { notification_id: known } } };
  },
  rotateWebhookSecret: async (t, made) => (await ownWebhook(t, made)).stage,
  testWebhook: async (t, made) => {
    const { stage, webhook } = await ownWebhook(t, made);
    return {
      ...stage,
      residue: async () => {
        const { data } = await t.ok('listWebhookDeliveries', 200, { path: pathOf(webhook) });
        return leftOver('notifications', data);
      },
    };
  },
} as const satisfies Partial<Record<OperationId, Staging>>;

async function ownWebhooks(t: Tester, made: Made): Promise<Stage> {
  const { account_id } = await made.account();
  await createWebhook(t, account_id);
  return { own: { path: { account_id: fc.constant(account_id) } } };
}

async function ownWebhook(t: Tester, made: Made): Promise<{ stage: Stage; webhook: CreatedWebhook }> {
  const { account_id } = await made.account();
  const webhook = await createWebhook(t, account_id);
  const { secret: _shownOnce, ...shown } = webhook;
  const path = pathOf(webhook);
  const stage = {
    own: { path: { account_id: fc.constant(account_id), webhook_id: fc.constant(path.webhook_id) } },
    residue: async () => {
      const changes = differences((await t.ok('getWebhook', 200, { path })).data, shown);
      return changes === '' ? undefined : changes;
    },
  };
  return { stage, webhook };
}
