import type { Check } from '../../suite/check.ts';
import { differences, show } from '../support/compare.ts';
import { createPerson, type Person, password, sessionOf, withPerson } from '../support/people.ts';
import { requireAllRefused, requireCode, requireStatus } from '../support/refused.ts';

function fieldsOf({ user_id, email, name, role }: Person) {
  return { user_id, email, name, role };
}

/** Users come into being, change and go. */
export const life: readonly Check[] = [
  {
    id: 'users/created-user-logs-in',
    title: 'A created user of either role has what was asked for, and logs in with the password',
    profile: 'extensions',
    async run(t) {
      for (const role of ['owner', 'viewer'] as const)
        await withPerson(t, role, async (person) => {
          t.require('users.create', person.role === role, `expected the role ${role}, got ${person.role}`);
          const { email } = person;
          const login = { email, password: person.password, grant_type: 'password' as const };
          const answer = await t.call('login', { body: login });
          requireStatus(t, 'users.create', answer, 200, 'the login of a created user');
        });
    },
  },
  {
    id: 'users/retrieve-returns-the-user',
    title: 'A user is retrieved as it was created',
    profile: 'extensions',
    run: (t) =>
      withPerson(t, 'viewer', async (person) => {
        const { data } = await t.ok('getUser', 200, { path: { user_id: person.user_id } }, 'users.retrieve');
        const wrong = differences(data, fieldsOf(person));
        t.require('users.retrieve', wrong === '', `retrieved, the user is another: ${wrong}`);
      }),
  },
  {
    id: 'users/list-shows-the-created',
    title: 'The list shows the newest users first, and not those that were deleted',
    profile: 'extensions',
    run: (t) =>
      withPerson(t, 'viewer', (older) =>
        withPerson(t, 'viewer', async (newer) => {
          const deleted = await createPerson(t, 'viewer');
          await t.ok('deleteUser', 200, { path: { user_id: deleted.user_id } });
          const ids: string[] = [];
          for (let offset = 0; ; offset += 30) {
            const { data } = await t.ok('listUsers', 200, { query: { limit: 30, offset } }, 'users.list');
            ids.push(...data.map(({ user_id: id }) => id));
            if (data.length === 0 || ids.includes(older.user_id)) break;
          }
          const [first, second, gone] = [newer, older, deleted].map(({ user_id: id }) => ids.indexOf(id));
          const isShown = Number(first) >= 0 && Number(second) > Number(first);
          t.require('users.list', isShown, 'expected the list to show both new users, the newest first');
          t.require('users.list', gone === -1, 'expected the list without the user that was deleted');
        }),
      ),
  },
  {
    id: 'users/update-changes-what-is-named',
    title: 'A change of a user changes what it names; what is absent or null stays',
    profile: 'extensions',
    run: (t) =>
      withPerson(t, 'viewer', async (person) => {
        const path = { user_id: person.user_id };
        const name = t.unique('renamed');
        const email = t.address('moved');
        const steps = [
          { body: { name }, expected: { ...fieldsOf(person), name } },
          {
            body: { email, name: null, role: null, password: null },
            expected: { ...fieldsOf(person), name, email },
          },
          {
            body: { role: 'owner' as const },
            expected: { ...fieldsOf(person), name, email, role: 'owner' as const },
          },
        ];
        for (const { body, expected } of steps) {
          const { data: changed } = await t.ok('updateUser', 200, { path, body }, 'users.update');
          const { data: kept } = await t.ok('getUser', 200, { path });
          for (const user of [changed, kept]) {
            const wrong = differences(user, expected);
            t.require('users.update', wrong === '', `after ${show(body)}: ${wrong}`);
          }
        }
      }),
  },
  {
    id: 'users/address-is-taken',
    title: 'An address that a user has cannot be given to another, whatever its case',
    profile: 'extensions',
    run: (t) =>
      withPerson(t, 'viewer', (one) =>
        withPerson(t, 'viewer', async (other) => {
          for (const email of [one.email, one.email.toUpperCase()]) {
            const body = { email, name: t.unique('twin'), role: 'viewer', password: password(t) };
            const path = { user_id: other.user_id };
            const answers = [
              await t.call('createUser', { body }),
              await t.call('updateUser', { path, body: { email } }),
            ];
            for (const answer of answers) {
              requireStatus(t, 'users.address-is-taken', answer, 409, `${answer.operation} with ${email}`);
              requireCode(t, 'users.address-is-taken', answer, 'ENTITY_EXISTS');
            }
          }
        }),
      ),
  },
  {
    id: 'users/create-refuses-malformed',
    title: 'A malformed user is refused, and no answer repeats a password',
    profile: 'extensions',
    async run(t) {
      const secret = `${t.unique('s')}`.slice(-6);
      const fine = { email: t.address(), name: 'Somebody', role: 'viewer', password: password(t) };
      const wrong = [
        {},
        { ...fine, email: undefined },
        { ...fine, name: undefined },
        { ...fine, role: undefined },
        { ...fine, password: undefined },
        { ...fine, email: 'no address' },
        { ...fine, role: 'admin' },
        { ...fine, name: '' },
        { ...fine, password: '' },
        { ...fine, password: 17 },
      ];
      const create = (body: unknown) => t.call('createUser', { body });
      await requireAllRefused(t, { 'users.malformed': wrong }, create);
      const answer = await create({ ...fine, password: secret });
      requireStatus(t, 'users.malformed', answer, 422, 'a password of 6 characters');
      const isHidden = !answer.text.includes(secret);
      t.require('users.password-never-echoed', isHidden, 'the answer repeats the password', answer);
    },
  },
  {
    id: 'users/deleted-user-is-gone',
    title: 'A deleted user is returned once, is unknown then, and has no session any more',
    profile: 'extensions',
    async run(t) {
      const person = await createPerson(t, 'owner');
      const session = await sessionOf(t, person);
      const path = { user_id: person.user_id };
      const { data } = await t.ok('deleteUser', 200, { path }, 'users.delete');
      const wrong = differences(data, fieldsOf(person));
      t.require('users.delete', wrong === '', `another user came back: ${wrong}`);
      for (const operation of ['getUser', 'updateUser', 'deleteUser'] as const) {
        const answer = await t.call(operation, { path, body: {} });
        requireStatus(t, 'users.delete', answer, 409, `${operation} of a deleted user`);
      }
      const read = await t.call('listAccounts', { as: session });
      requireStatus(t, 'users.deletion-ends-sessions', read, 401, 'a session of a deleted user');
      const login = { email: person.email, password: person.password, grant_type: 'password' as const };
      const again = await t.call('login', { body: login });
      requireStatus(t, 'users.deletion-ends-sessions', again, 401, 'the login of a deleted user');
    },
  },
  {
    id: 'users/foreign-users',
    title: 'Users of another organisation can be neither seen nor changed nor deleted',
    profile: 'extensions',
    needs: ['second_tenant'],
    run: (t) =>
      withPerson(t, 'viewer', async (person) => {
        const as = await t.otherTenant.session();
        const path = { user_id: person.user_id };
        const answers = [
          await t.call('getUser', { path, as }),
          await t.call('updateUser', { path, as, body: { name: 'Taken over' } }),
          await t.call('deleteUser', { path, as }),
        ];
        for (const answer of answers)
          requireStatus(t, 'users.foreign-user', answer, 403, `${answer.operation} about a foreign user`);
        const { data } = await t.ok('getUser', 200, { path });
        t.require(
          'users.foreign-user',
          data.name === person.name,
          `the foreign user was changed to ${data.name}`,
        );
      }),
  },
];
