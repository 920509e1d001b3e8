import { afterEach, describe, expect, test } from 'vitest';
import { createClient, isErrorOf, SendspecError } from './client.ts';
import {
  type Answer,
  account,
  type Call,
  collect,
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

  test('no answer at all is what fetch throws, and an aborted call is aborted', async () => {
    const baseUrl = await serve(() => success(account));
    const client = createClient({ baseUrl, accessToken: 't' });
    const signal = AbortSignal.abort();
    await expect(client.getAccount({ ...getAccount, signal })).rejects.toMatchObject({ name: 'AbortError' });
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', accessToken: 't', retries: 0 });
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
