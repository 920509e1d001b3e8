import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startApi, type TestApi, type TestTenant, told } from '../testing.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startApi();
  tenant = await api.createTenant();
});
afterAll(() => api.close());

const unauthorized = { status: 401, code: 'INVALID_CREDENTIALS' };

const login = (body: Record<string, unknown>) =>
  api.call('POST', '/v1/login', { body: { grant_type: 'password', ...body } });
const refresh = (refresh_token: string) =>
  api.call('POST', '/v1/token/refresh', { body: { grant_type: 'refresh_token', refresh_token } });
const isSignedIn = async (token: string) => {
  const { status } = await api.call('GET', '/v1/accounts', { token });
  expect([200, 401]).toContain(status);
  return status === 200;
};

/** The pair of tokens that an answer carries. */
function tokensOf({ json }: Answer): { access_token: string; refresh_token: string } {
  expect(json).toEqual({
    token_type: 'Bearer',
    expires_in: HOUR,
    access_token: expect.stringMatching(/^ss_at_/),
    refresh_token: expect.stringMatching(/^ss_rt_/),
  });
  return json as { access_token: string; refresh_token: string };
}

describe('login', () => {
  test('answers tokens outside of the envelope, whatever the case of the address', async () => {
    const { email, password } = tenant.owner;
    const answer = await login({ email: email.toUpperCase(), password });
    expect(answer.status).toBe(200);
    const tokens = tokensOf(answer);
    expect(await isSignedIn(tokens.access_token)).toBe(true);
    expect(await isSignedIn(tokens.refresh_token)).toBe(false);
  });

  test('does not tell a wrong password from an unknown address', async () => {
    const { email, password } = tenant.owner;
    const wrong = await login({ email, password: `${password}.` });
    expect(wrong).toMatchObject(unauthorized);
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Bearer /);
    const unknown = await login({ email: 'nobody@demo.test', password });
    expect(told(unknown)).toEqual(told(wrong));
    expect(wrong.text).not.toContain(email);
  });

  test('asks for JSON, then for its shape, then for the right credentials', async () => {
    const post = (rawBody: string) => api.call('POST', '/v1/login', { rawBody });
    expect(await post('{"email":')).toMatchObject({ status: 400, code: 'INVALID_JSON' });
    expect(await post('')).toMatchObject({ status: 400, code: 'INVALID_JSON' });
    const answer = await login({ email: 'nobody', password: '', grant_type: 'refresh_token' });
    expect(answer).toMatchObject({
      status: 422,
      code: 'VALIDATION_ERROR',
      errors: expect.arrayContaining([
        { field: 'email', value: 'nobody', errors: [expect.objectContaining({ code: 'INVALID_EMAIL' })] },
        { field: 'password', value: '', errors: [expect.objectContaining({ code: 'MIN' })] },
        {
          field: 'grant_type',
          value: 'refresh_token',
          errors: [expect.objectContaining({ code: 'CHOICE' })],
        },
      ]),
    });
    const empty = await api.call('POST', '/v1/login', { body: {} });
    const fields = (empty.errors as { field: string; errors: { code: string }[] }[]).map(
      ({ field, errors }) => [field, errors[0]?.code],
    );
    expect(fields.toSorted()).toEqual([
      ['email', 'REQUIRED'],
      ['grant_type', 'REQUIRED'],
      ['password', 'REQUIRED'],
    ]);
  });

  test('never repeats a password in an error', async () => {
    const password = `${'secret'.repeat(200)}`;
    const answer = await login({ email: 'x', password });
    expect(answer.status).toBe(422);
    expect(answer.text).not.toContain('secret');
  });
});

describe('a bearer token', () => {
  test.each([
    ['nothing', {}],
    ['an empty token', { authorization: 'Bearer ' }],
    ['a made-up token', { authorization: 'Bearer ss_at_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['another scheme', { authorization: 'Digest username="x"' }],
    ['two tokens', { authorization: 'Bearer a, Bearer b' }],
  ])('is missed when %s is sent', async (_what, headers) => {
    const answer = await api.call('GET', '/v1/accounts', { headers });
    expect(answer).toMatchObject(unauthorized);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
    expect(answer.headers.has('ratelimit-limit')).toBe(false);
  });

  test('may follow its scheme in any case', async () => {
    const headers = { authorization: `bEARER ${tenant.owner.token}` };
    expect((await api.call('GET', '/v1/accounts', { headers })).status).toBe(200);
  });

  test('and an API key do not stand in for each other', async () => {
    const { account, owner } = tenant;
    expect(await api.call('GET', '/v1/accounts', { basic: account })).toMatchObject(unauthorized);
    expect(await api.call('GET', '/v1/accounts', { token: account.api_key })).toMatchObject(unauthorized);
    expect(await api.call('POST', '/v1/send_email', { token: owner.token, body: [] })).toMatchObject(
      unauthorized,
    );
    const basic = { account_id: account.account_id, api_key: owner.token };
    const answer = await api.call('POST', '/v1/send_email', { basic, body: [] });
    expect(answer).toMatchObject(unauthorized);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
  });
});

describe('logging out', () => {
  test('ends this session with both its tokens, and no other', async () => {
    const [session, other] = [await api.signIn(tenant.owner), await api.signIn(tenant.owner)];
    expect(await session.call('POST', '/v1/logout')).toMatchObject({ status: 200, data: 'OK' });
    expect(await isSignedIn(session.token)).toBe(false);
    expect(await refresh(session.refreshToken)).toMatchObject(unauthorized);
    expect(await session.call('POST', '/v1/logout')).toMatchObject(unauthorized);
    expect(await isSignedIn(other.token)).toBe(true);
  });

  test('is for viewers, too, and does not look at a body', async () => {
    const session = await api.signIn(tenant.viewer);
    const answer = await session.call('POST', '/v1/logout', { rawBody: '{"not json' });
    expect(answer).toMatchObject({ status: 200, data: 'OK' });
    expect(await isSignedIn(session.token)).toBe(false);
  });
});

describe('refreshing', () => {
  test('exchanges the pair of tokens for a new one', async () => {
    const session = await api.signIn(tenant.owner);
    const answer = await refresh(session.refreshToken);
    expect(answer.status).toBe(200);
    const next = tokensOf(answer);
    expect(next.access_token).not.toBe(session.token);
    expect(next.refresh_token).not.toBe(session.refreshToken);
    expect(await isSignedIn(session.token)).toBe(false);
    expect(await isSignedIn(next.access_token)).toBe(true);
    expect((await refresh(next.refresh_token)).status).toBe(200);
  });

  test('with a token for the second time ends the session', async () => {
    const session = await api.signIn(tenant.owner);
    const next = tokensOf(await refresh(session.refreshToken));
    expect(await refresh(session.refreshToken)).toMatchObject(unauthorized);
    expect(await isSignedIn(next.access_token)).toBe(false);
    expect(await refresh(next.refresh_token)).toMatchObject(unauthorized);
  });

  test('with one token many times at once succeeds once, and ends the session', async () => {
    const session = await api.signIn(tenant.owner);
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(session.refreshToken)));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    const [next] = winners.map(tokensOf);
    expect(await isSignedIn(next?.access_token ?? '')).toBe(false);
  });

  test('takes refresh tokens only', async () => {
    const { token } = await api.signIn(tenant.owner);
    for (const other of [token, 'ss_rt_', 'nonsense'])
      expect(await refresh(other)).toMatchObject(unauthorized);
    const body = { grant_type: 'password', refresh_token: 'ss_rt_' };
    expect(await api.call('POST', '/v1/token/refresh', { body })).toMatchObject({
      status: 422,
      errors: [{ field: 'grant_type', value: 'password' }],
    });
  });
});

describe('a session', () => {
  test('has an access token for an hour, and a refresh token for 30 days', async () => {
    const session = await api.register();
    await api.advance(HOUR - 60);
    expect(await isSignedIn(session.token)).toBe(true);
    await api.advance(61);
    expect(await isSignedIn(session.token)).toBe(false);
    await api.advance(29 * DAY);
    const next = tokensOf(await refresh(session.refreshToken));
    expect(await isSignedIn(next.access_token)).toBe(true);
    await api.advance(30 * DAY + 1);
    expect(await refresh(next.refresh_token)).toMatchObject(unauthorized);
    tenant = { ...tenant, owner: await api.signIn(tenant.owner) };
  });
});

describe('registering', () => {
  const registration = (email: string) => ({
    organisation_name: 'Náměstí & Co. <script>',
    name: 'Ada Ω',
    email,
    password: 'correct horse',
  });
  const register = (body: unknown) => api.call('POST', '/v1/register', { body });

  test('creates an organisation with an owner, who can log in then', async () => {
    const email = 'Ada@Customer.test';
    const answer = await register(registration(email));
    expect(answer).toMatchObject({
      status: 201,
      data: {
        organisation: { name: 'Náměstí & Co. <script>', created_at: expect.any(String) },
        user: { email, name: 'Ada Ω', role: 'owner' },
      },
    });
    expect(answer.text).not.toMatch(/password|token|hash/);
    const { access_token: token } = tokensOf(await login({ email, password: 'correct horse' }));
    const listed = await api.call('GET', '/v1/users', { token });
    expect(listed).toMatchObject({ data: [{ email }], meta: { total: 1 } });
    expect(await api.call('GET', '/v1/accounts', { token })).toMatchObject({ data: [], meta: { total: 0 } });
  });

  test('needs an address that nobody has, and leaves nothing behind without', async () => {
    const organisations = async () => {
      const { rows } = await sql<{ total: number }>`select count(*) as total from organisations`.execute(
        api.database.db,
      );
      return rows[0]?.total;
    };
    await register(registration('taken@customer.test'));
    const before = await organisations();
    const exists = { status: 409, code: 'ENTITY_EXISTS' };
    expect(await register(registration('TAKEN@customer.test'))).toMatchObject(exists);
    expect(await register(registration(tenant.viewer.email))).toMatchObject(exists);
    expect(await organisations()).toBe(before);
    const race = await Promise.all(
      Array.from({ length: 4 }, () => register(registration('race@customer.test'))),
    );
    expect(race.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
    expect(await organisations()).toBe((before ?? 0) + 1);
  });

  test.each([
    ['an address without a dot', 'email', 'ada@localhost', 'INVALID_EMAIL'],
    ['an address that is none', 'email', 'ada', 'INVALID_EMAIL'],
    ['a list of addresses', 'email', ['ada@customer.test'], 'STRING'],
    ['no address', 'email', null, 'REQUIRED'],
    ['a password of 7 characters', 'password', '1234567', 'MIN'],
    ['a password of 1025 characters', 'password', 'x'.repeat(1025), 'MAX'],
    ['an empty name', 'name', '', 'MIN'],
    ['a name of two lines', 'name', 'a\r\nb', 'CONTROL_CHARACTER'],
    ['a NUL in the name', 'organisation_name', 'a\u0000b', 'CONTROL_CHARACTER'],
    ['a name of 256 characters', 'organisation_name', 'x'.repeat(256), 'MAX'],
  ])('with %s is refused', async (_what, field, value, code) => {
    const answer = await register({ ...registration('new@customer.test'), [field]: value });
    expect(answer).toMatchObject({
      status: 422,
      code: 'VALIDATION_ERROR',
      errors: [{ field, errors: [{ code }] }],
    });
    if (field === 'password') expect(answer.errors).toMatchObject([{ value: '' }]);
  });
});
