import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestMock, type TestMock } from './testing/mock.ts';

let mock: TestMock;
beforeAll(async () => {
  mock = await startTestMock();
});
afterAll(() => mock.close());

const ORIGIN = 'http://localhost:5173';

test('a preflight of any origin is allowed every method and header that the mock takes', async () => {
  const headers = {
    Origin: ORIGIN,
    'Access-Control-Request-Method': 'PATCH',
    'Access-Control-Request-Headers': 'authorization,content-type,prefer',
  };
  const answer = await fetch(`${mock.url}/v1/accounts/x`, { method: 'OPTIONS', headers });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  const listed = (name: string) => (answer.headers.get(name) ?? '').toLowerCase().split(', ');
  expect(listed('access-control-allow-methods')).toEqual(['get', 'post', 'patch', 'delete']);
  expect(listed('access-control-allow-headers')).toEqual(['authorization', 'content-type', 'prefer']);
});

test.each([
  ['a success', '/v1/accounts', 'Bearer any', {}],
  ['a 401', '/v1/accounts', '', {}],
  ['a 404', '/v1/nothing', '', {}],
  ['a 429', '/v1/accounts', 'Bearer any', { Prefer: 'code=429' }],
])(
  '%s can be read by a page of another origin, its headers too',
  async (_title, path, authorization, more) => {
    const { headers } = await mock.call('GET', path, {
      headers: { Origin: ORIGIN, Authorization: authorization, ...more },
    });
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(headers.get('vary')).toBe('Origin');
    for (const name of ['RateLimit-Limit', 'Retry-After', 'WWW-Authenticate', 'Content-Disposition']) {
      expect(headers.get('access-control-expose-headers')).toContain(name);
    }
  },
);
