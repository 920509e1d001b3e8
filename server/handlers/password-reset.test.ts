import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, startApi, type TestApi, told } from '../testing.ts';

const HOUR = 3_600;

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const unauthorized = { status: 401, code: 'INVALID_CREDENTIALS' };
const login = (email: string, password: string) =>
  api.call('POST', '/v1/login', { body: { grant_type: 'password', email, password } });
const refresh = (refresh_token: string) =>
  api.call('POST', '/v1/token/refresh', { body: { grant_type: 'refresh_token', refresh_token } });
const isSignedIn = async (token: string) => (await api.call('GET', '/v1/accounts', { token })).status === 200;

const request = (email: string) => api.call('POST', '/v1/password_reset', { body: { email } });
const confirm = (token: string, password: string) =>
  api.call('POST', '/v1/password_reset/confirm', { body: { token, password } });
const notFound = { status: 409, code: 'PASSWORD_RESET_NOT_FOUND' };

/** The tokens that were mailed to an address, newest first, once there are so many. */
async function mailedTokens(email: string, count: number): Promise<string[]> {
  return eventually(async () => {
    const mails = await api.mailsTo(email);
    const tokens = mails.map((mail) => /^ss_pr_[\w-]{43}\r$/m.exec(mail)?.[0].trim() ?? mail);
    return tokens.length === count ? tokens : undefined;
  });
}

describe('a forgotten password', () => {
  test('is replaced with the token from a mail, which ends every session', async () => {
    const user = await api.register();
    const other = await api.signIn(user);
    expect(await request(user.email.toUpperCase())).toMatchObject({ status: 200, data: 'OK' });
    const [token = ''] = await mailedTokens(user.email, 1);
    expect(await isSignedIn(user.token)).toBe(true);
    expect(await confirm(token, 'a new password')).toMatchObject({ status: 200, data: 'OK' });
    for (const session of [user, other]) {
      expect(await isSignedIn(session.token)).toBe(false);
      expect(await refresh(session.refreshToken)).toMatchObject(unauthorized);
    }
    expect(await login(user.email, user.password)).toMatchObject(unauthorized);
    expect((await login(user.email, 'a new password')).status).toBe(200);
    expect(await confirm(token, 'yet another one')).toMatchObject(notFound);
  });

  test('is mailed from where the zone has an SPF record, and to where answers go no further', async () => {
    const user = await api.register();
    await request(user.email);
    await mailedTokens(user.email, 1);
    const [mail] = await api.store.sandbox.captured({ to: user.email, limit: 1 });
    expect(mail?.from).toBe('no-reply@bounces.mail.sendspec.test');
    expect(Buffer.from(mail?.raw ?? []).toString()).toMatch(
      /^From: sendspec <no-reply@mail\.sendspec\.test>\r$/m,
    );
  });

  test('does not tell whether somebody has the address, and writes to nobody else', async () => {
    const user = await api.register();
    const known = await request(user.email);
    const unknown = await request('nobody@customer.test');
    expect(told(unknown)).toEqual(told(known));
    await mailedTokens(user.email, 1);
    expect(await api.mailsTo('nobody@customer.test')).toEqual([]);
  });

  test('is replaced with the newest token only, within the hour', async () => {
    const user = await api.register();
    await request(user.email);
    const [first = ''] = await mailedTokens(user.email, 1);
    await request(user.email);
    const tokens = await mailedTokens(user.email, 2);
    expect(await confirm(first, 'a new password')).toMatchObject(notFound);
    const [second = ''] = tokens.filter((token) => token !== first);
    expect(await confirm(second, 'short')).toMatchObject({ status: 422, errors: [{ field: 'password' }] });
    await api.advance(HOUR - 60);
    expect((await confirm(second, 'a new password')).status).toBe(200);
    await request(user.email);
    const [third = ''] = (await mailedTokens(user.email, 3)).filter((token) => !tokens.includes(token));
    await api.advance(HOUR + 1);
    expect(await confirm(third, 'too late')).toMatchObject(notFound);
  });

  test('can no longer be replaced after the password or the address has changed', async () => {
    for (const change of [
      { password: 'another password' },
      { email: `new-${crypto.randomUUID()}@customer.test` },
    ]) {
      const user = await api.register();
      await request(user.email);
      const [token = ''] = await mailedTokens(user.email, 1);
      expect(await user.call('PATCH', `/v1/users/${user.user_id}`, { body: change })).toMatchObject({
        status: 200,
      });
      expect(await confirm(token, 'stolen from the mail')).toMatchObject(notFound);
    }
  });

  test('is not replaced with a token that nobody was sent', async () => {
    for (const token of ['x', 'ss_pr_', (await api.register()).token]) {
      expect(await confirm(token, 'a new password')).toMatchObject(notFound);
    }
  });
});
