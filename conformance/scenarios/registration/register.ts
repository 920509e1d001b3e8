import { valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { show } from '../support/compare.ts';
import { password, registerOwner, sessionOf } from '../support/people.ts';
import { requireAllRefused, requireCode, requireStatus } from '../support/refused.ts';

/** Registering an organisation. */
export const register: readonly Check[] = [
  {
    id: 'registration/registered-owner-logs-in',
    title: 'Without credentials an organisation is registered, with an owner who can then log in',
    profile: 'extensions',
    async run(t) {
      const body = {
        organisation_name: t.unique('organisation'),
        name: t.unique('owner'),
        email: t.address('owner'),
        password: password(t),
      };
      const as = { kind: 'nobody' } as const;
      const answer = await t.call('register', { body, as });
      requireStatus(t, ['registration.register', 'registration.public'], answer, 201);
      const [name, role, email] = ['organisation.name', 'user.role', 'user.email'].map((path) =>
        valueAt(answer.json, `data.${path}`),
      );
      const isIt = name === body.organisation_name && role === 'owner' && email === body.email;
      const message = `expected the organisation and its owner, got ${show([name, role, email])}`;
      t.require('registration.register', isIt, message, answer);
      const hasToken = /access_token|refresh_token/.test(answer.text);
      t.require('registration.registering-does-not-log-in', !hasToken, 'expected no tokens', answer);
      const login = { email: body.email, password: body.password, grant_type: 'password' };
      const logged = await t.call('login', { body: login });
      requireStatus(t, 'registration.register', logged, 200, 'the login of the new owner');
    },
  },
  {
    id: 'registration/new-organisation-is-empty',
    title: 'A new organisation sees nothing of what others have',
    profile: 'extensions',
    async run(t) {
      const owner = await registerOwner(t);
      const as = await sessionOf(t, owner);
      for (const operation of ['listAccounts', 'listDomains', 'listSuppressions', 'listMessages'] as const) {
        const { data, meta } = await t.ok(operation, 200, { as });
        const message = `expected ${operation} to be empty, got ${data.length} items and a total of ${meta.total}`;
        t.require('registration.starts-empty', data.length === 0 && meta.total === 0, message);
      }
      const { data: people } = await t.ok('listUsers', 200, { as });
      const isAlone = people.length === 1 && people[0]?.user_id === owner.user_id;
      t.require('registration.starts-empty', isAlone, `expected the owner alone, got ${people.length} users`);
    },
  },
  {
    id: 'registration/address-is-taken',
    title: 'Nobody registers with the address of a user, whatever its case',
    profile: 'extensions',
    async run(t) {
      const owner = await registerOwner(t);
      for (const email of [owner.email, owner.email.toUpperCase()]) {
        const body = {
          organisation_name: t.unique('o'),
          name: t.unique('twin'),
          email,
          password: password(t),
        };
        const answer = await t.call('register', { body });
        requireStatus(t, 'registration.address-is-taken', answer, 409, `registering ${email} again`);
        requireCode(t, 'registration.address-is-taken', answer, 'ENTITY_EXISTS');
      }
    },
  },
  {
    id: 'registration/refuses-malformed',
    title: 'Registering, resetting and refreshing refuse what is malformed',
    profile: 'extensions',
    async run(t) {
      const fine = {
        organisation_name: t.unique('organisation'),
        name: 'Somebody',
        email: t.address(),
        password: password(t),
      };
      const wrong = {
        register: [
          {},
          { ...fine, organisation_name: undefined },
          { ...fine, name: '' },
          { ...fine, email: 'no address' },
          { ...fine, email: null },
          { ...fine, password: undefined },
          { ...fine, password: 17 },
          { ...fine, password: 'seven77' },
        ],
        requestPasswordReset: [{}, { email: null }, { email: 'no address' }, { email: 17 }],
        confirmPasswordReset: [
          {},
          { token: 'x' },
          { password: fine.password },
          { token: 17, password: fine.password },
        ],
        refreshToken: [
          {},
          { grant_type: 'refresh_token' },
          { refresh_token: 'x' },
          { refresh_token: 'x', grant_type: 'password' },
          { refresh_token: 17, grant_type: 'refresh_token' },
        ],
      } as const;
      for (const operation of [
        'register',
        'requestPasswordReset',
        'confirmPasswordReset',
        'refreshToken',
      ] as const)
        await requireAllRefused(t, { 'registration.malformed': wrong[operation] }, (body) =>
          t.call(operation, { body }),
        );
    },
  },
];
