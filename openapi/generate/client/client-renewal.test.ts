import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Client, createClient } from './client.ts';
import {
  type Answer,
  account,
  answerWithTokens,
  type Call,
  credentials,
  expired,
  gate,
  getAccount,
  refusal,
  type Service,
  startService,
  success,
  token,
} from './test-service.ts';

let service: Service;
afterEach(() => service.stop());

async function serve(answer: (call: Call) => Answer | Promise<Answer> | undefined): Promise<string> {
  service = await startService(answer);
  return service.baseUrl;
}

const serveWithTokens = (refresh?: 'works' | 'refused') => serve(answerWithTokens(refresh));

/** What comes of calls that are all made at once. */
function herdOf(size: number, client: Client): Promise<PromiseSettledResult<unknown>[]> {
  return Promise.allSettled(Array.from({ length: size }, () => client.getAccount(getAccount)));
}

describe('a token that is refused', () => {
  test('many calls refused at once refresh once, and are all made again', async () => {
    const baseUrl = await serveWithTokens();
    const client = createClient({ baseUrl, accessToken: 'stale', refreshToken: 'refresh-0' });
    const results = await Promise.all(Array.from({ length: 20 }, () => client.getAccount(getAccount)));

    expect(results.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(service.callsOf('/v1/token/refresh').map(({ body }) => body)).toEqual([
      { grant_type: 'refresh_token', refresh_token: 'refresh-0' },
    ]);
    expect(client.tokens).toEqual({ accessToken: 'token-1', refreshToken: 'refresh-1' });
  });

  test('a refusal that arrives after the renewal uses the new token', async () => {
    const late = gate();
    const baseUrl = await serve(async ({ url, authorization }) => {
      if (url.pathname === '/v1/token/refresh') return token('new', 'refresh-2');
      if (authorization === 'Bearer new') return success(account);
      if (url.pathname === '/v1/accounts') await late.passed;
      return expired;
    });
    const client = createClient({ baseUrl, accessToken: 'old', refreshToken: 'refresh-1' });
    const lateCall = client.createAccount({ body: { name: 'Shop', type: 'transactional' } });
    await client.getAccount(getAccount);
    late.open();
    await lateCall;
    expect(service.callsOf('/v1/token/refresh')).toHaveLength(1);
  });

  test('when the refresh token is refused too, the credentials log in', async () => {
    const baseUrl = await serveWithTokens('refused');
    const client = createClient({ baseUrl, accessToken: 'stale', refreshToken: 'stale', credentials });
    await client.getAccount(getAccount);
    expect(client.tokens?.accessToken).toBe('token-1');
  });

  test('when only a refresh token is there and it is refused, nobody logs in', async () => {
    const baseUrl = await serveWithTokens('refused');
    const client = createClient({ baseUrl, accessToken: 'stale', refreshToken: 'stale' });
    await expect(client.getAccount(getAccount)).rejects.toMatchObject({
      operationId: 'refreshToken',
      status: 401,
    });
    expect(service.callsOf('/v1/login')).toHaveLength(0);
  });

  test('when nothing can renew the token, the call itself is refused', async () => {
    const client = createClient({ baseUrl: await serve(() => expired), accessToken: 'stale' });
    await expect(client.getAccount(getAccount)).rejects.toMatchObject({
      operationId: 'getAccount',
      status: 401,
    });
    expect(service.calls).toHaveLength(1);
  });

  test('a wrong password is tried once, not once for every call', async () => {
    const client = createClient({
      baseUrl: await serveWithTokens(),
      credentials: { ...credentials, password: 'no' },
    });
    const first = await Promise.allSettled(Array.from({ length: 10 }, () => client.getAccount(getAccount)));
    expect(first.every(({ status }) => status === 'rejected')).toBe(true);
    await expect(client.getAccount(getAccount)).rejects.toMatchObject({ operationId: 'login', status: 401 });
    expect(service.callsOf('/v1/login')).toHaveLength(1);
  });

  test('a failure that may pass is tried again by the next call', async () => {
    let down = true;
    const baseUrl = await serve(({ url }) => {
      if (url.pathname !== '/v1/login') return success(account);
      return down ? refusal(500, 'INTERNAL_SERVER_ERROR') : token('t', 'r');
    });
    const client = createClient({ baseUrl, credentials });
    await expect(client.getAccount(getAccount)).rejects.toMatchObject({ status: 500 });
    down = false;
    await client.getAccount(getAccount);
  });

  test('a herd of fifty: one refresh, and each call made again once', async () => {
    const baseUrl = await serveWithTokens();
    const client = createClient({ baseUrl, accessToken: 'stale', refreshToken: 'refresh-0', credentials });
    await herdOf(50, client);
    expect(service.callsOf('/v1/token/refresh')).toHaveLength(1);
    expect(service.callsOf('/v1/login')).toHaveLength(0);
    const calls = service.callsOf(`/v1/accounts/${account.account_id}`);
    expect(calls.map(({ authorization }) => authorization).sort()).toEqual([
      ...Array(50).fill('Bearer stale'),
      ...Array(50).fill('Bearer token-1'),
    ]);
  });

  test.each<[string, () => Answer]>([
    ['refused', () => expired],
    ['answered with a fault', () => refusal(500, 'INTERNAL_SERVER_ERROR')],
    ['answered by something else', () => ({ status: 200, body: 'Welcome' })],
    [
      'lost on the way',
      () => {
        throw new Error('reset');
      },
    ],
  ])('when the refresh of a herd is %s, there is one login', async (_how, refresh) => {
    const baseUrl = await serve(({ url, authorization }) => {
      if (url.pathname === '/v1/token/refresh') return refresh();
      if (url.pathname === '/v1/login') return token('fresh', 'refresh-1');
      return authorization === 'Bearer fresh' ? success(account) : expired;
    });
    const client = createClient({ baseUrl, accessToken: 'stale', refreshToken: 'refresh-0', credentials });
    const results = await herdOf(50, client);
    expect(results.map(({ status }) => status)).toEqual(Array(50).fill('fulfilled'));
    expect(service.callsOf('/v1/token/refresh')).toHaveLength(1);
    expect(service.callsOf('/v1/login')).toHaveLength(1);
  });

  test('when logging in fails as well, every call of the herd gets the error, after one attempt of each', async () => {
    const baseUrl = await serveWithTokens('refused');
    const wrong = { ...credentials, password: 'no' };
    const client = createClient({ baseUrl, accessToken: 'stale', refreshToken: 'r', credentials: wrong });
    const results = await herdOf(50, client);
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { operationId: 'login', status: 401 } });
    }
    expect(service.callsOf('/v1/token/refresh')).toHaveLength(1);
    expect(service.callsOf('/v1/login')).toHaveLength(1);
  });

  test('a renewal that is limited waits as it is told, and nobody logs in instead', async () => {
    let limited = 2;
    const baseUrl = await serve(({ url, authorization }) => {
      if (url.pathname === '/v1/token/refresh') {
        limited -= 1;
        if (limited >= 0) return { ...refusal(429, 'RATE_LIMIT_EXCEEDED'), headers: { 'retry-after': '0' } };
        return token('fresh', 'refresh-1');
      }
      return authorization === 'Bearer fresh' ? success(account) : expired;
    });
    const stale = { accessToken: 'stale', refreshToken: 'refresh-0', credentials };
    const client = createClient({ baseUrl, ...stale, maxRetryDelayMs: 1 });
    await client.getAccount(getAccount);
    expect(service.callsOf('/v1/token/refresh')).toHaveLength(3);

    limited = 9;
    const impatient = createClient({ baseUrl, ...stale, retries: 0 });
    await expect(impatient.getAccount(getAccount)).rejects.toMatchObject({ status: 429 });
    expect(service.callsOf('/v1/login')).toHaveLength(0);
  });

  test('a caller that gives up leaves the renewal to the others', async () => {
    const refresh = gate();
    const asked = gate();
    const baseUrl = await serve(async ({ url, authorization }) => {
      if (url.pathname === '/v1/token/refresh') {
        asked.open();
        await refresh.passed;
        return token('fresh', 'refresh-1');
      }
      return authorization === 'Bearer fresh' ? success(account) : expired;
    });
    const client = createClient({ baseUrl, accessToken: 'stale', refreshToken: 'refresh-0' });
    const controller = new AbortController();
    const first = client.getAccount({ ...getAccount, signal: controller.signal });
    await asked.passed;
    const second = client.getAccount(getAccount);
    controller.abort(new Error('the page was left'));
    await expect(first).rejects.toThrow('the page was left');
    const alreadyAborted = client.getAccount({ ...getAccount, signal: controller.signal });
    await expect(alreadyAborted).rejects.toThrow('the page was left');

    refresh.open();
    await expect(second).resolves.toMatchObject({ status: 200 });
    expect(service.callsOf('/v1/token/refresh')).toHaveLength(1);
  });

  test('a caller that has given up already starts no renewal, and waits for none', async () => {
    const baseUrl = await serve(() => token('fresh', 'refresh-1'));
    const left = new Error('the page was left');
    const input = { ...getAccount, signal: AbortSignal.abort(left) };
    const untouched = vi.fn(globalThis.fetch);
    const idle = createClient({ baseUrl, credentials, fetch: untouched });
    await expect(idle.getAccount(input)).rejects.toBe(left);
    expect(untouched).not.toHaveBeenCalled();

    const controller = new AbortController();
    const never = new Promise<Response>(() => {});
    const fetch = async (request: Request): Promise<Response> => {
      if (request.url.endsWith('/token/refresh')) return never;
      controller.abort(left);
      return Response.json(expired.body, { status: 401 });
    };
    const client = createClient({ baseUrl, accessToken: 'stale', refreshToken: 'refresh-0', fetch });
    await expect(client.getAccount({ ...getAccount, signal: controller.signal })).rejects.toBe(left);
  });

  test('each renewal uses the refresh token of the one before, and after a logout there is none', async () => {
    let issued = 0;
    let valid = '';
    const baseUrl = await serve(({ url, authorization }) => {
      if (url.pathname === '/v1/token/refresh') {
        issued += 1;
        valid = `Bearer token-${issued}`;
        return token(`token-${issued}`, `refresh-${issued}`);
      }
      return authorization === valid ? success(account) : expired;
    });
    const client = createClient({ baseUrl, accessToken: 'stale', refreshToken: 'refresh-0' });
    await client.getAccount(getAccount);
    valid = 'none';
    await client.getAccount(getAccount);
    expect(service.callsOf('/v1/token/refresh').map(({ body }) => body)).toMatchObject([
      { refresh_token: 'refresh-0' },
      { refresh_token: 'refresh-1' },
    ]);
    await client.logout();
    await expect(client.getAccount(getAccount)).rejects.toThrow('needs a token');
  });

  test('who logs out during a renewal stays logged out', async () => {
    const refresh = gate();
    const asked = gate();
    const baseUrl = await serve(async ({ url, authorization }) => {
      if (url.pathname === '/v1/logout') return success('OK');
      if (url.pathname !== '/v1/token/refresh')
        return authorization === 'Bearer fresh' ? success(account) : expired;
      asked.open();
      await refresh.passed;
      return token('fresh', 'refresh-1');
    });
    const client = createClient({ baseUrl, accessToken: 'stale', refreshToken: 'refresh-0' });
    const call = client.getAccount(getAccount);
    await asked.passed;
    await client.logout();
    refresh.open();
    await call;
    expect(client.tokens).toBeUndefined();
  });

  test('a call that is refused with a new token as well is not made a third time', async () => {
    const baseUrl = await serve(({ url }) =>
      url.pathname === '/v1/login' ? token('useless', 'refresh') : expired,
    );
    const client = createClient({ baseUrl, credentials });
    await expect(client.getAccount(getAccount)).rejects.toMatchObject({
      operationId: 'getAccount',
      status: 401,
    });
    expect(service.callsOf(`/v1/accounts/${account.account_id}`)).toHaveLength(2);
  });

  test('a refresh token is enough to begin with', async () => {
    const client = createClient({ baseUrl: await serveWithTokens(), refreshToken: 'kept' });
    await client.getAccount(getAccount);
    expect(service.calls.map(({ url, body }) => [url.pathname, body])).toEqual([
      ['/v1/token/refresh', { grant_type: 'refresh_token', refresh_token: 'kept' }],
      [`/v1/accounts/${account.account_id}`, undefined],
    ]);
  });
});
