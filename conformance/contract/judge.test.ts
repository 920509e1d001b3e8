import { describe, expect, test } from 'vitest';
import { type OperationId, webhooks } from './document.ts';
import { judge, judgeWebhookPayload, type ResponseFault, type WireResponse } from './judge.ts';
import { allExampleResponses, exampleResponse, withBody, withHeaders } from './testing.ts';

// What must not pass; wrong bodies are in judge-bodies.test.ts, and what may differ in leniency.test.ts.

const account = exampleResponse('getAccount', 200);
const accounts = exampleResponse('listAccounts', 200);
const events = exampleResponse('listMessageEvents', 200);
const statistics = exampleResponse('getStats', 200, 1);
const sent = exampleResponse('sendEmail', 200);
const missing = exampleResponse('getAccount', 409);
const csv = exampleResponse('exportMessages', 200);
const tooMany = exampleResponse('getAccount', 429);
const noEndpoint: WireResponse = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  text: withBody(missing, { 'data.code': 'ENDPOINT_NOT_FOUND' }).text,
};

test('every example of the contract passes, without a fault and without a remark', () => {
  const examples = allExampleResponses();
  expect(examples.length).toBeGreaterThan(250);
  for (const { operation, response } of examples) {
    expect([operation, response.text, judge(operation, response)]).toEqual([
      operation,
      response.text,
      { faults: [], remarks: [] },
    ]);
  }
  for (const { event, payload } of webhooks) {
    for (const example of payload.examples) {
      expect(judgeWebhookPayload(event, example)).toEqual({ faults: [], remarks: [] });
    }
  }
  expect(judge('unknown_endpoint', noEndpoint)).toEqual({ faults: [], remarks: [] });
});

type Wrong = [
  name: string,
  operation: OperationId | 'unknown_endpoint',
  response: WireResponse,
  pointer: string,
];

const wrongOthers: [...Wrong, part: ResponseFault['part']][] = [
  ['404 for what is missing', 'getAccount', { ...missing, status: 404 }, '', 'status'],
  ['405', 'getAccount', { ...missing, status: 405 }, '', 'status'],
  ['200 for what was created', 'createAccount', account, '', 'status'],
  ['204 for what was deleted', 'deleteAccount', { ...account, status: 204, text: '' }, '', 'status'],
  ['a redirect', 'getAccount', { ...account, status: 302 }, '', 'status'],
  ['502', 'getAccount', { ...missing, status: 502 }, '', 'status'],
  ['207 of another operation', 'createAccount', { ...account, status: 207 }, '', 'status'],
  ['300 for a batch', 'sendEmail', { ...sent, status: 300 }, '', 'status'],
  ['200 for an unknown endpoint', 'unknown_endpoint', account, '', 'status'],
  ['405 for an unknown endpoint', 'unknown_endpoint', { ...noEndpoint, status: 405 }, '', 'status'],
  ['HTML', 'getAccount', withHeaders(account, { 'content-type': 'text/html' }), '', 'content_type'],
  ['no content type', 'getAccount', withHeaders(account, { 'content-type': undefined }), '', 'content_type'],
  [
    'JSON as text',
    'getAccount',
    withHeaders(account, { 'content-type': 'text/plain; x=application/json' }),
    '',
    'content_type',
  ],
  [
    'a CSV as JSON',
    'exportMessages',
    withHeaders(csv, { 'content-type': 'application/json' }),
    '',
    'content_type',
  ],
  [
    'a limit in words',
    'getAccount',
    withHeaders(account, { 'ratelimit-limit': 'many' }),
    '/RateLimit-Limit',
    'headers',
  ],
  [
    'a limit of 0',
    'getAccount',
    withHeaders(account, { 'ratelimit-limit': '0' }),
    '/RateLimit-Limit',
    'headers',
  ],
  [
    'less than nothing left',
    'getAccount',
    withHeaders(account, { 'ratelimit-remaining': '-1' }),
    '/RateLimit-Remaining',
    'headers',
  ],
  [
    'Retry-After with a fraction',
    'getAccount',
    withHeaders(tooMany, { 'retry-after': '1.5' }),
    '/Retry-After',
    'headers',
  ],
];

describe('finds', () => {
  test.each(wrongOthers)('%s (%s)', (_name, operation, response, pointer, part) => {
    const { faults } = judge(operation, response);
    expect(faults.map((fault) => ({ part: fault.part, pointer: fault.pointer }))).toContainEqual({
      part,
      pointer,
    });
    for (const { message } of faults) expect(message).toMatch(/must be .+ (?:is|was) |is missing/);
  });
});

test('speaks to people', () => {
  const messagesOf = (operation: OperationId, response: WireResponse) =>
    judge(operation, response).faults.map(({ message }) => message);
  expect(messagesOf('getAccount', withBody(account, { 'data.type': 'other' }))).toEqual([
    'data.type must be one of "transactional", "marketing", and is "other"',
  ]);
  expect(messagesOf('listAccounts', withBody(accounts, { 'data.0.name': undefined }))).toEqual([
    'data[0].name is missing',
  ]);
  expect(messagesOf('getStats', withBody(statistics, { 'data.period_to': 'today' }))).toEqual([
    'data.period_to must be an RFC 3339 timestamp with an offset, or a date, and is "today"',
  ]);
  expect(messagesOf('listMessageEvents', withBody(events, { 'data.0.type': 'sent' }))).toEqual([
    'data[0].type must be one of "new", "delivery", "hard_bounce", "soft_bounce", "spam_complaint", "unsubscribe", "open", "click", and is "sent"',
  ]);
  expect(messagesOf('createAccount', account)).toEqual([
    'createAccount must be answered one of 201, 400, 401, 403, 422, 429, 500, and was answered 200',
  ]);
});

test('does not repeat a secret', () => {
  const { faults } = judge(
    'createApiKey',
    withBody(exampleResponse('createApiKey', 201), { 'data.api_key': 'hunter2' }),
  );
  expect(faults).toHaveLength(1);
  expect(JSON.stringify(faults)).not.toContain('hunter2');
});

describe('notifications', () => {
  const payload = (event: string, change: Record<string, unknown>) => {
    const [example] = webhooks.find((webhook) => webhook.event === event)?.payload.examples ?? [];
    return judgeWebhookPayload(event, { ...Object(example), ...change }).faults.map(({ pointer }) => pointer);
  };
  test.each([
    ['message.open', { user_ip: undefined }, '/user_ip'],
    ['message.open', { event: 'message.click' }, '/event'],
    ['message.open', { event: 'open' }, '/event'],
    ['message.click', { tracking_url_destination: '' }, '/tracking_url_destination'],
    ['message.click', { tracking_url_destination: 'orders' }, '/tracking_url_destination'],
    ['message.unsubscribe', { list_id: null }, '/list_id'],
    ['message.delivery', { message_id: '1' }, '/message_id'],
    ['message.delivery', { received_at: '2026-01-01' }, '/received_at'],
    ['message.delivery', { recipient_email: '' }, '/recipient_email'],
    ['message.delivery', { account_id: null }, '/account_id'],
  ])('%s with %j is wrong at %s', (event, change, pointer) => {
    expect(payload(event, change)).toContain(pointer);
  });

  test('are wrong when there is no such event, or no object', () => {
    expect(judgeWebhookPayload('message.new', {}).faults).toHaveLength(1);
    expect(judgeWebhookPayload('message.open', []).faults).toHaveLength(1);
    expect(judgeWebhookPayload('message.open', { data: {} }).faults.length).toBeGreaterThan(1);
  });
});
