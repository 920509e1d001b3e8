import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTenant, openTestStore, type TestStore, type TestTenant } from './testing.ts';

let test: TestStore;
let tenant: TestTenant;

beforeAll(async () => {
  test = await openTestStore();
  tenant = await createTenant(test.store);
});
afterAll(() => test.close());

const wrong = { code: 'INVALID_CREDENTIALS', status: 401 };
const login = () => test.store.authentication.login(tenant.email, tenant.password);
const hour = 3_600_000;

describe('a login', () => {
  it('takes the address in any case and gives tokens that are known by their bearer', async () => {
    const { authentication } = test.store;
    const tokens = await authentication.login(tenant.email.toUpperCase(), tenant.password);
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(await authentication.byToken(tokens.access_token)).toMatchObject({
      userId: tenant.userId,
      role: 'owner',
      organisationId: tenant.organisationId,
    });
    expect(await authentication.byToken(tokens.refresh_token)).toBeUndefined();
    expect(await authentication.byToken('')).toBeUndefined();
  });

  it('fails alike for a wrong password and an unknown address', async () => {
    const { authentication } = test.store;
    await expect(authentication.login(tenant.email, 'wrong')).rejects.toMatchObject(wrong);
    await expect(authentication.login('nobody@demo.test', tenant.password)).rejects.toMatchObject(wrong);
  });

  it('ends with a logout, and after an hour', async () => {
    const { authentication } = test.store;
    const [first, second] = [await login(), await login()];
    const caller = await authentication.byToken(first.access_token);
    await authentication.logout(caller?.sessionId ?? '');
    expect(await authentication.byToken(first.access_token)).toBeUndefined();
    expect(await authentication.byToken(second.access_token)).toBeDefined();
    test.clock.advance(hour + 1000);
    expect(await authentication.byToken(second.access_token)).toBeUndefined();
  });
});

describe('a refresh', () => {
  it('exchanges both tokens', async () => {
    const { authentication } = test.store;
    const before = await login();
    const after = await authentication.refresh(before.refresh_token);
    expect(await authentication.byToken(before.access_token)).toBeUndefined();
    expect(await authentication.byToken(after.access_token)).toMatchObject({ userId: tenant.userId });
  });

  it('ends the session when a token comes a second time', async () => {
    const { authentication } = test.store;
    const stolen = await login();
    const after = await authentication.refresh(stolen.refresh_token);
    await expect(authentication.refresh(stolen.refresh_token)).rejects.toMatchObject(wrong);
    expect(await authentication.byToken(after.access_token)).toBeUndefined();
    await expect(authentication.refresh(after.refresh_token)).rejects.toMatchObject(wrong);
  });

  it('refuses what is no refresh token, and one of 30 days ago', async () => {
    const { authentication } = test.store;
    const tokens = await login();
    for (const token of ['', 'ss_rt_', tokens.access_token, `${tokens.refresh_token}A`]) {
      await expect(authentication.refresh(token)).rejects.toMatchObject(wrong);
    }
    test.clock.advance(30 * 24 * hour + 1000);
    await expect(authentication.refresh(tokens.refresh_token)).rejects.toMatchObject(wrong);
    await test.store.maintenance.purgeExpired();
  });
});

describe('an API key', () => {
  it('belongs to one account, until it is revoked', async () => {
    const { authentication } = test.store;
    const { accounts, apiKeys } = tenant.store;
    const id = tenant.account.account_id;
    const created = await apiKeys.create(id, { name: 'second' });
    expect(created.api_key.startsWith(created.prefix)).toBe(true);
    expect(await authentication.byApiKey(id, created.api_key)).toMatchObject({
      accountId: id,
      status: 'active',
    });
    const other = await accounts.create({ name: 'Other', type: 'marketing' });
    expect(await authentication.byApiKey(other.account_id, created.api_key)).toBeUndefined();
    expect(await authentication.byApiKey('not a uuid', created.api_key)).toBeUndefined();
    const { rows } = await apiKeys.list(id, { limit: 10, offset: 0 });
    expect(rows[0]).toMatchObject({ name: 'second', last_used_at: expect.stringMatching(/\+00:00$/) });
    expect(rows[0]).not.toHaveProperty('api_key');
    await accounts.update(id, { name: 'Mail', status: 'disabled' });
    expect(await authentication.byApiKey(id, created.api_key)).toMatchObject({ status: 'disabled' });
    await accounts.update(id, { name: 'Mail', status: 'active' });
    await apiKeys.revoke(id, created.api_key_id);
    expect(await authentication.byApiKey(id, created.api_key)).toBeUndefined();
  });
});

describe('a password', () => {
  it('is reset once by its token, which ends all sessions', async () => {
    const { authentication } = test.store;
    const session = await login();
    expect(await authentication.requestPasswordReset('nobody@demo.test')).toBeUndefined();
    const reset = await authentication.requestPasswordReset(tenant.email);
    const token = reset?.token ?? '';
    await authentication.confirmPasswordReset(token, tenant.password);
    expect(await authentication.byToken(session.access_token)).toBeUndefined();
    const missing = { code: 'PASSWORD_RESET_NOT_FOUND', status: 409 };
    await expect(authentication.confirmPasswordReset(token, 'again')).rejects.toMatchObject(missing);
    const late = await authentication.requestPasswordReset(tenant.email);
    test.clock.advance(hour + 1000);
    await expect(authentication.confirmPasswordReset(late?.token ?? '', 'late')).rejects.toMatchObject(
      missing,
    );
    await login();
  });
});

describe('users', () => {
  const viewer = {
    email: 'vera@demo.test',
    name: 'Vera',
    role: 'viewer',
    password: 'a long password',
  } as const;

  it('have an address that nobody else has', async () => {
    const { users } = tenant.store;
    await users.create(viewer);
    const exists = { code: 'ENTITY_EXISTS' };
    await expect(users.create({ ...viewer, email: 'VERA@demo.test' })).rejects.toMatchObject(exists);
    const other = await createTenant(test.store, 'other.test');
    await expect(other.store.users.create(viewer)).rejects.toMatchObject(exists);
    const registration = {
      organisation_name: 'x',
      name: 'x',
      email: viewer.email,
      password: viewer.password,
    };
    await expect(test.store.authentication.register(registration)).rejects.toMatchObject(exists);
  });

  it('lose their sessions with their role, password or place', async () => {
    const { users } = tenant.store;
    const { authentication } = test.store;
    const created = await users.create({ ...viewer, email: 'walt@demo.test' });
    const signIn = async (password: string) =>
      (await authentication.login('walt@demo.test', password)).access_token;
    const isIn = async (token: string) => (await authentication.byToken(token)) !== undefined;
    const first = await signIn(viewer.password);
    await users.update(created.user_id, { name: 'Walter' });
    expect(await isIn(first)).toBe(true);
    await users.update(created.user_id, { role: 'owner' });
    expect(await isIn(first)).toBe(false);
    const second = await signIn(viewer.password);
    await users.update(created.user_id, { password: 'another password' });
    expect(await isIn(second)).toBe(false);
    const third = await signIn('another password');
    await users.delete(created.user_id);
    expect(await isIn(third)).toBe(false);
  });

  it('leave at least one owner', async () => {
    const { users } = tenant.store;
    const last = { code: 'LAST_OWNER', status: 409 };
    await expect(users.delete(tenant.userId)).rejects.toMatchObject(last);
    await expect(users.update(tenant.userId, { role: 'viewer' })).rejects.toMatchObject(last);
    const second = await users.create({ ...viewer, email: 'olga@demo.test', role: 'owner' });
    const both = [tenant.userId, second.user_id].map((id) => users.update(id, { role: 'viewer' }));
    const outcomes = (await Promise.allSettled(both)).map((outcome) => outcome.status);
    expect(outcomes.toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});
