import { expect, test } from 'vitest';
import { type OperationId, webhooks } from './document.ts';
import { judge, judgeWebhookPayload, type WireResponse } from './judge.ts';
import { exampleResponse, withBody, withHeaders } from './testing.ts';

// What another implementation may do otherwise: never a fault, and remarked upon where it is worth knowing.

const account = exampleResponse('getAccount', 200);
const accounts = exampleResponse('listAccounts', 200);
const suppression = exampleResponse('createSuppression', 201);
const messages = exampleResponse('listMessages', 200);
const events = exampleResponse('listMessageEvents', 200);
const statistics = exampleResponse('getStats', 200, 1);
const sent = exampleResponse('sendEmail', 200);
const rejected = exampleResponse('sendEmail', 207);
const missing = exampleResponse('getAccount', 409);
const invalid = exampleResponse('createAccount', 422);
const csv = exampleResponse('exportMessages', 200);
const tooMany = exampleResponse('getAccount', 429);

const counters = (text: string) => text.replace(/("(?:messages|open|click|unique_\w+)":)(\d+)/g, '$1"$2"');
const created = 'data.0.created_at';
const long = 'n'.repeat(2000);

type Allowed = [name: string, operation: OperationId, response: WireResponse, ...remarks: string[]];

const allowed: Allowed[] = [
  [
    'an extra field of an object',
    'getAccount',
    withBody(account, { 'data.colour': 1 }),
    'extra field data.colour',
  ],
  [
    'extra fields of a page',
    'listAccounts',
    withBody(accounts, { 'data.0.x': 1, 'data.1.x': 1 }),
    'extra field data[].x',
  ],
  [
    'extra fields of the envelope',
    'getAccount',
    withBody(account, { x: 1, 'meta.x': 1 }),
    'extra field x',
    'extra field meta.x',
  ],
  [
    'extra details of an event',
    'listMessageEvents',
    withBody(events, { 'data.0.details.x': 1 }),
    'extra field data[].details.x',
  ],
  [
    'an extra counter',
    'getStats',
    withBody(statistics, { 'data.stats_summary.x': 1 }),
    'extra field data.stats_summary.x',
  ],
  [
    'an extra field of a breakdown',
    'getStats',
    withBody(statistics, { 'data.breakdown.0.x': 1 }),
    'extra field data.breakdown[].x',
  ],
  [
    'an extra field of a token',
    'login',
    withBody(exampleResponse('login', 200), { scope: '' }),
    'extra field scope',
  ],
  [
    'an extra field of a message',
    'sendEmail',
    withBody(sent, { 'data.0.x': 1, 'meta.rq_time': '1s' }),
    'extra field data[].x',
    'extra field meta.rq_time',
  ],
  [
    'an extra field of an error',
    'getAccount',
    withBody(missing, { 'data.trace': 'x' }),
    'extra field data.trace',
  ],
  [
    'another order of keys',
    'getAccount',
    {
      ...account,
      text: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(account.text)).reverse())),
    },
  ],
  [
    'white space',
    'getAccount',
    { ...account, text: ` ${JSON.stringify(JSON.parse(account.text), null, 2)}\n` },
  ],
  ['Z', 'listMessages', withBody(messages, { [created]: '2026-01-01T00:00:00Z' }), 'timestamps end in Z'],
  ['another offset', 'listMessages', withBody(messages, { [created]: '2026-01-01T00:00:00.1-05:00' })],
  [
    'many digits',
    'listMessages',
    withBody(messages, { [created]: `2026-01-01T00:00:00.${'1'.repeat(60)}+00:00` }),
  ],
  ['a leap second', 'listMessages', withBody(messages, { [created]: '2016-12-31T23:59:60+00:00' })],
  [
    'numeric strings as counters',
    'getStats',
    { ...statistics, text: counters(statistics.text) },
    'counters are numeric strings',
  ],
  ['an empty breakdown', 'getStats', withBody(statistics, { 'data.breakdown': [] })],
  ['dates as a period', 'getStats', withBody(statistics, { 'data.period_from': '2026-01-01' })],
  [
    'another error code',
    'getAccount',
    withBody(missing, { 'data.code': 'NO_SUCH_ACCOUNT', 'data.errors.0.code': 'GONE' }),
  ],
  ['another field code', 'createAccount', withBody(invalid, { 'data.errors.0.errors.0.code': 'BLANK' })],
  ['another rejection code', 'sendEmail', withBody(rejected, { 'data.1.code': 'RECIPIENT_BLOCKED' })],
  ['201 for a batch', 'sendEmail', { ...sent, status: 201 }, 'an accepted batch is answered 201'],
  ['202 for a batch', 'sendEmail', { ...sent, status: 202 }, 'an accepted batch is answered 202'],
  ['null as the id of a rejected message', 'sendEmail', withBody(rejected, { 'data.1.message_id': null })],
  [
    'a UUID as the id of a rejected message',
    'sendEmail',
    withBody(rejected, { 'data.1.message_id': '1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812' }),
  ],
  [
    '"" in a manual suppression',
    'createSuppression',
    withBody(suppression, { 'data.message_id': '', 'data.message_custom_id': '' }),
  ],
  [
    'null in a manual suppression',
    'createSuppression',
    withBody(suppression, { 'data.message_id': null, 'data.message_custom_id': null }),
  ],
  ['longer texts', 'getAccount', withBody(account, { 'data.name': long })],
  ['a larger page', 'listAccounts', withBody(accounts, { 'meta.limit': 5000 })],
  [
    'an international address',
    'listMessages',
    withBody(messages, { 'data.0.recipient_email': 'añña@bücher.test' }),
  ],
  [
    'ids in capitals',
    'getAccount',
    withBody(account, { 'data.account_id': '6F1C0A52-8D3E-4B7F-9A21-5C0E7D94B8F3' }),
  ],
  [
    'no rate limit headers',
    'getAccount',
    withHeaders(account, { 'ratelimit-limit': undefined }),
    'the header RateLimit-Limit is missing',
  ],
  [
    'a minute and more to wait',
    'getAccount',
    withHeaders(tooMany, { 'retry-after': '3600', 'ratelimit-reset': '3600' }),
  ],
  ['no charset', 'getAccount', withHeaders(account, { 'content-type': 'application/json' })],
  [
    'a content type in capitals',
    'getAccount',
    withHeaders(account, { 'content-type': 'Application/JSON ;charset="UTF-8"' }),
  ],
  [
    'another charset of a CSV',
    'exportMessages',
    withHeaders(csv, { 'content-type': 'text/csv; header=present; charset=iso-8859-1' }),
  ],
  ['a CSV without a name', 'exportMessages', withHeaders(csv, { 'content-disposition': undefined })],
  [
    'names of headers in capitals',
    'getAccount',
    { ...account, headers: { 'Content-Type': 'application/json', 'RateLimit-Limit': '5' } },
  ],
];

test.each(allowed)('%s (%s)', (_name, operation, response, ...remarks) => {
  const judgement = judge(operation, response);
  expect(judgement.faults).toEqual([]);
  expect(judgement.remarks).toEqual(expect.arrayContaining(remarks));
});

test('says each remark once', () => {
  const { remarks } = judge('getStats', { ...statistics, text: counters(statistics.text) });
  expect(remarks).toEqual(['counters are numeric strings']);
});

test('a code that the contract does not have is remarked upon', () => {
  const { remarks } = judge('getAccount', withBody(missing, { 'data.code': 'NO_SUCH_ACCOUNT' }));
  expect(remarks).toEqual(['data.code "NO_SUCH_ACCOUNT" is not in the contract']);
});

test('the answer to HEAD has no body', () => {
  const head = { status: 404, headers: { 'content-type': 'application/json' }, text: '' };
  expect(judge('unknown_endpoint', head, 'HEAD').faults).toEqual([]);
  expect(judge('unknown_endpoint', head, 'GET').faults).toHaveLength(1);
  expect(judge('unknown_endpoint', { ...head, status: 200 }, 'HEAD').faults).toHaveLength(1);
});

test('an unknown endpoint may be answered that there are too many requests', () => {
  expect(judge('unknown_endpoint', tooMany).faults).toEqual([]);
});

test('notifications may have more fields, Z, and no custom ID', () => {
  for (const { event, payload } of webhooks) {
    const change = { extra: {}, received_at: '2026-01-01T00:00:00Z' };
    const { faults, remarks } = judgeWebhookPayload(event, { ...Object(payload.examples[0]), ...change });
    expect(faults).toEqual([]);
    expect(remarks).toEqual(expect.arrayContaining(['extra field extra', 'timestamps end in Z']));
  }
});
