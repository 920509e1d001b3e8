import { expect, test } from 'vitest';
import type { OperationId } from './document.ts';
import { judge, type WireResponse } from './judge.ts';
import { exampleResponse, withBody } from './testing.ts';

// Bodies that no server may answer with, each wrong in one point.

const account = exampleResponse('getAccount', 200);
const accounts = exampleResponse('listAccounts', 200);
const suppressions = exampleResponse('listSuppressions', 200);
const messages = exampleResponse('listMessages', 200);
const events = exampleResponse('listMessageEvents', 200);
const statistics = exampleResponse('getStats', 200, 1);
const token = exampleResponse('login', 200);
const sent = exampleResponse('sendEmail', 200);
const rejected = exampleResponse('sendEmail', 207);
const missing = exampleResponse('getAccount', 409);
const invalid = exampleResponse('createAccount', 422);
const notJson = exampleResponse('createAccount', 400);
const csv = exampleResponse('exportMessages', 200);
const noEndpoint: WireResponse = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  text: withBody(missing, { 'data.code': 'ENDPOINT_NOT_FOUND' }).text,
};

type Wrong = [
  name: string,
  operation: OperationId | 'unknown_endpoint',
  response: WireResponse,
  pointer: string,
];

const wrongBodies: Wrong[] = [
  ['no body', 'getAccount', { ...account, text: '' }, ''],
  ['a body that is not JSON', 'getAccount', { ...account, text: '<html></html>' }, ''],
  ['JSON cut short', 'getAccount', { ...account, text: account.text.slice(0, -1) }, ''],
  ['a byte order mark', 'getAccount', { ...account, text: `\ufeff${account.text}` }, ''],
  ['null', 'getAccount', { ...account, text: 'null' }, ''],
  ['no envelope', 'getAccount', { ...account, text: JSON.stringify(JSON.parse(account.text).data) }, '/data'],
  ['data null', 'getAccount', withBody(account, { data: null }), '/data'],
  ['data a list', 'getAccount', withBody(account, { data: [] }), '/data'],
  ['no meta', 'getAccount', withBody(account, { meta: undefined }), '/meta'],
  ['no rq_time', 'getAccount', withBody(account, { 'meta.rq_time': undefined }), '/meta/rq_time'],
  ['rq_time a number', 'getAccount', withBody(account, { 'meta.rq_time': 0.1 }), '/meta/rq_time'],
  ['rq_time without its unit', 'getAccount', withBody(account, { 'meta.rq_time': '0.1' }), '/meta/rq_time'],
  ['no name', 'getAccount', withBody(account, { 'data.name': undefined }), '/data/name'],
  ['a null name', 'getAccount', withBody(account, { 'data.name': null }), '/data/name'],
  ['an id that is no UUID', 'getAccount', withBody(account, { 'data.account_id': '42' }), '/data/account_id'],
  ['an id that is a number', 'getAccount', withBody(account, { 'data.account_id': 42 }), '/data/account_id'],
  ['an unknown status', 'getAccount', withBody(account, { 'data.status': 'enabled' }), '/data/status'],
  ['an unknown type', 'getAccount', withBody(account, { 'data.type': 'Transactional' }), '/data/type'],
  ['a page that is no list', 'listAccounts', withBody(accounts, { data: {} }), '/data'],
  ['a page without total', 'listAccounts', withBody(accounts, { 'meta.total': undefined }), '/meta/total'],
  ['a total that is text', 'listAccounts', withBody(accounts, { 'meta.total': '2' }), '/meta/total'],
  ['a negative offset', 'listAccounts', withBody(accounts, { 'meta.offset': -1 }), '/meta/offset'],
  ['a limit of 0', 'listAccounts', withBody(accounts, { 'meta.limit': 0 }), '/meta/limit'],
  ['a wrong item of a page', 'listAccounts', withBody(accounts, { 'data.1.type': 1 }), '/data/1/type'],
  ['null in a page', 'listAccounts', withBody(accounts, { 'data.0': null }), '/data/0'],
  [
    'a space in a timestamp',
    'listMessages',
    withBody(messages, { 'data.0.created_at': '2026-01-01 00:00:00+00:00' }),
    '/data/0/created_at',
  ],
  [
    'a timestamp without offset',
    'listMessages',
    withBody(messages, { 'data.0.created_at': '2026-01-01T00:00:00' }),
    '/data/0/created_at',
  ],
  [
    'a timestamp with 60 minutes',
    'listMessages',
    withBody(messages, { 'data.0.created_at': '2026-01-01T00:60:00Z' }),
    '/data/0/created_at',
  ],
  [
    'a timestamp of seconds',
    'listMessages',
    withBody(messages, { 'data.0.created_at': 1_773_480_414 }),
    '/data/0/created_at',
  ],
  [
    '"" for a timestamp that is not',
    'listMessages',
    withBody(messages, { 'data.0.opened_at': '' }),
    '/data/0/opened_at',
  ],
  [
    'an unknown delivery status',
    'listMessages',
    withBody(messages, { 'data.0.delivery_status': 'open' }),
    '/data/0/delivery_status',
  ],
  [
    'an address that is none',
    'listMessages',
    withBody(messages, { 'data.0.recipient_email': 'ada' }),
    '/data/0/recipient_email',
  ],
  [
    'an unknown event',
    'listMessageEvents',
    withBody(events, { 'data.0.type': 'message.open' }),
    '/data/0/type',
  ],
  [
    'an event without details',
    'listMessageEvents',
    withBody(events, { 'data.0.details': undefined }),
    '/data/0/details',
  ],
  ['details null', 'listMessageEvents', withBody(events, { 'data.0.details': null }), '/data/0/details'],
  [
    'an unknown suppression type',
    'listSuppressions',
    withBody(suppressions, { 'data.0.type': 'bounce' }),
    '/data/0/type',
  ],
  [
    'a suppression by a message that is none',
    'listSuppressions',
    withBody(suppressions, { 'data.0.type': 'unsubscribe', 'data.0.message_id': '' }),
    '/data/0/message_id',
  ],
  [
    'a counter that is missing',
    'getStats',
    withBody(statistics, { 'data.stats_summary.open': undefined }),
    '/data/stats_summary/open',
  ],
  [
    'a counter that is null',
    'getStats',
    withBody(statistics, { 'data.stats_summary.open': null }),
    '/data/stats_summary/open',
  ],
  [
    'a counter below 0',
    'getStats',
    withBody(statistics, { 'data.stats_summary.open': -1 }),
    '/data/stats_summary/open',
  ],
  [
    'a counter with a fraction',
    'getStats',
    withBody(statistics, { 'data.stats_summary.open': 1.5 }),
    '/data/stats_summary/open',
  ],
  [
    'a counter as words',
    'getStats',
    withBody(statistics, { 'data.stats_summary.open': 'none' }),
    '/data/stats_summary/open',
  ],
  [
    'a counter as "-1"',
    'getStats',
    withBody(statistics, { 'data.stats_summary.open': '-1' }),
    '/data/stats_summary/open',
  ],
  [
    'a breakdown by nothing',
    'getStats',
    withBody(statistics, { 'data.breakdown.0.account_id': undefined }),
    '/data/breakdown/0/account_id',
  ],
  [
    'a breakdown that is null',
    'getStats',
    withBody(statistics, { 'data.breakdown': null }),
    '/data/breakdown',
  ],
  ['no period', 'getStats', withBody(statistics, { 'data.period_from': '' }), '/data/period_from'],
  ['a token type in lower case', 'login', withBody(token, { token_type: 'bearer' }), '/token_type'],
  ['expires_in as text', 'login', withBody(token, { expires_in: '3600' }), '/expires_in'],
  ['no refresh token', 'login', withBody(token, { refresh_token: undefined }), '/refresh_token'],
  [
    'a token within data',
    'login',
    { ...token, text: `{"data":${token.text},"meta":{"rq_time":"0s"}}` },
    '/access_token',
  ],
  [
    'an accepted message without an id',
    'sendEmail',
    withBody(sent, { 'data.0.message_id': '' }),
    '/data/0/message_id',
  ],
  [
    'an accepted message with errors',
    'sendEmail',
    withBody(sent, { 'data.0.errors': [{ code: 'A', description: 'a' }] }),
    '/data/0/errors',
  ],
  ['a rejected message in a 200', 'sendEmail', { ...rejected, status: 200 }, '/data/1/status'],
  [
    'a rejected message without errors',
    'sendEmail',
    withBody(rejected, { 'data.1.errors': [] }),
    '/data/1/errors',
  ],
  [
    'a rejected message without a code',
    'sendEmail',
    withBody(rejected, { 'data.1.code': undefined }),
    '/data/1/code',
  ],
  [
    'an unknown status of a message',
    'sendEmail',
    withBody(rejected, { 'data.1.status': 'failed' }),
    '/data/1/status',
  ],
  ['null as custom_id', 'sendEmail', withBody(sent, { 'data.0.custom_id': null }), '/data/0/custom_id'],
  [
    'an item without custom_id',
    'sendEmail',
    withBody(sent, { 'data.0.custom_id': undefined }),
    '/data/0/custom_id',
  ],
  ['no items', 'sendEmail', withBody(sent, { data: [] }), '/data'],
  ['an error without a code', 'getAccount', withBody(missing, { 'data.code': undefined }), '/data/code'],
  [
    'an error code in small letters',
    'getAccount',
    withBody(missing, { 'data.code': 'not found' }),
    '/data/code',
  ],
  ['an error code that is a number', 'getAccount', withBody(missing, { 'data.code': 409 }), '/data/code'],
  ['an error without errors', 'getAccount', withBody(missing, { 'data.errors': [] }), '/data/errors'],
  [
    'an error without a description',
    'getAccount',
    withBody(missing, { 'data.errors.0.description': undefined }),
    '/data/errors/0/description',
  ],
  ['an error of another shape', 'getAccount', { ...missing, text: '{"error": "not found"}' }, '/data'],
  [
    'a field error without a field',
    'createAccount',
    withBody(invalid, { 'data.errors.0.field': undefined }),
    '/data/errors/0/field',
  ],
  [
    'a field error whose value is an object',
    'createAccount',
    withBody(invalid, { 'data.errors.0.value': {} }),
    '/data/errors/0/value',
  ],
  [
    'another code for what is not JSON',
    'createAccount',
    withBody(notJson, { 'data.code': 'BAD_REQUEST' }),
    '/data/code',
  ],
  ['an empty CSV', 'exportMessages', { ...csv, text: '' }, ''],
  ['a 404 without the envelope', 'unknown_endpoint', { ...noEndpoint, text: 'Not Found' }, ''],
];

test.each(wrongBodies)('%s (%s)', (_name, operation, response, pointer) => {
  const { faults } = judge(operation, response);
  expect(faults.map((fault) => [fault.part, fault.pointer])).toContainEqual(['body', pointer]);
  for (const { message } of faults) expect(message).toMatch(/must be .+ and is |is missing/);
});
