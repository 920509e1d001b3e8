import type { components } from '../../../generated/types.ts';
import type { Tester } from '../../suite/tester.ts';

type Schemas = components['schemas'];
export type Webhook = Schemas['Webhook'];
export type CreatedWebhook = Schemas['CreatedWebhook'];
export type WebhookEvent = Schemas['WebhookEvent'];

/** An address that a server may take, and that nothing is behind. */
export function deafUrl(t: Tester): string {
  return `https://${t.unique('hooks')}.conformance.test/events`;
}

/** Creates a webhook, by default at an address that nothing is behind. When that fails, `requirement` is broken; without one, another check judges that. */
export async function createWebhook(
  t: Tester,
  account_id: string,
  change: Partial<Schemas['WebhookCreate']> = {},
  requirement?: string,
): Promise<CreatedWebhook> {
  const call = { path: { account_id }, body: { url: deafUrl(t), ...change } };
  const { data } = await t.ok('createWebhook', 201, call, requirement);
  t.hide(data.secret);
  return data;
}

/** The ids that name a webhook in a path. */
export function pathOf({ account_id, webhook_id }: Pick<Webhook, 'account_id' | 'webhook_id'>) {
  return { account_id, webhook_id };
}
