import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startApi, type TestApi, type TestTenant, type TestUser } from '../testing.ts';

let api: TestApi;
let tenant: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  api = await startApi();
  [tenant, other] = await Promise.all([api.createTenant(), api.createTenant('second.test')]);
});
afterAll(() => api.close());

const PASSWORD = 'a long password';
const exists = { status: 409, code: 'ENTITY_EXISTS' };
const lastOwner = { status: 409, code: 'LAST_OWNER' };
const newAddress = () => `user-${crypto.randomUUID()}@demo.test`;

const create = (change: Record<string, unknown> = {}): Promise<Answer> =>
  tenant.call('POST', '/v1/users', {
    body: { email: newAddress(), name: 'Uma', role: 'viewer', password: PASSWORD, ...change },
  });
const update = (userId: string, body: unknown) => tenant.call('PATCH', `/v1/users/${userId}`, { body });
const isSignedIn = async ({ call }: TestUser) => (await call('GET', '/v1/users')).status === 200;

/** A new user of the tenant, signed in. */
async function newUser(role: 'owner' | 'viewer' = 'viewer'): Promise<TestUser> {
  const email = newAddress();
  const { data } = await tenant.client.createUser({ body: { email, name: 'Uma', role, password: PASSWORD } });
  return api.signIn({ user_id: data.user_id, email, password: PASSWORD });
}

describe('users', () => {
  test('are created with a role and a password to log in with, and never show it', async () => {
    const email = 'Grace@Demo.test';
    const created = await create({ email, name: 'Grace Ö', role: 'owner' });
    const user = {
      user_id: expect.any(String),
      email,
      name: 'Grace Ö',
      role: 'owner',
      created_at: expect.any(String),
    };
    expect(created).toMatchObject({ status: 201, data: user });
    const { user_id } = created.data as { user_id: string };
    expect(await tenant.call('GET', `/v1/users/${user_id}`)).toMatchObject({
      status: 200,
      data: created.data,
    });
    const session = await api.signIn({ user_id, email: 'grace@demo.test', password: PASSWORD });
    expect(
      (await session.call('POST', '/v1/accounts', { body: { name: 'A', type: 'marketing' } })).status,
    ).toBe(201);
  });

  test('have an address that nobody has, in any organisation and any case', async () => {
    expect(await create({ email: tenant.viewer.email.toUpperCase() })).toMatchObject(exists);
    expect(await create({ email: other.owner.email })).toMatchObject(exists);
    const race = await Promise.all(Array.from({ length: 3 }, () => create({ email: 'race@demo.test' })));
    expect(race.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });

  test('come newest first, page by page, from this organisation only', async () => {
    const owner = await api.createTenant('pages.test');
    const ids = [owner.viewer.user_id, owner.owner.user_id];
    for (const name of ['Three', 'Four']) {
      const body = { email: newAddress(), name, role: 'viewer', password: PASSWORD } as const;
      ids.unshift((await owner.client.createUser({ body })).data.user_id);
    }
    const pages = [];
    for await (const page of owner.client.listUsers.pages({ query: { limit: 3 } })) pages.push(page);
    expect(pages.map(({ data }) => data.map(({ user_id }) => user_id))).toEqual([
      ids.slice(0, 3),
      ids.slice(3),
    ]);
    expect(pages.map(({ meta }) => meta)).toMatchObject([
      { limit: 3, offset: 0, total: 4 },
      { limit: 3, offset: 3, total: 4 },
    ]);
    expect(await owner.call('GET', '/v1/users', { query: { offset: 9 } })).toMatchObject({
      data: [],
      meta: { limit: 30, offset: 9, total: 4 },
    });
  });

  test('change what is named and keep the rest', async () => {
    const user = await newUser();
    const path = { user_id: user.user_id };
    const { data: before } = await tenant.client.getUser({ path });
    expect(await update(user.user_id, { name: 'Ursula' })).toMatchObject({
      status: 200,
      data: { ...before, name: 'Ursula' },
    });
    expect(
      await update(user.user_id, { name: null, email: null, role: null, password: null, more: 1 }),
    ).toMatchObject({
      data: { ...before, name: 'Ursula' },
    });
    expect((await tenant.client.updateUser({ path, body: {} })).data).toEqual({ ...before, name: 'Ursula' });
    expect(await isSignedIn(user)).toBe(true);
  });

  test('get another address when nobody has it, and log in with that', async () => {
    const user = await newUser();
    const email = newAddress();
    expect(await update(user.user_id, { email })).toMatchObject({ status: 200, data: { email } });
    await api.signIn({ ...user, email });
    const login = { email: user.email, password: PASSWORD, grant_type: 'password' };
    expect(await api.call('POST', '/v1/login', { body: login })).toMatchObject({ status: 401 });
    expect((await update(user.user_id, { email: email.toUpperCase() })).status).toBe(200);
    for (const taken of [tenant.owner.email.toUpperCase(), other.viewer.email]) {
      expect(await update(user.user_id, { email: taken, name: 'Not this' })).toMatchObject(exists);
    }
    expect((await tenant.client.getUser({ path: { user_id: user.user_id } })).data).toMatchObject({
      email: email.toUpperCase(),
      name: 'Uma',
    });
  });

  test('lose their sessions with a new password, a new role, or their place', async () => {
    const user = await newUser();
    const signIn = (password: string) => api.signIn({ ...user, password });
    const dead = async (session: TestUser) => {
      const body = { grant_type: 'refresh_token', refresh_token: session.refreshToken };
      const { status } = await api.call('POST', '/v1/token/refresh', { body });
      return status === 401 && !(await isSignedIn(session));
    };
    await update(user.user_id, { role: 'viewer' });
    expect(await isSignedIn(user)).toBe(true);
    await update(user.user_id, { role: 'owner' });
    expect(await dead(user)).toBe(true);
    const second = await signIn(PASSWORD);
    await update(user.user_id, { password: 'another password' });
    expect(await dead(second)).toBe(true);
    const third = await signIn('another password');
    const { data: last } = await tenant.client.getUser({ path: { user_id: user.user_id } });
    expect(await tenant.call('DELETE', `/v1/users/${user.user_id}`)).toMatchObject({
      status: 200,
      data: last,
    });
    expect(await dead(third)).toBe(true);
    const login = { email: user.email, password: 'another password', grant_type: 'password' };
    expect(await api.call('POST', '/v1/login', { body: login })).toMatchObject({ status: 401 });
    expect(await tenant.call('GET', `/v1/users/${user.user_id}`)).toMatchObject({
      status: 409,
      code: 'USER_NOT_FOUND',
    });
    expect((await create({ email: user.email })).status).toBe(201);
  });

  test.each([
    ['a role that there is not', { role: 'admin' }, 'role', 'CHOICE'],
    ['no role', { role: null }, 'role', 'REQUIRED'],
    ['a short password', { password: '1234567' }, 'password', 'MIN'],
    ['a name of two lines', { name: 'a\nb' }, 'name', 'CONTROL_CHARACTER'],
    ['no address', { email: '' }, 'email', 'INVALID_EMAIL'],
  ])('are not created with %s', async (_what, change, field, code) => {
    expect(await create(change)).toMatchObject({ status: 422, errors: [{ field, errors: [{ code }] }] });
  });

  test('are not changed by a faulty request', async () => {
    const id = tenant.viewer.user_id;
    expect(await update(id, { password: 'short', name: 'New' })).toMatchObject({
      status: 422,
      errors: [{ field: 'password', value: '', errors: [{ code: 'MIN' }] }],
    });
    expect(await update(id, { role: 'admin' })).toMatchObject({ status: 422, errors: [{ field: 'role' }] });
    expect(await update(id, [])).toMatchObject({ status: 422 });
    expect((await tenant.client.getUser({ path: { user_id: id } })).data.name).toBe('Vera Viewer');
  });
});

describe('an organisation', () => {
  test('keeps its last owner, in office and at all', async () => {
    const { owner, viewer, client, call } = await api.createTenant('last.test');
    const path = `/v1/users/${owner.user_id}`;
    expect(await call('DELETE', path)).toMatchObject(lastOwner);
    expect(await call('PATCH', path, { body: { role: 'viewer' } })).toMatchObject(lastOwner);
    expect(await call('PATCH', path, { body: { role: 'owner', name: 'Still' } })).toMatchObject({
      status: 200,
    });
    await client.updateUser({ path: { user_id: viewer.user_id }, body: { role: 'owner' } });
    expect(await call('DELETE', path)).toMatchObject({ status: 200 });
    const next = await api.signIn(viewer);
    expect(await next.call('DELETE', `/v1/users/${viewer.user_id}`)).toMatchObject(lastOwner);
  });

  test('keeps one of two owners who go at the same moment', async () => {
    const { owner, viewer, client } = await api.createTenant('both.test');
    await client.updateUser({ path: { user_id: viewer.user_id }, body: { role: 'owner' } });
    const second = await api.signIn(viewer);
    const answers = await Promise.all([
      owner.call('DELETE', `/v1/users/${viewer.user_id}`),
      second.call('PATCH', `/v1/users/${owner.user_id}`, { body: { role: 'viewer' } }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
