import { afterEach, describe, expect, test } from 'vitest';
import { addressKey } from './client-address.ts';
import { type RunningApp, startApp, TOKEN, VIEWER_TOKEN } from './fixtures/example-app.ts';
import { ask, requestText } from './fixtures/raw-http.ts';
import { createRateLimiter } from './rate-limit.ts';

const OWNER = { Authorization: `Bearer ${TOKEN}` };
const LOGIN = '{"email": "ada@demo.test", "password": "secret", "grant_type": "password"}';

let app: RunningApp | undefined;
afterEach(async () => {
  expect(app?.faults ?? []).toEqual([]);
  await app?.close();
});

async function start(parts: Parameters<typeof startApp>[0]): Promise<number> {
  app = await startApp(parts);
  return app.port;
}

describe('the rate limit', () => {
  test('counts each caller by itself and says where it stands', async () => {
    const port = await start({ rateLimiter: createRateLimiter(2) });
    const list = (token: string) =>
      ask(port, requestText('GET /v1/accounts', { Authorization: `Bearer ${token}` }));
    const first = await list(TOKEN);
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' });
    expect((await list(TOKEN)).headers['ratelimit-remaining']).toBe('0');
    const refused = await list(TOKEN);
    expect([refused.status, refused.headers['ratelimit-remaining']]).toEqual([429, '0']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await list(VIEWER_TOKEN)).status).toBe(200);
  });

  test('0 sets none, and still says what the contract wants to hear', async () => {
    const port = await start({ rateLimiter: createRateLimiter(0) });
    for (let request = 0; request < 5; request += 1) {
      const answer = await ask(port, requestText('GET /v1/accounts', OWNER));
      expect([answer.status, answer.headers['ratelimit-limit']]).toEqual([200, '2147483647']);
    }
  });

  test('counts public operations by the address of the connection, whatever X-Forwarded-For says', async () => {
    const port = await start({ rateLimiter: createRateLimiter(1) });
    const login = (from: string) =>
      ask(port, requestText('POST /v1/login', { 'X-Forwarded-For': from }, LOGIN));
    expect((await login('192.0.2.1')).status).toBe(200);
    expect((await login('192.0.2.2')).status).toBe(429);
  });

  test('behind a trusted proxy counts by the address that the proxy wrote last', async () => {
    const port = await start({ rateLimiter: createRateLimiter(1), trustProxy: true });
    const login = (from: string) =>
      ask(port, requestText('POST /v1/login', { 'X-Forwarded-For': from }, LOGIN));
    expect((await login('192.0.2.1')).status).toBe(200);
    expect((await login('192.0.2.2')).status).toBe(200);
    expect((await login('198.51.100.7, 192.0.2.1')).status).toBe(429);
    expect((await login('2001:db8::1')).status).toBe(200);
    expect((await login('2001:db8::ffff:2')).status).toBe(429);
  });

  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s counts as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});

describe('browsers', () => {
  const page = { Origin: 'https://shop.test' };
  const preflight = { ...page, 'Access-Control-Request-Method': 'POST' };

  test('of other origins get nothing by default, and OPTIONS is no endpoint', async () => {
    const port = await start({});
    const answer = await ask(port, requestText('OPTIONS /v1/accounts', preflight));
    expect(answer.status).toBe(404);
    const list = await ask(port, requestText('GET /v1/accounts', { ...OWNER, ...page }));
    expect(Object.keys(list.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('of an allowed origin may call, and read the headers and the errors', async () => {
    const port = await start({ corsOrigins: ['https://shop.test'] });
    const answer = await ask(port, requestText('OPTIONS /v1/accounts', preflight));
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://shop.test',
      'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
      'access-control-allow-headers': 'Authorization, Content-Type',
      vary: 'Origin',
    });
    for (const [line, headers] of [
      ['GET /v1/accounts', { ...OWNER, ...page }],
      ['GET /v1/accounts', page],
      ['GET /v1/nothing', page],
    ] as const) {
      const read = await ask(port, requestText(line, headers));
      expect(read.headers['access-control-allow-origin']).toBe('https://shop.test');
      expect(read.headers['access-control-expose-headers']).toContain('RateLimit-Remaining');
    }
  });

  test('of an origin that is not allowed are refused, and so is OPTIONS that is no preflight', async () => {
    const port = await start({ corsOrigins: ['https://shop.test'] });
    const foreign = { ...preflight, Origin: 'https://shop.test.evil.test' };
    for (const headers of [foreign, page, {}]) {
      expect((await ask(port, requestText('OPTIONS /v1/accounts', headers))).status).toBe(404);
    }
  });
});
