import { afterAll, beforeAll, expect, test } from 'vitest';
import { valueAt } from './json.ts';
import { startTestMock, type TestMock } from './testing/mock.ts';

let mock: TestMock;
beforeAll(async () => {
  mock = await startTestMock();
});
afterAll(() => mock.close());

const token = 'any';
const asked = (header: string) => mock.call('GET', '/v1/accounts', { token, headers: { Prefer: header } });

test.each([
  ['code=418', 'code=418', '200, 401, 422, 429, 500'],
  ['code=', 'code=', '200, 401, 422, 429, 500'],
  ['code', 'code=', '200, 401'],
  ['code=2e2', 'code=2e2', '200, 401'],
  ['code=409', 'code=409', '200, 401'],
  ['example=nothing', 'example=nothing', '200 accounts none, 401 INVALID_CREDENTIALS'],
  ['code=422, example=accounts', 'example=accounts', '422 VALIDATION_ERROR DUPLICATE'],
  ['example=__proto__', 'example=__proto__', 'accounts'],
  ['dynamic=perhaps', 'dynamic=perhaps', 'true or false'],
])('%s is no wish that can be fulfilled, and the answer lists what can', async (header, value, list) => {
  const { status, code, errors } = await asked(header);
  expect({ status, code }).toEqual({ status: 422, code: 'VALIDATION_ERROR' });
  expect(errors).toMatchObject([{ field: 'Prefer', value, errors: [{ code: 'CHOICE' }] }]);
  expect(valueAt(errors, 0, 'errors', 0, 'description')).toContain(list);
});

test('every faulty part of the header is named', async () => {
  const { errors } = await asked('code=418; dynamic=perhaps');
  expect(errors).toMatchObject([{ value: 'code=418' }, { value: 'dynamic=perhaps' }]);
});

test('an operation that never refuses the form of a request says so too', async () => {
  const headers = { Authorization: 'Bearer any', Prefer: 'code=418' };
  const response = await fetch(`${mock.url}/v1/logout`, { method: 'POST', headers });
  expect(response.status).toBe(422);
  const body: unknown = await response.json();
  expect(valueAt(body, 'data', 'errors', 0, 'field')).toBe('Prefer');
});

test.each([
  ['CODE=429', 429],
  ['code="429"', 429],
  ['  code = 429 ', 429],
  ['return=minimal, code=429', 429],
  ['code=429;foo=bar', 429],
  ['code=429, code=500', 429],
  ['example=RATE_LIMIT_EXCEEDED', 429],
  ['example="none"', 200],
  ['respond-async, wait=10', 200],
  ['', 200],
  [',;=,;', 200],
  ['"', 200],
  ['x'.repeat(20_000), 200],
  ['='.repeat(20_000), 200],
])('the header %.40s asks for what RFC 7240 lets it ask for', async (header, status) => {
  expect((await asked(header)).status).toBe(status);
});

test('a header that is given twice is one list', async () => {
  const headers: [string, string][] = [
    ['Authorization', 'Bearer any'],
    ['Prefer', 'code=422'],
    ['Prefer', 'example=DUPLICATE'],
  ];
  const response = await fetch(`${mock.url}/v1/accounts`, { headers });
  const body: unknown = await response.json();
  expect(response.status).toBe(422);
  expect(valueAt(body, 'data', 'errors', 0, 'errors', 0, 'code')).toBe('DUPLICATE');
});

test('an empty list is there on request', async () => {
  const { data, meta } = await asked('example=none');
  expect(data).toEqual([]);
  expect(meta).toMatchObject({ total: 0 });
});
