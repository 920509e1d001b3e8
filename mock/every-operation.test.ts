import { afterAll, beforeAll, expect, test } from 'vitest';
import { valueAt } from './json.ts';
import { startTestMock, type TestMock } from './testing/mock.ts';
import { documentedExamples, EXAMPLE_REQUESTS } from './testing/requests.ts';

// Each answer is also held against the contract, by the call itself.

let mock: TestMock;
beforeAll(async () => {
  mock = await startTestMock();
});
afterAll(() => mock.close());

const byId = (one: { id: string }) => one.id;

test.each(EXAMPLE_REQUESTS.map((request) => [byId(request), request] as const))(
  '%s answers the request of its example with a success',
  async (_id, { method, path, options, answers }) => {
    const answer = await mock.call(method, path, options);
    expect(answer.status).toBe(answers[0]?.status);
    expect(answer.text.length).toBeGreaterThan(0);
  },
);

test.each(
  documentedExamples((status) => status >= 400).map(
    (one) => [`${one.id} ${one.status} ${one.name}`, one] as const,
  ),
)('%s is there on request', async (_title, { method, path, options, status, name, value }) => {
  const headers = { Prefer: `code=${status}, example=${name}` };
  const answer = await mock.call(method, path, { ...options, headers });
  expect(answer.status).toBe(status);
  expect(answer.data).toEqual(valueAt(value, 'data'));
});

test.each(
  documentedExamples((status) => status < 300)
    .filter(({ id }) => id !== 'sendEmail')
    .map((one) => [`${one.id} ${one.name}`, one] as const),
)('%s is there on request, as it stands in the contract', async (_title, one) => {
  const headers = { Prefer: `example=${one.name}` };
  const answer = await mock.call(one.method, one.path, { ...one.options, headers });
  expect(answer.status).toBe(one.status);
  const expected = typeof one.value === 'string' ? one.value : valueAt(one.value, 'data');
  expect(typeof one.value === 'string' ? answer.text : answer.data).toEqual(expected);
});

test.each(EXAMPLE_REQUESTS.map((request) => [byId(request), request] as const))(
  '%s can be answered with generated values that keep the contract',
  async (_id, { method, path, options, answers }) => {
    for (let round = 0; round < 5; round += 1) {
      const answer = await mock.call(method, path, { ...options, headers: { Prefer: 'dynamic=true' } });
      expect(answer.status).toBe(answers[0]?.status);
    }
  },
);

test('generated values differ from one answer to the next, and belong to what was asked for', async () => {
  const generated = await startTestMock({ dynamic: true });
  const path = '/v1/accounts/6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3/api_keys';
  const pages = [];
  for (let round = 0; round < 3; round += 1)
    pages.push(await generated.call('GET', path, { token: 'any', query: { limit: 2 } }));
  const example = await generated.call('GET', path, { token: 'any', headers: { Prefer: 'dynamic=false' } });
  const login = { email: 'somebody@demo.test', password: 'correct horse', grant_type: 'password' };
  const session = await generated.call('POST', '/v1/login', { body: login });
  await generated.close();
  expect(new Set(pages.map(({ data }) => JSON.stringify(data))).size).toBe(3);
  for (const { data, meta } of pages) {
    expect(data).toHaveLength(2);
    expect(meta).toMatchObject({ limit: 2, offset: 0, total: 2 });
    expect(valueAt(data, 0, 'account_id')).toBe('6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3');
  }
  expect(valueAt(example.data, 0, 'prefix')).toMatch(/^ss_key_/);
  expect(valueAt(session.json, 'access_token')).toMatch(/^ss_at_/);
});
