import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ClientOptions, createClient } from '../generated/client.ts';
import { startApi, type TestApi, type TestTenant } from './testing.ts';

// The generated client against the service itself, where only both together show that it holds.

let api: TestApi;
let tenant: TestTenant;
let requests: string[];

beforeAll(async () => {
  api = await startApi();
  tenant = await api.createTenant('demo.test');
});
afterAll(() => api.close());
afterEach(() => expect(api.takeFaults()).toEqual([]));

/** A client that writes down what it asks for; `lose` says which answers do not reach it, though the service gave them. */
function clientOf(
  options: Partial<ClientOptions>,
  lose: (path: string, count: number) => boolean = () => false,
) {
  requests = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    requests.push(pathname);
    const response = await globalThis.fetch(request);
    if (!lose(pathname, requests.filter((path) => path === pathname).length)) return response;
    await response.arrayBuffer();
    throw new TypeError('The connection is lost.');
  };
  return createClient({ baseUrl: api.baseUrl, fetch, maxRetryDelayMs: 1, ...options });
}

const countOf = (path: string): number => requests.filter((one) => one === path).length;

describe('a session that has grown old', () => {
  it('is renewed once for fifty calls, though each refresh token is good for one use', async () => {
    const { token: accessToken, refreshToken } = await api.signIn(tenant.owner);
    await api.advance(3_700);
    const client = clientOf({ accessToken, refreshToken });
    const pages = await Promise.all(Array.from({ length: 50 }, () => client.listAccounts()));
    expect(pages.map(({ data }) => data[0]?.account_id)).toEqual(Array(50).fill(tenant.account.account_id));
    expect(countOf('/v1/token/refresh')).toBe(1);
    expect(countOf('/v1/accounts')).toBe(100);
    expect(client.tokens?.refreshToken).not.toBe(refreshToken);
    await client.logout();
  });

  it('is begun anew when the answer to the refresh was lost, which used the refresh token up', async () => {
    const { token: accessToken, refreshToken, email, password } = await api.signIn(tenant.owner);
    await api.advance(3_700);
    const lose = (path: string): boolean => path === '/v1/token/refresh';
    const client = clientOf({ accessToken, refreshToken, credentials: { email, password } }, lose);
    await client.listAccounts();
    expect([countOf('/v1/token/refresh'), countOf('/v1/login')]).toEqual([1, 1]);
  });
});

describe('a mail whose answer is lost', () => {
  const mailOf = (custom_id: string, custom_id_unique: boolean) => ({
    from: { email: 'hello@demo.test' },
    to: [{ email: 'ada@customer.test' }],
    subject: 'Your order',
    body: { text: 'It is on its way.' },
    custom_id,
    custom_id_unique,
  });
  const loseFirst = (path: string, count: number): boolean => path === '/v1/send_email' && count === 1;
  const options = (): Partial<ClientOptions> => ({
    apiKey: { accountId: tenant.account.account_id, apiKey: tenant.account.api_key },
    credentials: tenant.owner,
  });
  const accepted = async (message_custom_id: string): Promise<number> =>
    (await clientOf(options()).listMessages({ query: { message_custom_id } })).meta.total;

  it('is sent again under its unique id, and accepted once', async () => {
    const client = clientOf(options(), loseFirst);
    const { status, data } = await client.sendEmail({ body: [mailOf('order-1', true)] });
    expect(status).toBe(207);
    expect(data).toMatchObject([{ status: 'rejected', code: 'CUSTOM_ID_NOT_UNIQUE' }]);
    expect(countOf('/v1/send_email')).toBe(2);
    expect(await accepted('order-1')).toBe(1);
  });

  it('is left to the caller without one', async () => {
    const client = clientOf(options(), loseFirst);
    await expect(client.sendEmail({ body: [mailOf('order-2', false)] })).rejects.toThrow('lost');
    expect(countOf('/v1/send_email')).toBe(1);
    expect(await accepted('order-2')).toBe(1);
  });
});
