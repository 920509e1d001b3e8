import type { OperationContract } from '../server/contract/contract.ts';
import { breakdownOf } from '../server/handlers/statistics.ts';
import { requireCallable } from '../server/handlers/webhooks.ts';
import { isObject, valueAt } from './json.ts';

const PUBLIC_ONLY = false;

/**
 * Refuses what the service refuses for what the request alone says, beyond its shape; the parts are the service's own. Where the operator of a
 * service decides, as a service does whose operator has decided nothing. Throws VALIDATION_ERROR.
 */
export function checkRules(
  { id }: OperationContract,
  { query, body }: { query: unknown; body: unknown },
): void {
  if (id === 'getStats' && isObject(query)) breakdownOf(query);
  const url = valueAt(body, 'url');
  if ((id === 'createWebhook' || id === 'updateWebhook') && typeof url === 'string') {
    requireCallable(url, PUBLIC_ONLY);
  }
}
