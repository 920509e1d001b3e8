import type { Check } from '../../suite/check.ts';
import { password, sessionOf, withPerson } from '../support/people.ts';
import { requireStatus } from '../support/refused.ts';

/** What ends the sessions of a user. */
export const sessions: readonly Check[] = [
  {
    id: 'users/new-password-ends-sessions',
    title: 'A new password ends the sessions of the user, and replaces the old one',
    profile: 'extensions',
    run: (t) =>
      withPerson(t, 'owner', async (person) => {
        const session = await sessionOf(t, person);
        const next = password(t);
        await t.ok('updateUser', 200, { path: { user_id: person.user_id }, body: { password: next } });
        const requirement = 'users.new-password-ends-sessions';
        const read = await t.call('listAccounts', { as: session });
        requireStatus(t, requirement, read, 401, 'a session from before the new password');
        const login = { email: person.email, grant_type: 'password' as const };
        const old = await t.call('login', { body: { ...login, password: person.password } });
        requireStatus(t, requirement, old, 401, 'a login with the old password');
        const fresh = await t.call('login', { body: { ...login, password: next } });
        requireStatus(t, requirement, fresh, 200, 'a login with the new password');
      }),
  },
  {
    id: 'users/new-role-ends-sessions',
    title: 'A new role ends the sessions of the user',
    profile: 'extensions',
    run: (t) =>
      withPerson(t, 'owner', async (person) => {
        const session = await sessionOf(t, person);
        await t.ok('updateUser', 200, { path: { user_id: person.user_id }, body: { role: 'viewer' } });
        const read = await t.call('listAccounts', { as: session });
        requireStatus(t, 'users.new-role-ends-sessions', read, 401, 'a session from before the new role');
      }),
  },
];
