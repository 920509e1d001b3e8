import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestMock, type TestMock } from './testing/mock.ts';
import { BASIC } from './testing/requests.ts';

// Requests are refused as the service refuses them, in the same order, and a wished-for error comes where its status has its place.

let mock: TestMock;
beforeAll(async () => {
  mock = await startTestMock();
});
afterAll(() => mock.close());

const ACCOUNTS = '/v1/accounts';
const token = 'any';
const wish = (code: number) => ({ Prefer: `code=${code}` });

test.each([
  ['an unknown path', 'GET', '/v1/nothing'],
  ['a wrong method', 'PUT', ACCOUNTS],
  ['a final slash', 'GET', '/v1/accounts/'],
  ['the root', 'GET', '/'],
  ['OPTIONS that is no preflight', 'OPTIONS', ACCOUNTS],
])('%s is an unknown endpoint, whoever asks and whatever is wished for', async (_title, method, path) => {
  const answer = await mock.call(method, path, { headers: wish(200) });
  expect(answer).toMatchObject({ status: 404, code: 'ENDPOINT_NOT_FOUND' });
});

test('HEAD is an unknown endpoint, without a body', async () => {
  expect(await mock.call('HEAD', ACCOUNTS, { token })).toMatchObject({ status: 404, text: '' });
});

test.each([
  ['no JSON', '{"name":'],
  ['nothing', ''],
  ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
  ['two values', '{} {}'],
])('a body of %s is INVALID_JSON', async (_title, rawBody) => {
  expect(await mock.call('POST', ACCOUNTS, { token, rawBody })).toMatchObject({
    status: 400,
    code: 'INVALID_JSON',
  });
});

test('the body is JSON whatever its content type says', async () => {
  const body = { name: 'Shop', type: 'marketing' };
  const answer = await mock.call('POST', ACCOUNTS, {
    token,
    body,
    headers: { 'Content-Type': 'text/plain' },
  });
  expect(answer.status).toBe(201);
});

test('each faulty field is named, with what was sent and what is wrong', async () => {
  const body = { name: '', type: 'both' };
  const { status, code, errors } = await mock.call('POST', ACCOUNTS, { token, body });
  expect({ status, code }).toEqual({ status: 422, code: 'VALIDATION_ERROR' });
  expect(errors).toMatchObject([
    { field: 'name', value: '', errors: [{ code: 'MIN' }] },
    { field: 'type', value: 'both', errors: [{ code: 'CHOICE' }] },
  ]);
});

test.each([
  ['/v1/accounts/42', 'account_id', 'UUID'],
  ['/v1/accounts?limit=0', 'limit', 'MIN'],
  ['/v1/accounts?limit=many', 'limit', 'INTEGER'],
  ['/v1/accounts?limit=1&limit=2', 'limit', 'DUPLICATE'],
  ['/v1/messages?events[]=opened', 'events[0]', 'CHOICE'],
  ['/v1/stats?period_from=2026-03-01', 'period_to', 'REQUIRED'],
])('%s is 422 on %s', async (path, field, fault) => {
  const answer = await mock.call('GET', path, { token });
  expect(answer.status).toBe(422);
  expect(answer.errors).toMatchObject([{ field, errors: [{ code: fault }] }]);
});

test.each([
  ['https://10.0.0.7/hooks', 'must lead to a public address'],
  ['http://shop.demo.test/hooks', 'must begin with https://'],
  ['https://ada:secret@shop.demo.test/hooks', 'must not hold a user name or a password'],
])('a webhook may not lead to %s', async (url, description) => {
  const path = `${ACCOUNTS}/6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3/webhooks`;
  const fault = { field: 'url', errors: [{ code: 'URL', description }] };
  for (const [method, target] of [
    ['POST', path],
    ['PATCH', `${path}/b7d2e48c-05f9-4c3a-8e16-92a4d07c5f31`],
  ] as const) {
    const answer = await mock.call(method, target, { token, body: { url }, headers: wish(409) });
    expect(answer).toMatchObject({ status: 422, errors: [fault] });
    expect((await mock.call(method, target, { token, body: { url }, headers: wish(403) })).status).toBe(403);
  }
});

test('both breakdowns of the statistics at once are a conflict', async () => {
  const query = { period_from: '2026-03-01', period_to: '2026-03-02', all_accounts: 1, all_domains: 1 };
  expect(await mock.call('GET', '/v1/stats', { token, query })).toMatchObject({
    status: 422,
    errors: [{ field: 'all_domains', errors: [{ code: 'CONFLICT' }] }],
  });
});

test.each([
  ['no array', {}, 'BODY_NOT_ARRAY'],
  ['an empty array', [], 'BODY_EMPTY_ARRAY'],
  ['501 messages', Array.from({ length: 501 }, () => ({})), 'VALIDATION_ERROR'],
])('a batch that is %s is refused as a whole', async (_title, body, code) => {
  expect(await mock.call('POST', '/v1/send_email', { basic: BASIC, body })).toMatchObject({
    status: 422,
    code,
  });
});

test('what fails earlier fails earlier', async () => {
  const rawBody = '{';
  const order: [object, number][] = [
    [{ rawBody, headers: wish(403) }, 401],
    [{ rawBody, headers: wish(401) }, 401],
    [{ token, rawBody, headers: wish(401) }, 401],
    [{ token, rawBody, headers: wish(429) }, 429],
    [{ token, rawBody, headers: wish(403) }, 400],
    [{ token, body: {}, headers: wish(400) }, 400],
    [{ token, body: {}, headers: wish(403) }, 422],
    [{ token, body: {}, headers: wish(500) }, 422],
    [{ token, body: { name: 'Shop', type: 'marketing' }, headers: wish(403) }, 403],
    [{ token, body: { name: 'Shop', type: 'marketing' }, headers: wish(500) }, 500],
    [{ token, body: { name: 'Shop', type: 'marketing' }, headers: wish(201) }, 201],
  ];
  for (const [options, status] of order) {
    expect((await mock.call('POST', ACCOUNTS, options)).status, JSON.stringify(options)).toBe(status);
  }
});

test('a request that is wrong by itself is told its own faults, whichever 422 is wished for', async () => {
  const headers = { Prefer: 'code=422, example=OBJECT' };
  const wrong = await mock.call('POST', ACCOUNTS, { token, body: { name: 'Shop' }, headers });
  expect(wrong).toMatchObject({ status: 422, errors: [{ field: 'type', errors: [{ code: 'REQUIRED' }] }] });
  const right = await mock.call('POST', ACCOUNTS, {
    token,
    body: { name: 'Shop', type: 'marketing' },
    headers,
  });
  expect(right).toMatchObject({ status: 422, errors: [{ field: '', errors: [{ code: 'OBJECT' }] }] });
});

test('a 401 of the login comes after its 422', async () => {
  const login = { email: 'somebody@demo.test', password: 'correct horse', grant_type: 'password' };
  expect((await mock.call('POST', '/v1/login', { body: {}, headers: wish(401) })).status).toBe(422);
  expect((await mock.call('POST', '/v1/login', { body: login, headers: wish(401) })).status).toBe(401);
});

test('answers carry the headers of the contract; a 429 says when to come back', async () => {
  const { headers } = await mock.call('GET', ACCOUNTS, { token });
  expect(headers.get('ratelimit-limit')).toBe('600');
  expect(headers.get('ratelimit-remaining')).toBe('599');
  const limited = await mock.call('GET', ACCOUNTS, { token, headers: wish(429) });
  expect(limited.headers.get('retry-after')).toBe(limited.headers.get('ratelimit-reset'));
  expect(limited.headers.get('ratelimit-remaining')).toBe('0');
  const file = await mock.call('GET', '/v1/messages/export', { token });
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="messages.csv"');
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
});

test.each([
  ['without credentials', {}],
  ['that is wished for', { token, headers: wish(401) }],
])('a 401 %s tells no limit, since nobody is known whose it is', async (_title, options) => {
  const { status, headers } = await mock.call('GET', ACCOUNTS, options);
  expect({ status, limit: headers.get('ratelimit-limit') }).toEqual({ status: 401, limit: null });
  expect(headers.get('www-authenticate')).toContain('Bearer');
});
