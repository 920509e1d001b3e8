import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant, openTestStore, type TestStore } from '../store/testing.ts';
import type { WebhookStore } from '../store/webhook-store.ts';
import { withWake } from './wake.ts';

let parts: TestStore;
let accountId: string;
let webhooks: WebhookStore;
let woken = 0;

beforeAll(async () => {
  parts = await openTestStore();
  const { organisationId, account } = await createTenant(parts.store);
  accountId = account.account_id;
  webhooks = withWake(parts.store, () => {
    woken += 1;
  }).forOrganisation(organisationId).webhooks;
});
afterAll(() => parts.close());

test('what makes notifications due wakes the dispatcher once it is done; what does not, or fails, does not', async () => {
  const { webhook_id } = await webhooks.create(accountId, {
    url: 'https://shop.customer.test/',
    events: ['message.open'],
  });
  expect(woken).toBe(0);
  const { notification_id } = await webhooks.test(accountId, webhook_id, 'message.open');
  expect(woken).toBe(1);
  await webhooks.replay(accountId, webhook_id, { notificationId: notification_id });
  expect(woken).toBe(2);
  await webhooks.update(accountId, webhook_id, { status: 'disabled' });
  expect(woken).toBe(3);
  await expect(
    webhooks.replay(accountId, webhook_id, { notificationId: notification_id }),
  ).rejects.toMatchObject({ code: 'WEBHOOK_DISABLED' });
  await webhooks.listDeliveries(accountId, webhook_id, {}, { limit: 10, offset: 0 });
  expect(woken).toBe(3);
});
