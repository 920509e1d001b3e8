import { afterEach, describe, expect, test } from 'vitest';
import { createClient, isErrorOf, SendspecError } from './client.ts';
import {
  type Answer,
  account,
  type Call,
  collect,
  credentials,
  getAccount,
  refusal,
  type Service,
  startService,
  success,
} from './test-service.ts';

let service: Service;
afterEach(() => service.stop());

async function serve(answer: (call: Call) => Answer | Promise<Answer> | undefined): Promise<string> {
  service = await startService(answer);
  return service.baseUrl;
}

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
    const error = await createClient({ baseUrl, accessToken: 't', retries: 0 })
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

  test.each([
    ['a page', '<title>Sign in to the network</title>'],
    ['nothing', ''],
    ['null', null],
    ['JSON without an envelope', { account_id: 'x' }],
    ['an envelope without meta', { data: {} }],
  ])('a good status with %s is not taken for a result', async (_kind, body) => {
    const client = createClient({ baseUrl: await serve(() => ({ status: 200, body })), accessToken: 't' });
    const error = await client.getAccount(getAccount).catch((caught) => caught);
    expect(error).toBeInstanceOf(SendspecError);
    expect(error).toMatchObject({ status: 200, code: 'UNEXPECTED_RESPONSE' });
    expect(error.message).toContain('check baseUrl');
    await expect(client.exportMessages()).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
  });

  test.each<[string, number, string, string]>([
    ['a page', 502, '<html>\n  <title>Bad gateway</title>', 'text/plain: <html> <title>Bad gateway</title>;'],
    ['a long page', 200, 'x'.repeat(5000), `text/plain: ${'x'.repeat(200)};`],
    ['nothing', 503, '', 'text/plain: nothing;'],
  ])('what came instead is said, and kept: %s', async (_kind, status, body, said) => {
    const baseUrl = await serve(() => ({ status, body }));
    const client = createClient({ baseUrl, accessToken: 't', retries: 0 });
    const error = await client.getAccount(getAccount).catch((caught) => caught);
    expect(error.message).toContain(
      `getAccount: ${status} UNEXPECTED_RESPONSE; not an answer of the service`,
    );
    expect(error.message).toContain(said);
    expect(error.body ?? '').toBe(body);
  });

  test('the body of a refusal is kept, too', async () => {
    const answer = refusal(409, 'ACCOUNT_NOT_FOUND');
    const client = createClient({ baseUrl: await serve(() => answer), accessToken: 't' });
    await expect(client.getAccount(getAccount)).rejects.toMatchObject({ body: answer.body });
  });

  test('a redirect is not followed, and the error names where it leads', async () => {
    const baseUrl = await serve(({ url }) =>
      url.pathname === '/elsewhere'
        ? success([])
        : { status: 301, body: '', headers: { location: '/elsewhere' } },
    );
    const client = createClient({ baseUrl, accessToken: 't', apiKey: { accountId: 'a', apiKey: 'k' } });
    for (const call of [client.getAccount(getAccount), client.sendEmail({ body: [] })]) {
      await expect(call).rejects.toThrow('a redirect to /elsewhere; check baseUrl');
    }
    expect(service.callsOf('/elsewhere')).toEqual([]);
  });

  test('no answer at all is what fetch throws, and an aborted call is aborted', async () => {
    const baseUrl = await serve(() => success(account));
    const client = createClient({ baseUrl, accessToken: 't' });
    const signal = AbortSignal.abort();
    await expect(client.getAccount({ ...getAccount, signal })).rejects.toMatchObject({ name: 'AbortError' });
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', accessToken: 't', retries: 0 });
    await expect(nobody.getAccount(getAccount)).rejects.toBeInstanceOf(TypeError);
  });
});

describe('what never leaves', () => {
  test.each(['', '.', '..'])('a path parameter of "%s", which would reach another endpoint', async (id) => {
    const baseUrl = await serve(() => success(account));
    const client = createClient({ baseUrl, accessToken: 't', credentials });
    const call = client.revokeApiKey({ path: { ...getAccount.path, api_key_id: id } });
    await expect(call).rejects.toThrow(TypeError);
    await expect(call).rejects.toThrow(`revokeApiKey needs path.api_key_id, and "${id}" is none.`);
    expect(service.calls).toEqual([]);
  });

  test('a path parameter that is not there', async () => {
    const client = createClient({ baseUrl: await serve(() => success(account)), accessToken: 't' });
    const input: object = {};
    await expect(client.getAccount(input as typeof getAccount)).rejects.toThrow('needs path.account_id');
    expect(service.calls).toEqual([]);
  });

  test('what looks like a path or a query in a path parameter', async () => {
    const client = createClient({ baseUrl: await serve(() => success(account)), accessToken: 't' });
    await client.getAccount({ path: { account_id: '../x?y#z\\%2e' } });
    expect(service.calls[0]?.url.href).toBe('http://service.test/v1/accounts/..%2Fx%3Fy%23z%5C%252e');
  });

  test.each(['', 'localhost:8443', 'mail.example.com', 'file:///v1', undefined])(
    'anything to a baseUrl of %j',
    async (baseUrl) => {
      await serve(() => undefined);
      const options: { baseUrl: unknown } = { baseUrl };
      expect(() => createClient(options as { baseUrl: string })).toThrow('baseUrl has to be an address');
    },
  );
});

test('a baseUrl may have a path, with or without a slash at its end', async () => {
  const baseUrl = await serve(() => success(account));
  for (const end of ['/mail', '/mail/', '/mail//']) {
    await createClient({ baseUrl: baseUrl + end, accessToken: 't' }).getAccount(getAccount);
  }
  expect(new Set(service.calls.map(({ url }) => url.pathname))).toEqual(
    new Set([`/mail/v1/accounts/${account.account_id}`]),
  );
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
