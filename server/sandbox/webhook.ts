import { ApiError } from '../domain/errors.ts';
import { faultOfWebhookUrl } from '../domain/webhook-url.ts';
import { WEBHOOK_EVENTS } from '../domain/webhooks.ts';
import { OperationsError } from '../operations/listener.ts';
import type { SystemStore } from '../store/store.ts';
import type { WebhookStore } from '../store/webhook-store.ts';

/** Where the events of an account go from now on. */
export interface SetWebhook {
  accountId: string;
  url: string;
}

/** A webhook, and what its requests are signed with. */
export interface SetWebhookResult {
  webhook_id: string;
  secret: string;
}

export interface SandboxWebhookParts {
  store: Pick<SystemStore, 'forOrganisation' | 'operator' | 'settings'>;
  /** Whether webhooks may lead to private addresses. */
  allowPrivate: boolean;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const LONGEST_URL = 2048;

/**
 * Sends all events of an account to a URL, for test suites that do not know the operations for it: each account has one webhook of
 * this kind, which a further call moves, with a new secret.
 * Throws OperationsError for an account that does not exist and for a URL that may not be called.
 */
export function createSandboxWebhook({
  store,
  allowPrivate,
}: SandboxWebhookParts): (request: SetWebhook) => Promise<SetWebhookResult> {
  let last: Promise<unknown> = Promise.resolve();

  async function set({ accountId, url }: SetWebhook): Promise<SetWebhookResult> {
    const organisationId = await store.operator.organisationOf(accountId);
    if (organisationId === undefined) throw new OperationsError(409, `There is no account ${accountId}.`);
    const { webhooks } = store.forOrganisation(organisationId);
    const key = `sandbox.webhook.${accountId.toLowerCase()}`;
    const known = await store.settings.get(key);
    const moved = typeof known === 'string' ? await move(webhooks, accountId, known, url) : undefined;
    if (moved !== undefined) return moved;
    const { webhook_id, secret } = await webhooks.create(accountId, { url, events: [...WEBHOOK_EVENTS] });
    await store.settings.set(key, webhook_id);
    return { webhook_id, secret };
  }

  return (request) => {
    checkRequest(request, allowPrivate);
    // One after the other, so that two calls for an account do not make two webhooks.
    const result = last.then(() => set(request)).catch(asOperationsError);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Undefined when somebody has deleted it. */
async function move(
  webhooks: WebhookStore,
  accountId: string,
  webhookId: string,
  url: string,
): Promise<SetWebhookResult | undefined> {
  try {
    await webhooks.update(accountId, webhookId, { url, events: [...WEBHOOK_EVENTS], status: 'enabled' });
    const { secret } = await webhooks.rotateSecret(accountId, webhookId, 0);
    return { webhook_id: webhookId, secret };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'WEBHOOK_NOT_FOUND') return undefined;
    throw error;
  }
}

function checkRequest({ accountId, url }: SetWebhook, allowPrivate: boolean): void {
  if (!UUID.test(accountId)) throw new OperationsError(422, 'The account_id is not a UUID.');
  if (url.length > LONGEST_URL)
    throw new OperationsError(422, `The url has more than ${LONGEST_URL} characters.`);
  const fault = faultOfWebhookUrl(url, allowPrivate);
  if (fault !== undefined) throw new OperationsError(422, `The url ${fault.description}.`);
}

function asOperationsError(error: unknown): never {
  if (error instanceof ApiError) throw new OperationsError(error.status, `${error.message}.`);
  throw error;
}
