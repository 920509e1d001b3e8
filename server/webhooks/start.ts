import type { Contract } from '../contract/contract.ts';
import type { Core } from '../core.ts';
import type { DnsResolver } from '../dns/resolver.ts';
import type { NotificationStore } from '../store/webhook-store.ts';
import { readVersion } from '../version.ts';
import { type AttemptParts, attempt } from './attempt.ts';
import { type Dispatcher, startDispatcher } from './dispatcher.ts';
import { createGuardedConnector } from './guard.ts';
import { openLine } from './http-sender.ts';
import { createNameLookup } from './name-lookup.ts';
import { createNotificationSigner } from './signature.ts';

export interface NotifyingParts {
  contract: Contract;
  resolver: DnsResolver;
  store: NotificationStore;
}

/** From the start of an attempt to the status of the answer (DECISIONS, notifications-retries). */
const ANSWER_WITHIN_MS = 15_000;
// What is kept of a body comes at once, or is not worth waiting for.
const BODY_WITHIN_MS = 2_000;

/** Starts sending the notifications of all accounts to their webhooks. */
export async function startNotifying(
  { config, clock, logger, metrics }: Core,
  { contract, resolver, store }: NotifyingParts,
): Promise<Dispatcher> {
  const connect = createGuardedConnector({
    lookup: createNameLookup(resolver, config.dnsServers.length === 0),
    allowPrivate: config.webhookAllowPrivate,
    timeoutMs: ANSWER_WITHIN_MS,
  });
  const limits = { answerMs: ANSWER_WITHIN_MS, bodyMs: BODY_WITHIN_MS };
  const parts: AttemptParts = {
    clock,
    userAgent: `sendspec/${await readVersion()}`,
    sign: createNotificationSigner(),
    faultIn: (notification) => contract.faultInNotification(notification),
  };
  return startDispatcher({
    store,
    clock,
    attempt: (due, line) => attempt(due, line, parts),
    openLine: () => openLine({ connect, limits }),
    observer: {
      attemptFinished({ attempt: { result, duration_ms, response } }, { webhookId, notificationId }) {
        metrics.webhookAttempted(result, duration_ms / 1000);
        if (result === 'invalid_payload') logger.error({ webhookId, notificationId }, response);
      },
      statusChanged(change) {
        logger.info(change, `a webhook was ${change.status}`);
        if (change.status === 'disabled') metrics.webhookDisabled(change.reason);
      },
      fault: (what, error) => logger.error({ err: error }, what),
    },
  });
}
