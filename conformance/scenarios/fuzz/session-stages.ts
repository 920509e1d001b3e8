import fc from 'fast-check';
import type { OperationId } from '../../../generated/operations.ts';
import type { Tester } from '../../suite/tester.ts';
import { differences } from '../support/compare.ts';
import { createKey } from '../support/keys.ts';
import type { Made } from '../support/made.ts';
import { leftOver, newAddress, type Stage, type Staging, withId } from './stage.ts';

const USER_PASSWORD = 'a password of a conformance run';

/** Sessions, users and API keys. */
export const sessionStages = {
  // Bad logins are made for a stranger: a server may lock out whoever fails too often.
  login: async (t) => ({
    own: { body: { email: newAddress() } },
    fresh: async () => {
      const { email, password: secret } = t.tenant;
      return { body: { email, password: secret, grant_type: 'password' } };
    },
  }),
  logout: async (t) => ({ own: {}, fresh: async () => ({ as: await t.login() }) }),
  refreshToken: async (t) => ({
    own: {},
    fresh: async () => ({ body: { refresh_token: await refreshToken(t), grant_type: 'refresh_token' } }),
  }),
  register: () => Promise.resolve({ own: { body: { email: newAddress() } } }),
  requestPasswordReset: () => Promise.resolve({ own: { body: { email: newAddress() } } }),
  confirmPasswordReset: () => Promise.resolve({ own: {} }),

  listUsers: () => Promise.resolve({ own: {} }),
  createUser: async (t) => {
    const marker = t.unique('fuzz');
    const users: string[] = [];
    return {
      own: { body: { email: newAddress(marker) } },
      adopt: withId('data.user_id', (id) => users.push(id)),
      residue: async () => {
        const { data } = await t.ok('listUsers', 200, { query: { limit: 30 } });
        return leftOver(
          'users',
          data.filter(({ email }) => email.startsWith(marker)),
        );
      },
      clean: () => deleteUsers(t, users),
    };
  },
  getUser: ownUser,
  updateUser: async (t) => {
    const stage = await ownUser(t);
    return { ...stage, own: { ...stage.own, body: { email: fc.option(newAddress(), { nil: null }) } } };
  },
  deleteUser: async (t) => ({
    ...(await ownUser(t)),
    fresh: async () => ({ path: { user_id: (await createUser(t)).user_id } }),
  }),

  listApiKeys: async (t, made) => {
    const { account_id: id } = await made.account();
    await createKey(t, id);
    return { own: { path: { account_id: fc.constant(id) } } };
  },
  createApiKey: ownKeys,
  revokeApiKey: async (t, made) => {
    const { account_id: id } = await made.account();
    const { api_key_id: key } = await createKey(t, id);
    return {
      own: { path: { account_id: fc.constant(id), api_key_id: fc.constant(key) } },
      fresh: async () => ({ path: { account_id: id, api_key_id: (await createKey(t, id)).api_key_id } }),
    };
  },
} as const satisfies Partial<Record<OperationId, Staging>>;

async function refreshToken(t: Tester): Promise<string> {
  const { email, password: secret } = t.tenant;
  const { refresh_token: token } = await t.ok('login', 200, {
    body: { email, password: secret, grant_type: 'password' },
  });
  t.hide(token);
  return token;
}

async function ownKeys(t: Tester, made: Made): Promise<Stage> {
  const { account_id: id } = await made.account();
  return {
    own: { path: { account_id: fc.constant(id) } },
    residue: async () => {
      const { data } = await t.ok('listApiKeys', 200, { path: { account_id: id } });
      return leftOver(
        'API keys',
        data.filter(({ account_id: owner }) => owner === id),
      );
    },
  };
}

async function ownUser(t: Tester): Promise<Stage> {
  const user = await createUser(t);
  const path = { user_id: user.user_id };
  return {
    own: { path: { user_id: fc.constant(user.user_id) } },
    residue: async () => {
      const changes = differences((await t.ok('getUser', 200, { path })).data, user);
      return changes === '' ? undefined : changes;
    },
    clean: () => deleteUsers(t, [user.user_id]),
  };
}

async function createUser(t: Tester) {
  const body = {
    email: t.address('user'),
    name: 'A user of a conformance run',
    role: 'viewer' as const,
    password: USER_PASSWORD,
  };
  return (await t.ok('createUser', 201, { body })).data;
}

async function deleteUsers(t: Tester, ids: readonly string[]): Promise<void> {
  await Promise.allSettled(ids.map((id) => t.call('deleteUser', { path: { user_id: id } })));
}
