import type { OperationId } from '../../generated/operations.ts';
import type { Answer } from './call.ts';
import { FAULTS, type FaultId } from './faults.ts';
import type { World } from './state.ts';
import { isObject } from './validate.ts';

// Faults of form: what is wrong with an answer that was right. They touch the operations that the fault names.

type Change = (answer: Answer) => Answer;
type Json = Record<string, unknown>;

/** The answer with the faults of form that are switched on. */
export function alter(world: World, operationId: OperationId | undefined, answer: Answer): Answer {
  if (operationId === undefined) return answer;
  return ACTIVE.reduce((altered, [fault, change]) => {
    const { operations } = FAULTS[fault];
    const isMeant = operations.length === 0 || operations.includes(operationId);
    return isMeant && world.has(fault) ? change(altered) : altered;
  }, answer);
}

function json(value: unknown): Json {
  return isObject(value) ? Object.fromEntries(Object.entries(value)) : {};
}

const isSuccess = ({ status }: Answer) => status < 400;

function status(from: number, to: number): Change {
  return (answer) => (answer.status === from ? { ...answer, status: to } : answer);
}

/** Nothing but a status. */
const noContent: Change = (answer) => (isSuccess(answer) ? { status: 204, body: undefined } : answer);

function envelope(change: (body: Json) => Json): Change {
  return (answer) =>
    isSuccess(answer) && isObject(answer.body) ? { ...answer, body: change(json(answer.body)) } : answer;
}

function data(value: unknown): Change {
  return envelope((body) => ({ ...body, data: value }));
}

/** Changes the object in `data`, or each of its entries. */
function object(change: (item: Json) => Json): Change {
  return envelope((body) => ({
    ...body,
    data: Array.isArray(body.data) ? body.data.map((item) => change(json(item))) : change(json(body.data)),
  }));
}

const without =
  (...names: string[]) =>
  (item: Json): Json =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

const withValue =
  (name: string, change: (value: unknown) => unknown) =>
  (item: Json): Json =>
    name in item ? { ...item, [name]: change(item[name]) } : item;

function meta(change: (meta: Json) => Json): Change {
  return envelope((body) => ({ ...body, meta: change(json(body.meta)) }));
}

function details(change: (details: Json) => Json): Change {
  return object(withValue('details', (value) => change(json(value))));
}

/** Changes the answers with one status. */
function at(wanted: number, change: (answer: Answer) => Answer): Change {
  return (answer) => (answer.status === wanted ? change(answer) : answer);
}

function errorBody(change: (data: Json) => Json): Change {
  return (answer) => {
    if (isSuccess(answer)) return answer;
    const body = json(answer.body);
    return { ...answer, body: { ...body, data: change(json(body.data)) } };
  };
}

const html: Change = (answer) => ({
  ...answer,
  headers: { ...answer.headers, 'content-type': 'text/html' },
  body: '<html><body><h1>Something went wrong</h1></body></html>',
});

const lower = (value: unknown) => String(value).toLowerCase();
const upper = (value: unknown) => String(value).toUpperCase();
const toNumber = () => 42;
const toNull = () => null;
const withoutOffset = (value: unknown) => String(value).replace('+00:00', '');
const seconds = (value: unknown) =>
  typeof value === 'string' ? Math.floor(Date.parse(value) / 1000) : value;
const summary = (change: (counts: Json) => Json) =>
  object(withValue('stats_summary', (counts) => change(json(counts))));

const ALTERATIONS: Partial<Record<FaultId, Change>> = {
  'http.rq-time-missing': meta(without('rq_time')),
  'http.rq-time-is-a-number': meta(withValue('rq_time', (value) => Number.parseFloat(String(value)))),
  'http.meta-missing': envelope(without('meta')),
  'http.data-renamed': envelope((body) => ({ result: body.data, meta: body.meta })),
  'http.json-called-html': (answer) =>
    isSuccess(answer)
      ? {
          ...answer,
          headers: { ...answer.headers, 'content-type': 'text/html' },
          body: JSON.stringify(answer.body),
        }
      : answer,
  'http.error-without-envelope': (answer) =>
    isSuccess(answer) ? answer : { ...answer, body: { error: 'It failed.' } },
  'http.error-is-html': at(409, html),
  'http.error-code-missing': errorBody(without('code')),
  'http.errors-missing': errorBody(without('errors')),
  'http.error-code-lower-case': errorBody(withValue('code', lower)),
  'http.field-missing-in-422': at(
    422,
    errorBody(
      withValue('errors', (errors) =>
        Array.isArray(errors) ? errors.map((one) => without('field')(json(one))) : errors,
      ),
    ),
  ),
  'http.validation-is-400': status(422, 400),
  'http.unauthorized-is-403': status(401, 403),
  'http.denied-is-404': status(403, 404),
  'http.conflict-is-422': status(409, 422),
  'http.rate-limit-is-503': status(429, 503),
  'lists.limit-not-echoed': meta(without('limit')),
  'lists.offset-not-echoed': meta(without('offset')),
  'lists.total-missing': meta(without('total')),
  'lists.meta-ignores-request': meta((values) => ({ ...values, limit: 30, offset: 0 })),
  'accounts.create-is-200': status(201, 200),
  'accounts.delete-is-204': noContent,
  'accounts.delete-answers-null': data(null),
  'accounts.update-is-201': status(200, 201),
  'accounts.status-other-word': object(
    withValue('status', (value) => (value === 'active' ? 'enabled' : value)),
  ),
  'accounts.name-missing': object(without('name')),
  'accounts.list-lacks-type': object(without('type')),
  'accounts.list-not-an-array': envelope((body) => ({ ...body, data: { items: body.data } })),
  'accounts.id-is-a-number': object(withValue('account_id', toNumber)),
  'domains.create-is-200': status(201, 200),
  'domains.delete-answers-ok': data('OK'),
  'domains.unverified-is-false': object(withValue('dkim_verified_at', (value) => value ?? false)),
  'domains.selector-missing': object(without('dkim_selector_2')),
  'domains.accounts-are-ids': object(
    withValue('accounts', (list) => (Array.isArray(list) ? list.map((one) => json(one).account_id) : list)),
  ),
  'domains.update-lacks-accounts': object(without('accounts')),
  'domains.list-cname-null': object(withValue('return_path_cname', toNull)),
  'domains.verify-dkim-answers-object': data({ verified: true }),
  'domains.verify-return-path-is-204': noContent,
  'domains.verify-failure-is-422': status(409, 422),
  'suppressions.create-is-200': status(201, 200),
  'suppressions.delete-is-204': noContent,
  'suppressions.reason-null': object(withValue('reason', (value) => (value === '' ? null : value))),
  'suppressions.account-name-missing': object(without('account_name')),
  'suppressions.type-upper-case': object(withValue('type', upper)),
  'suppressions.list-lacks-created-at': object(without('created_at')),
  'messages.created-at-without-offset': object(withValue('created_at', withoutOffset)),
  'messages.list-times-are-numbers': object((item) =>
    withValue('updated_at', seconds)(withValue('created_at', seconds)(item)),
  ),
  'messages.opened-at-missing': object((item) =>
    item.opened_at === null ? without('opened_at')(item) : item,
  ),
  'messages.custom-id-null': object(withValue('custom_id', (value) => (value === '' ? null : value))),
  'messages.status-other-word': object(
    withValue('delivery_status', (value) => (value === 'delivery' ? 'delivered' : value)),
  ),
  'events.details-missing': object(without('details')),
  'events.details-null': object(
    withValue('details', (value) => (Object.keys(json(value)).length === 0 ? null : value)),
  ),
  'events.smtp-log-id-missing': details(without('smtp_log_id')),
  'events.smtp-response-missing': details(without('smtp_response')),
  'events.user-agent-missing': details(without('user_agent')),
  'events.user-ip-missing': details(without('user_ip')),
  'events.list-id-missing': details(without('list_id')),
  'events.type-prefixed': object(withValue('type', (value) => `message.${value}`)),
  'events.received-at-without-offset': object(withValue('received_at', withoutOffset)),
  'stats.counter-missing': summary(without('unique_clicks')),
  'stats.counter-null': summary(withValue('click', toNull)),
  'stats.summary-missing': object(without('stats_summary')),
  'stats.period-missing': object(without('period_from', 'period_to')),
  'stats.breakdown-without-names': object(
    withValue('breakdown', (list) =>
      Array.isArray(list) ? list.map((one) => without('account_name', 'domain_name')(json(one))) : list,
    ),
  ),
  'login.is-201': status(200, 201),
  'login.token-type-missing': envelope(without('token_type')),
  'login.expires-in-missing': envelope(without('expires_in')),
  'login.refresh-token-missing': envelope(without('refresh_token')),
  'login.wrong-password-is-400': status(401, 400),
  'logout.is-204': noContent,
  'refresh.access-token-missing': envelope(without('access_token')),
  'registration.is-200': status(201, 200),
  'registration.user-missing': object(without('user')),
  'reset.request-is-202': status(200, 202),
  'reset.confirm-is-204': noContent,
  'reset.bad-token-is-401': status(409, 401),
  'users.create-is-200': status(201, 200),
  'users.delete-is-204': noContent,
  'users.role-missing': object(without('role')),
  'users.list-lacks-created-at': object(without('created_at')),
  'api-keys.create-is-200': status(201, 200),
  'api-keys.key-not-shown': object(without('api_key')),
  'api-keys.revoke-is-204': noContent,
  'api-keys.prefix-missing': object(without('prefix')),
  'webhook-operations.create-is-200': status(201, 200),
  'webhook-operations.secret-missing': object(without('secret')),
  'webhook-operations.delete-is-204': noContent,
  'sending.errors-null': object((item) => (item.status === 'accepted' ? { ...item, errors: null } : item)),
  'sending.rejected-without-errors': object((item) =>
    item.status === 'rejected' ? { ...item, errors: [] } : item,
  ),
  'sending.rejected-without-code': object((item) =>
    item.status === 'rejected' ? without('code')(item) : item,
  ),
  'sending.status-other-word': object(
    withValue('status', (value) => (value === 'accepted' ? 'queued' : value)),
  ),
  'sending.meta-missing': envelope(without('meta')),
  'sending.message-id-missing': object(without('message_id')),
};

const ACTIVE = Object.entries(ALTERATIONS).filter((entry): entry is [FaultId, Change] => entry[0] in FAULTS);
