import type { Handlers } from '../contract/handlers.ts';
import type { Clock } from '../domain/time.ts';
import type { AuthenticationStore } from '../store/store.ts';
import { accountHandlers } from './accounts.ts';
import { apiKeyHandlers } from './api-keys.ts';
import { authenticationHandlers, type SendPasswordReset } from './authentication.ts';
import { type DomainVerification, domainHandlers } from './domains.ts';
import { messageHandlers } from './messages.ts';
import { type Sending, sendingHandlers } from './sending.ts';
import { statisticsHandlers } from './statistics.ts';
import { suppressionHandlers } from './suppressions.ts';
import { userHandlers } from './users.ts';
import { type WebhookRules, webhookHandlers } from './webhooks.ts';

/** What the handlers need beyond the caller's own store. */
export interface HandlerDependencies extends DomainVerification, Sending, WebhookRules {
  authentication: AuthenticationStore;
  clock: Clock;
  sendPasswordReset: SendPasswordReset;
}

/** One function for every operation of the contract; a missing one does not compile. */
export function createHandlers(dependencies: HandlerDependencies): Handlers {
  return {
    ...sendingHandlers(dependencies),
    ...authenticationHandlers(dependencies),
    ...accountHandlers(),
    ...apiKeyHandlers(),
    ...domainHandlers(dependencies),
    ...suppressionHandlers(dependencies),
    ...messageHandlers(dependencies),
    ...statisticsHandlers(dependencies),
    ...userHandlers(),
    ...webhookHandlers(dependencies),
  };
}
