import type { OperationId } from '../../generated/operations.ts';
import type { AccountCall, Answer, Call, UserCall } from './call.ts';
import * as accounts from './handlers/accounts.ts';
import * as apiKeys from './handlers/api-keys.ts';
import * as authentication from './handlers/authentication.ts';
import * as domains from './handlers/domains.ts';
import * as messages from './handlers/messages.ts';
import { sendEmail } from './handlers/sending.ts';
import { getStats } from './handlers/statistics.ts';
import * as suppressions from './handlers/suppressions.ts';
import * as users from './handlers/users.ts';
import * as webhookLog from './handlers/webhook-log.ts';
import * as webhooks from './handlers/webhooks.ts';

/** An operation: where it is, who may ask, whether it reads a body, and what it does. */
export type Route = { method: string; path: string; hasBody: boolean } & (
  | { auth: 'none'; handle: (call: Call) => Answer }
  | { auth: 'bearer'; handle: (call: UserCall) => Answer }
  | { auth: 'basic'; handle: (call: AccountCall) => Answer }
);

const hasBody = true;
const WEBHOOK = '/v1/accounts/{account_id}/webhooks/{webhook_id}';

function open(path: string, handle: (call: Call) => Answer): Route {
  return { method: 'POST', path, hasBody, auth: 'none', handle };
}

function get(path: string, handle: (call: UserCall) => Answer): Route {
  return { method: 'GET', path, hasBody: false, auth: 'bearer', handle };
}

function remove(path: string, handle: (call: UserCall) => Answer): Route {
  return { method: 'DELETE', path, hasBody: false, auth: 'bearer', handle };
}

function command(path: string, handle: (call: UserCall) => Answer): Route {
  return { method: 'POST', path, hasBody: false, auth: 'bearer', handle };
}

function create(path: string, handle: (call: UserCall) => Answer): Route {
  return { method: 'POST', path, hasBody, auth: 'bearer', handle };
}

function change(path: string, handle: (call: UserCall) => Answer): Route {
  return { method: 'PATCH', path, hasBody, auth: 'bearer', handle };
}

/** Every operation. Fixed paths stand before those with parameters. */
export const ROUTES: Readonly<Record<OperationId, Route>> = {
  sendEmail: { method: 'POST', path: '/v1/send_email', hasBody, auth: 'basic', handle: sendEmail },
  login: open('/v1/login', authentication.login),
  logout: command('/v1/logout', authentication.logout),
  refreshToken: open('/v1/token/refresh', authentication.refreshToken),
  register: open('/v1/register', authentication.register),
  requestPasswordReset: open('/v1/password_reset', authentication.requestPasswordReset),
  confirmPasswordReset: open('/v1/password_reset/confirm', authentication.confirmPasswordReset),
  listAccounts: get('/v1/accounts', accounts.listAccounts),
  createAccount: create('/v1/accounts', accounts.createAccount),
  getAccount: get('/v1/accounts/{account_id}', accounts.getAccount),
  updateAccount: change('/v1/accounts/{account_id}', accounts.updateAccount),
  deleteAccount: remove('/v1/accounts/{account_id}', accounts.deleteAccount),
  listApiKeys: get('/v1/accounts/{account_id}/api_keys', apiKeys.listApiKeys),
  createApiKey: create('/v1/accounts/{account_id}/api_keys', apiKeys.createApiKey),
  revokeApiKey: remove('/v1/accounts/{account_id}/api_keys/{api_key_id}', apiKeys.revokeApiKey),
  listWebhooks: get('/v1/accounts/{account_id}/webhooks', webhooks.listWebhooks),
  createWebhook: create('/v1/accounts/{account_id}/webhooks', webhooks.createWebhook),
  getWebhook: get(WEBHOOK, webhooks.getWebhook),
  updateWebhook: change(WEBHOOK, webhooks.updateWebhook),
  deleteWebhook: remove(WEBHOOK, webhooks.deleteWebhook),
  listWebhookDeliveries: get(`${WEBHOOK}/deliveries`, webhookLog.listWebhookDeliveries),
  replayWebhook: create(`${WEBHOOK}/replay`, webhookLog.replayWebhook),
  rotateWebhookSecret: create(`${WEBHOOK}/rotate_secret`, webhooks.rotateWebhookSecret),
  testWebhook: create(`${WEBHOOK}/test`, webhooks.testWebhook),
  listDomains: get('/v1/domains', domains.listDomains),
  createDomain: create('/v1/domains', domains.createDomain),
  getDomain: get('/v1/domains/{domain_id}', domains.getDomain),
  updateDomain: change('/v1/domains/{domain_id}', domains.updateDomain),
  deleteDomain: remove('/v1/domains/{domain_id}', domains.deleteDomain),
  verifyDomainDkim: command('/v1/domains/{domain_id}/verify_dkim', domains.verifyDomainDkim),
  rotateDomainDkim: command('/v1/domains/{domain_id}/rotate_dkim', domains.rotateDomainDkim),
  verifyDomainReturnPath: command(
    '/v1/domains/{domain_id}/verify_return_path',
    domains.verifyDomainReturnPath,
  ),
  listSuppressions: get('/v1/suppressions', suppressions.listSuppressions),
  createSuppression: create('/v1/suppressions', suppressions.createSuppression),
  getSuppression: get('/v1/suppressions/{suppression_id}', suppressions.getSuppression),
  deleteSuppression: remove('/v1/suppressions/{suppression_id}', suppressions.deleteSuppression),
  listMessages: get('/v1/messages', messages.listMessages),
  exportMessages: get('/v1/messages/export', messages.exportMessages),
  getMessage: get('/v1/messages/{message_id}', messages.getMessage),
  listMessageEvents: get('/v1/messages/{message_id}/events', messages.listMessageEvents),
  getStats: get('/v1/stats', getStats),
  listUsers: get('/v1/users', users.listUsers),
  createUser: create('/v1/users', users.createUser),
  getUser: get('/v1/users/{user_id}', users.getUser),
  updateUser: change('/v1/users/{user_id}', users.updateUser),
  deleteUser: remove('/v1/users/{user_id}', users.deleteUser),
};

/** What a request means. */
export interface Match {
  operationId: OperationId;
  route: Route;
  path: Record<string, string>;
}

const IDS = Object.keys(ROUTES).filter((id): id is OperationId => id in ROUTES);

/** The operation of a method and a path without prefix and query; undefined when there is none. */
export function match(method: string, pathname: string): Match | undefined {
  for (const operationId of IDS) {
    const route = ROUTES[operationId];
    const path = route.method === method ? parametersIn(route.path, pathname) : undefined;
    if (path !== undefined) return { operationId, route, path };
  }
  return undefined;
}

function parametersIn(template: string, pathname: string): Record<string, string> | undefined {
  const wanted = template.split('/');
  const given = pathname.split('/');
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? '';
    if (segment.startsWith('{') && value !== '') parameters[segment.slice(1, -1)] = decoded(value);
    else if (segment !== value) return undefined;
  }
  return parameters;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
