import { find, foreignRefusal, isForeign, missing, pathId, type UserCall } from '../call.ts';
import type { FaultId } from '../faults.ts';
import type { Webhook } from '../state.ts';
import { accountsOf } from './accounts.ts';

/** The ids of the account and the webhook in the path. Throws a 422. */
export function idsOf(call: UserCall): [string, string] {
  return [pathId(call, 'account_id'), pathId(call, 'webhook_id')];
}

/** The webhook that the path names. Throws as for any id; one of another account of the organisation is as good as missing. */
export function webhookOf(call: UserCall, account_id: string, webhook_id: string, leak: FaultId): Webhook {
  const { world } = call;
  const webhook = world.webhooks.get(webhook_id);
  if (webhook !== undefined && isForeign(call, leak, webhook))
    throw foreignRefusal(call, 'WEBHOOK_NOT_FOUND');
  find(call, accountsOf(world, leak), account_id);
  const isOther = webhook?.account_id !== account_id && !world.has('webhook-operations.account-ignored');
  if (webhook === undefined || isOther) throw missing(call, 'WEBHOOK_NOT_FOUND');
  return webhook;
}
