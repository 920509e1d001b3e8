import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OperationId, operations } from '../../generated/operations.ts';
import { type Entity, idsInContract, type Slot } from '../testing/contract-ids.ts';
import {
  type Answer,
  type CallOptions,
  eventually,
  startApi,
  type TestApi,
  type TestTenant,
} from '../testing.ts';

// Every id that a request can name, and whose it may be. The places where ids stand are read from the contract: a new one
// without a row here fails.

type Ids = Record<Entity, string>;

interface Row {
  /** The rest of a request that names this id; in a path it stands by itself. */
  request?: (id: string) => CallOptions;
  /** The operation takes away what the id names. */
  isFinal?: true;
  /** What is not there is no error: `none` of it is found, or `deleted` things still are. */
  finds?: 'none' | 'deleted';
}

const address = () => `${randomUUID()}@example.com`;
const domainName = () => `${randomUUID()}.test`;

const URL = 'https://hooks.customer.test/';

/** The two ids in the path of an operation on one webhook. */
function ofWebhook(operation: OperationId, row: Row): Record<string, Row> {
  return { [`${operation} path account_id`]: row, [`${operation} path webhook_id`]: row };
}

const ROWS: Record<string, Row> = {
  'getAccount path account_id': {},
  'updateAccount path account_id': { request: () => ({ body: { name: 'Changed' } }) },
  'deleteAccount path account_id': { isFinal: true },
  'listApiKeys path account_id': {},
  'createApiKey path account_id': { request: () => ({ body: { name: 'New' } }) },
  'revokeApiKey path account_id': { isFinal: true },
  'revokeApiKey path api_key_id': { isFinal: true },
  'listWebhooks path account_id': {},
  'createWebhook path account_id': { request: () => ({ body: { url: URL } }) },
  ...ofWebhook('getWebhook', {}),
  ...ofWebhook('updateWebhook', { request: () => ({ body: { events: ['message.open'] } }) }),
  ...ofWebhook('deleteWebhook', { isFinal: true }),
  ...ofWebhook('rotateWebhookSecret', { request: () => ({ body: { overlap_seconds: 0 } }) }),
  ...ofWebhook('testWebhook', { request: () => ({ body: { event: 'message.open' } }) }),
  ...ofWebhook('listWebhookDeliveries', {}),
  'listWebhookDeliveries query message_id': {
    request: (message_id) => ({ query: { message_id } }),
    finds: 'none',
  },
  'listWebhookDeliveries query notification_id': {
    request: (notification_id) => ({ query: { notification_id } }),
    finds: 'none',
  },
  ...ofWebhook('replayWebhook', { request: () => ({ body: { period_from: '2020-01-01' } }) }),
  'replayWebhook body notification_id': { request: (notification_id) => ({ body: { notification_id } }) },
  'createDomain body accounts': { request: (id) => ({ body: { name: domainName(), accounts: [id] } }) },
  'getDomain path domain_id': {},
  'updateDomain path domain_id': { request: () => ({ body: { accounts: [] } }) },
  'updateDomain body accounts': { request: (id) => ({ body: { accounts: [id] } }) },
  'deleteDomain path domain_id': { isFinal: true },
  'rotateDomainDkim path domain_id': {},
  'verifyDomainDkim path domain_id': {},
  'verifyDomainReturnPath path domain_id': {},
  'createSuppression body account_id': {
    request: (account_id) => ({ body: { account_id, recipient_email: address() } }),
  },
  'getSuppression path suppression_id': {},
  'deleteSuppression path suppression_id': { isFinal: true },
  'listSuppressions query account_ids[]': { request: (id) => ({ query: { 'account_ids[]': [id] } }) },
  'listSuppressions query message_id': {
    request: (message_id) => ({ query: { message_id } }),
    finds: 'none',
  },
  'listMessages query account_ids[]': { request: (id) => ({ query: { 'account_ids[]': [id] } }) },
  'listMessages query domain_ids[]': {
    request: (id) => ({ query: { 'domain_ids[]': [id] } }),
    finds: 'deleted',
  },
  'listMessages query message_id': { request: (message_id) => ({ query: { message_id } }), finds: 'none' },
  'exportMessages query account_ids[]': { request: (id) => ({ query: { 'account_ids[]': [id] } }) },
  'exportMessages query domain_ids[]': {
    request: (id) => ({ query: { 'domain_ids[]': [id] } }),
    finds: 'deleted',
  },
  'exportMessages query message_id': { request: (message_id) => ({ query: { message_id } }), finds: 'none' },
  'getMessage path message_id': {},
  'listMessageEvents path message_id': {},
  'getUser path user_id': {},
  'updateUser path user_id': { request: () => ({ body: { name: 'Changed' } }) },
  'deleteUser path user_id': { isFinal: true },
};

const MALFORMED = [
  'x',
  ' ',
  '\0',
  "' or 1=1 --",
  '6f1c0a528d3e4b7f9a215c0e7d94b8f3',
  '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f30',
];

let api: TestApi;
let mine: TestTenant;
let own: Ids;
let foreign: Ids;
let deleted: Ids;
let theirs: TestTenant;
let theirsBefore: string;

beforeAll(async () => {
  api = await startApi();
  [mine, theirs] = await Promise.all([api.createTenant('mine.test'), api.createTenant('theirs.test')]);
  [own, foreign, deleted] = await Promise.all([makeAll(mine), makeAll(theirs), makeAll(mine)]);
  await deleteAll(mine, deleted);
  // All that is queued has been delivered: from here on nothing changes by itself.
  await eventually(async () => Object.values(await api.queue.depth()).every((count) => count === 0));
  theirsBefore = await snapshot(theirs);
});
afterAll(() => api.close());

/** One of each, new. */
async function makeAll(tenant: TestTenant): Promise<Ids> {
  const { account_id: account, api_key, api_key_id } = await api.createAccount(tenant, 'Made');
  const name = domainName();
  const domain = await api.createDomain(tenant, name, [{ account_id: account }]);
  const body = [
    { from: { email: `a@${name}` }, to: [{ email: address() }], subject: 'Hi', body: { text: 'Hi' } },
  ];
  const sent = await api.call('POST', '/v1/send_email', { basic: { account_id: account, api_key }, body });
  const [{ message_id: message }] = sent.data as [{ message_id: string }];
  const { data: suppression } = await tenant.client.createSuppression({
    body: { account_id: account, recipient_email: address() },
  });
  const { data: user } = await tenant.client.createUser({
    body: { email: address(), name: 'Uma', role: 'viewer', password: 'a long password' },
  });
  const path = { account_id: account };
  const { data: webhook } = await tenant.client.createWebhook({ path, body: { url: URL } });
  const { data: notification } = await tenant.client.testWebhook({
    path: { ...path, webhook_id: webhook.webhook_id },
    body: { event: 'message.open' },
  });
  return {
    account,
    webhook: webhook.webhook_id,
    notification: notification.notification_id,
    domain: domain.domain_id,
    suppression: suppression.suppression_id,
    message,
    user: user.user_id,
    api_key: api_key_id,
  };
}

/** A message is deleted with its account. */
async function deleteAll({ client }: TestTenant, ids: Ids): Promise<void> {
  await client.revokeApiKey({ path: { account_id: ids.account, api_key_id: ids.api_key } });
  await client.deleteSuppression({ path: { suppression_id: ids.suppression } });
  await client.deleteUser({ path: { user_id: ids.user } });
  await client.deleteWebhook({ path: { account_id: ids.account, webhook_id: ids.webhook } });
  await client.deleteDomain({ path: { domain_id: ids.domain } });
  await client.deleteAccount({ path: { account_id: ids.account } });
}

/** All that an organisation can read about itself. */
async function snapshot(tenant: TestTenant): Promise<string> {
  const paths = [
    'accounts',
    'domains',
    'suppressions',
    'messages',
    'users',
    `accounts/${foreign.account}/api_keys`,
    `accounts/${foreign.account}/webhooks`,
  ];
  const answers = await Promise.all(paths.map((path) => tenant.call('GET', `/v1/${path}`)));
  return JSON.stringify(answers.map(({ status, data }) => ({ status, data })));
}

/** Calls the operation of a slot with `id` in it, and `others` in the rest of the path. */
function callWith({ name, operation, place, parameter }: Slot, id: string, others: Ids): Promise<Answer> {
  const { method, path } = operations[operation];
  const filled = path.replaceAll(/\{(\w+)_id\}/g, (_match, entity: Entity) =>
    encodeURIComponent(place === 'path' && parameter === `${entity}_id` ? id : others[entity]),
  );
  return mine.call(method.toUpperCase(), filled, ROWS[name]?.request?.(id));
}

const slots = idsInContract();
const isList = ({ parameter }: Slot) => parameter.endsWith('[]') || parameter === 'accounts';
const notFound = ({ entity }: Slot) => ({ status: 409, code: `${entity.toUpperCase()}_NOT_FOUND` });
const success = ({ operation }: Slot) => ({ status: operations[operation].successStatuses[0] });

test('every id of the contract has a row, and every row is one of the contract', () => {
  expect(slots.map(({ name }) => name).toSorted()).toEqual(Object.keys(ROWS).toSorted());
});

describe.each(slots)('$name', (slot) => {
  const { isFinal, finds } = ROWS[slot.name] ?? {};

  test('takes an id of its own organisation', async () => {
    const ids = isFinal ? await makeAll(mine) : own;
    expect(await callWith(slot, ids[slot.entity], ids)).toMatchObject(success(slot));
  });

  test('misses what never was', async () => {
    const answer = await callWith(slot, randomUUID(), own);
    expect(answer).toMatchObject(finds === 'none' ? success(slot) : notFound(slot));
  });

  test('misses what has been deleted', async () => {
    const answer = await callWith(slot, deleted[slot.entity], own);
    expect(answer).toMatchObject(finds === undefined ? notFound(slot) : success(slot));
  });

  test('refuses what is another organisation’s', async () => {
    const answer = await callWith(slot, foreign[slot.entity], own);
    expect(answer).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
    expect(answer.text).not.toContain('theirs.test');
  });

  test.each(MALFORMED)('does not take %j for an id', async (malformed) => {
    const answer = await callWith(slot, malformed, own);
    expect(answer).toMatchObject({ status: 422, code: 'VALIDATION_ERROR' });
    const [{ field }] = answer.errors as [{ field: string }];
    expect(field).toBe(slot.parameter.replace('[]', '') + (isList(slot) ? '[0]' : ''));
  });
});

describe('of several ids', () => {
  test('a foreign one in the path or a filter is answered before a missing one', async () => {
    const denied = { status: 403, code: 'ACCESS_DENIED' };
    const missing = randomUUID();
    const filters: CallOptions['query'][] = [
      { 'account_ids[]': [missing, foreign.account] },
      { 'account_ids[]': [own.account, foreign.account] },
      { 'account_ids[]': [missing], message_id: foreign.message },
    ];
    for (const query of filters) {
      for (const path of ['/v1/suppressions', '/v1/messages', '/v1/messages/export']) {
        expect(await mine.call('GET', path, { query })).toMatchObject(denied);
      }
    }
    const domains = { 'account_ids[]': [missing], 'domain_ids[]': [own.domain, foreign.domain] };
    expect(await mine.call('GET', '/v1/messages', { query: domains })).toMatchObject(denied);
    const key = `/v1/accounts/${missing}/api_keys/${foreign.api_key}`;
    expect(await mine.call('DELETE', key)).toMatchObject(denied);
    const accounts = [missing, foreign.account];
    const created = await mine.call('POST', '/v1/domains', { body: { name: domainName(), accounts } });
    expect(created).toMatchObject(denied);
  });

  test('a missing one in the path is answered before a foreign one in the body', async () => {
    const body = { accounts: [foreign.account] };
    const answer = await mine.call('PATCH', `/v1/domains/${randomUUID()}`, { body });
    expect(answer).toMatchObject({ status: 409, code: 'DOMAIN_NOT_FOUND' });
  });
});

/** Operations that show what there is without being told an id, and what of one's own has to be in the answer: an empty one proves nothing. */
const SHOWN: Partial<Record<OperationId, Entity[]>> = {
  listAccounts: ['account'],
  listDomains: ['domain', 'account'],
  listSuppressions: ['suppression', 'account'],
  listMessages: ['message', 'account', 'domain'],
  exportMessages: ['message', 'account', 'domain'],
  getStats: ['account'],
  listUsers: ['user'],
};

test('every operation that lists something is known to', () => {
  const ids = Object.keys(operations) as OperationId[];
  const lists = ids.filter((id) => operations[id].method === 'get' && !operations[id].path.includes('{'));
  expect(Object.keys(SHOWN).toSorted()).toEqual(lists.toSorted());
});

test.each(Object.entries(SHOWN))('%s shows nothing of another organisation', async (id, shown) => {
  const { path } = operations[id as OperationId];
  const query = { period_from: '2000-01-01', period_to: '2100-01-01', limit: 1000, all_accounts: 1 };
  const answer = await mine.call('GET', path, { query });
  expect(answer.status).toBe(200);
  for (const entity of shown) expect(answer.text).toContain(own[entity]);
  for (const foreignId of Object.values(foreign)) expect(answer.text).not.toContain(foreignId);
  expect(answer.text).not.toContain('theirs.test');
});

test('statistics by domain show nothing of another organisation either', async () => {
  const query = { period_from: '2000-01-01', period_to: '2100-01-01', all_domains: 1 };
  const answer = await mine.call('GET', '/v1/stats', { query });
  expect(answer.text).toContain(own.domain);
  expect(answer.text).not.toContain(foreign.domain);
  expect(answer.text).not.toContain('theirs.test');
});

test('after all that, the other organisation is as it was', async () => {
  expect(await snapshot(theirs)).toBe(theirsBefore);
});
