import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { createClient, type Tokens } from './client.ts';
import {
  type Answer,
  account,
  accountId,
  answerWithTokens,
  type Call,
  credentials,
  gate,
  getAccount,
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

  test('tokens are handed over to be kept, and forgotten after logout', async () => {
    const kept: (Tokens | undefined)[] = [];
    const baseUrl = await serveWithTokens();
    const client = createClient({ baseUrl, credentials, onTokens: (tokens) => kept.push(tokens) });
    await client.getAccount(getAccount);
    await client.logout();
    expect(kept).toEqual([{ accessToken: 'token-1', refreshToken: 'refresh-1' }, undefined]);
    expect(client.tokens).toBeUndefined();
  });

  test('tokens are kept before they are used, and who cannot keep them is told', async () => {
    const baseUrl = await serveWithTokens();
    const kept = gate();
    const asked = gate();
    const onTokens = (): Promise<void> => {
      asked.open();
      return kept.passed;
    };
    const call = createClient({ baseUrl, credentials, onTokens }).getAccount(getAccount);
    await asked.passed;
    expect(service.calls.map(({ url }) => url.pathname)).toEqual(['/v1/login']);
    kept.open();
    await call;

    const full = createClient({
      baseUrl,
      credentials,
      onTokens: async () => Promise.reject(new Error('disk full')),
    });
    await expect(full.getAccount(getAccount)).rejects.toThrow('disk full');
    await expect(full.logout()).rejects.toThrow('disk full');
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
