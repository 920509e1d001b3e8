import { afterAll, beforeAll, expect, test } from 'vitest';
import { valueAt } from './json.ts';
import { startTestMock, type TestMock } from './testing/mock.ts';
import { BASIC } from './testing/requests.ts';

let mock: TestMock;
beforeAll(async () => {
  mock = await startTestMock();
});
afterAll(() => mock.close());

const RIGHT = { email: 'owner@demo.test', password: 'correct horse battery staple', grant_type: 'password' };
const login = (body: object) => mock.call('POST', '/v1/login', { body });

test("the example's user gets the example's tokens, which can be used and refreshed", async () => {
  const { status, json } = await login(RIGHT);
  expect(status).toBe(200);
  const token = String(valueAt(json, 'access_token'));
  expect((await mock.call('GET', '/v1/accounts', { token })).status).toBe(200);
  const body = { refresh_token: valueAt(json, 'refresh_token'), grant_type: 'refresh_token' };
  expect((await mock.call('POST', '/v1/token/refresh', { body })).status).toBe(200);
  expect((await mock.call('POST', '/v1/logout', { token })).status).toBe(200);
});

test("the example's user is refused with another password, and anybody else is let in", async () => {
  expect(await login({ ...RIGHT, password: 'incorrect horse' })).toMatchObject({
    status: 401,
    code: 'INVALID_CREDENTIALS',
  });
  expect((await login({ ...RIGHT, email: 'somebody@demo.test' })).status).toBe(200);
});

test.each([
  ['nothing', undefined],
  ['another scheme', 'Basic YTpi'],
  ['no token', 'Bearer '],
  ['a token with spaces', 'Bearer a b'],
  ['a token in quotes', 'Bearer "a"'],
])('where a token is needed, %s is 401', async (_title, authorization) => {
  const headers = authorization === undefined ? {} : { Authorization: authorization };
  const answer = await mock.call('GET', '/v1/accounts', { headers });
  expect(answer).toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' });
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="sendspec"');
});

test.each([
  ['nothing', undefined],
  ['a token', 'Bearer any'],
  ['no UUID', `Basic ${btoa('me:key')}`],
  ['no key', `Basic ${btoa(`${BASIC.account_id}:`)}`],
  ['no colon', `Basic ${btoa(BASIC.account_id)}`],
  ['no Base64', 'Basic ###'],
])('where an account is needed, %s is 401', async (_title, authorization) => {
  const headers = authorization === undefined ? {} : { Authorization: authorization };
  const answer = await mock.call('POST', '/v1/send_email', { headers, body: [] });
  expect(answer).toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' });
  expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm="sendspec"/);
});
