import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { createClient, isErrorOf, SendspecError, type Tokens } from './client-runtime.ts';
import { type Answer, type Call, collect, refusal, startService, success, token } from './test-service.ts';

type Service = Awaited<ReturnType<typeof startService>>;

const accountId = '6f1c2b9e-3a44-4a0e-9a51-0d6f3b1c7e21';
const account = { account_id: accountId, name: 'Shop', status: 'active', type: 'transactional' };
const credentials = { email: 'owner@demo.test', password: 'correct horse battery staple' };
const expired = refusal(401, 'INVALID_CREDENTIALS');

let service: Service;
afterEach(() => service.stop());

async function serve(answer: (call: Call) => Answer | Promise<Answer> | undefined): Promise<string> {
  service = await startService(answer);
  return service.baseUrl;
}

/** A service that knows one valid token at a time, and hands out token-1, token-2, ... */
async function serveWithTokens(refresh: 'works' | 'refused' = 'works'): Promise<string> {
  let issued = 0;
  return serve(({ url, authorization, body }) => {
    if (url.pathname === '/v1/login') {
      const { password } = body as typeof credentials;
      if (password !== credentials.password) return refusal(401, 'INVALID_CREDENTIALS');
      issued += 1;
      return token(`token-${issued}`, `refresh-${issued}`);
    }
    if (url.pathname === '/v1/token/refresh') {
      if (refresh === 'refused') return expired;
      issued += 1;
      return token(`token-${issued}`, `refresh-${issued}`);
    }
    if (authorization !== `Bearer token-${issued}` || issued === 0) return expired;
    if (url.pathname === '/v1/logout') return success('OK');
    return success(account);
  });
}

const getAccount = { path: { account_id: accountId } };

describe('authentication', () => {
  test('sendEmail carries the account id and the key, whatever letters they hold', async () => {
    const baseUrl = await serve(() => ({ status: 200, body: { data: [], meta: {} } }));
    const client = createClient({ baseUrl, apiKey: { accountId, apiKey: 'clé' } });
    await client.sendEmail({ body: [] });

    const [call] = service.calls;
    expect(call?.authorization).toBe(`Basic ${Buffer.from(`${accountId}:clé`).toString('base64')}`);
    expect(call?.method).toBe('POST');
    expect(call?.body).toEqual([]);
  });

  test('sendEmail without a key says which option is missing, and calls nobody', async () => {
    const baseUrl = await serve(() => undefined);
    await expect(createClient({ baseUrl, credentials }).sendEmail({ body: [] })).rejects.toThrow('apiKey');
    expect(service.calls).toEqual([]);
  });

  test('a call without any means to get a token says so, and calls nobody', async () => {
    const baseUrl = await serve(() => undefined);
    await expect(createClient({ baseUrl }).listAccounts()).rejects.toThrow(TypeError);
    expect(service.calls).toEqual([]);
  });

  test('a given token is used as it is', async () => {
    const baseUrl = await serve(() => success(account));
    const { data } = await createClient({ baseUrl, accessToken: 'mine' }).getAccount(getAccount);
    expect(data).toEqual(account);
    expect(service.calls.map((call) => call.authorization)).toEqual(['Bearer mine']);
  });

  test('a public operation carries no credentials, though there are some', async () => {
    const baseUrl = await serve(() => token('new', 'refresh'));
    const client = createClient({ baseUrl, accessToken: 'old', credentials });
    await client.login({ body: { ...credentials, grant_type: 'password' } });
    expect(service.calls.map((call) => call.authorization)).toEqual([undefined]);
    expect(client.tokens).toEqual({ accessToken: 'new', refreshToken: 'refresh' });
  });

  test('many first calls log in once', async () => {
    const client = createClient({ baseUrl: await serveWithTokens(), credentials });
    await Promise.all(Array.from({ length: 20 }, () => client.getAccount(getAccount)));
    expect(service.callsOf('/v1/login')).toHaveLength(1);
    expect(service.callsOf('/v1/token/refresh')).toHaveLength(0);
  });

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
    let letLateOneGo = (): void => {};
    const late = new Promise<void>((done) => {
      letLateOneGo = done;
    });
    const baseUrl = await serve(async ({ url, authorization }) => {
      if (url.pathname === '/v1/token/refresh') return token('new', 'refresh-2');
      if (authorization === 'Bearer new') return success(account);
      if (url.pathname === '/v1/accounts') await late;
      return expired;
    });
    const client = createClient({ baseUrl, accessToken: 'old', refreshToken: 'refresh-1' });
    const lateCall = client.createAccount({ body: { name: 'Shop', type: 'transactional' } });
    await client.getAccount(getAccount);
    letLateOneGo();
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

  test('tokens are handed over to be kept, and forgotten after logout', async () => {
    const kept: (Tokens | undefined)[] = [];
    const baseUrl = await serveWithTokens();
    const client = createClient({ baseUrl, credentials, onTokens: (tokens) => kept.push(tokens) });
    await client.getAccount(getAccount);
    await client.logout();
    expect(kept).toEqual([{ accessToken: 'token-1', refreshToken: 'refresh-1' }, undefined]);
    expect(client.tokens).toBeUndefined();
  });

  test('a client that is written to a log shows no secrets', async () => {
    const baseUrl = await serveWithTokens();
    const apiKey = { accountId, apiKey: 'ss_key_secret' };
    const client = createClient({ baseUrl, credentials, apiKey });
    await client.getAccount(getAccount);
    const shown = inspect(client, { depth: 10, showHidden: false }) + JSON.stringify(client);
    expect(shown).not.toMatch(/token-1|ss_key_secret|battery/);
  });
});

describe('errors', () => {
  test('carry status, code, fields and the time to wait', async () => {
    const fieldError = {
      field: 'name',
      value: '',
      errors: [{ code: 'REQUIRED', description: 'A name is required.' }],
    };
    const baseUrl = await serve(() => ({
      ...refusal(422, 'VALIDATION_ERROR', [fieldError]),
      headers: { 'retry-after': '7' },
    }));
    const client = createClient({ baseUrl, accessToken: 't' });
    const error = await client
      .createAccount({ body: { name: '', type: 'marketing' } })
      .catch((caught) => caught);

    expect(error).toBeInstanceOf(SendspecError);
    expect(error).toMatchObject({
      operationId: 'createAccount',
      status: 422,
      code: 'VALIDATION_ERROR',
      errors: [fieldError],
      fieldErrors: [fieldError],
      retryAfter: 7,
      message: 'createAccount: 422 VALIDATION_ERROR; name: A name is required.',
    });
    expect(isErrorOf('createAccount', error)).toBe(true);
    expect(isErrorOf('getAccount', error)).toBe(false);
  });

  test.each([
    ['text', 'Bad gateway'],
    ['JSON of another shape', { message: 'Bad gateway' }],
    ['null', null],
  ])('an answer that is not the service’s own (%s) is told apart', async (_kind, body) => {
    const baseUrl = await serve(() => ({ status: 502, body }));
    const error = await createClient({ baseUrl, accessToken: 't' })
      .getAccount(getAccount)
      .catch((caught) => caught);
    expect(error).toMatchObject({
      status: 502,
      code: 'UNEXPECTED_RESPONSE',
      errors: [],
      retryAfter: undefined,
    });
    expect(isErrorOf('getAccount', error)).toBe(false);
  });

  test('no answer at all is what fetch throws, and an aborted call is aborted', async () => {
    const baseUrl = await serve(() => success(account));
    const client = createClient({ baseUrl, accessToken: 't' });
    const signal = AbortSignal.abort();
    await expect(client.getAccount({ ...getAccount, signal })).rejects.toMatchObject({ name: 'AbortError' });
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', accessToken: 't' });
    await expect(nobody.getAccount(getAccount)).rejects.toBeInstanceOf(TypeError);
  });
});

describe('lists', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];

  function serveList(total = names.length): Promise<string> {
    return serve(({ url }) => {
      const offset = Number(url.searchParams.get('offset') ?? 0);
      const limit = Number(url.searchParams.get('limit') ?? 30);
      const data = names.slice(offset, offset + limit).map((name) => ({ ...account, name }));
      return success(data, { limit, offset, total });
    });
  }

  test('a call gives one page with its meta', async () => {
    const client = createClient({ baseUrl: await serveList(), accessToken: 't' });
    const { data, meta } = await client.listAccounts({ query: { limit: 2, name: 'a b&c' } });
    expect(data.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(meta.total).toBe(5);
    expect(service.calls[0]?.url.searchParams.get('name')).toBe('a b&c');
  });

  test('pages go on to the end and keep the filters', async () => {
    const client = createClient({ baseUrl: await serveList(), accessToken: 't' });
    const pages = await collect(client.listAccounts.pages({ query: { limit: 2, type: 'marketing' } }));
    expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1]);
    expect(service.calls.map(({ url }) => url.searchParams.get('offset'))).toEqual(['0', '2', '4']);
    expect(service.calls.every(({ url }) => url.searchParams.get('type') === 'marketing')).toBe(true);
  });

  test('all items, from an offset on, without a page too many', async () => {
    const client = createClient({ baseUrl: await serveList(), accessToken: 't' });
    const items = await collect(client.listAccounts.all({ query: { limit: 2, offset: 1 } }));
    expect(items.map(({ name }) => name)).toEqual(['b', 'c', 'd', 'e']);
    expect(service.calls).toHaveLength(2);
  });

  test('a total that counts more than there is does not go on for ever', async () => {
    const client = createClient({ baseUrl: await serveList(1000), accessToken: 't' });
    expect(await collect(client.listAccounts.all())).toHaveLength(5);
    expect(service.calls).toHaveLength(2);
  });

  test('leaving the loop early asks for no further page', async () => {
    const client = createClient({ baseUrl: await serveList(), accessToken: 't' });
    for await (const { name } of client.listAccounts.all({ query: { limit: 1 } })) {
      if (name === 'b') break;
    }
    expect(service.calls).toHaveLength(2);
  });

  test('array filters repeat their name', async () => {
    const client = createClient({ baseUrl: await serveList(), accessToken: 't' });
    await client.listMessages({ query: { 'account_ids[]': ['one', 'two'] } });
    expect(service.calls[0]?.url.searchParams.getAll('account_ids[]')).toEqual(['one', 'two']);
  });
});

describe('the export', () => {
  test('arrives as text, letters whole', async () => {
    const csv = `message_id,subject\r\n${'é€😀'.repeat(50_000)}\r\n`;
    const baseUrl = await serve(() => ({ status: 200, body: csv, headers: { 'content-type': 'text/csv' } }));
    const { data } = await createClient({ baseUrl, accessToken: 't' }).exportMessages();
    expect((await collect(data)).join('')).toBe(csv);
  });

  test('is refused like any other call', async () => {
    const client = createClient({ baseUrl: await serve(() => expired), accessToken: 't' });
    await expect(client.exportMessages()).rejects.toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' });
  });
});
