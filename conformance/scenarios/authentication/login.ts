import { codeOf, valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import type { LooseCall, Tester } from '../../suite/tester.ts';
import { requireAllRefused, requireStatus } from '../support/refused.ts';

function loginBody(t: Tester, change: object = {}): object {
  const { email, password } = t.tenant;
  return { email, password, grant_type: 'password', ...change };
}

/** Logging in. */
export const login: readonly Check[] = [
  {
    id: 'authentication/login-needs-no-credentials',
    title: 'Logging in is public, and credentials of another kind are no hindrance',
    async run(t) {
      const body = loginBody(t);
      const calls: LooseCall[] = [
        { body, as: { kind: 'nobody' } },
        { body, as: { kind: 'header', value: 'Bearer of-nobody' } },
        { body, as: { kind: 'header', value: 'Basic of-nobody' } },
      ];
      for (const call of calls) {
        const answer = await t.call('login', call);
        const requirements = ['authentication.three-levels', 'authentication.public-methods'];
        requireStatus(t, requirements, answer, 200, 'a login with or without an Authorization header');
      }
    },
  },
  {
    id: 'authentication/login-returns-tokens',
    title: 'A login returns a Bearer token that opens the API for expires_in seconds, and a refresh token',
    async run(t) {
      const answer = await t.call('login', { body: loginBody(t) });
      requireStatus(t, ['authentication.password-grant', 'authentication.login-body'], answer, 200);
      const field = (name: string) => valueAt(answer.json, name);
      const token = field('access_token');
      const tokens = [token, field('refresh_token')];
      for (const requirement of ['authentication.password-grant', 'authentication.login-response']) {
        const areTexts = tokens.every((each) => typeof each === 'string' && each !== '');
        t.require(requirement, areTexts, 'expected access_token and refresh_token as texts', answer);
        const seconds = field('expires_in');
        const isLifetime = typeof seconds === 'number' && Number.isInteger(seconds) && seconds > 0;
        t.require(requirement, isLifetime, `expected expires_in in whole seconds, got ${seconds}`, answer);
      }
      const isGiven = field('expires_in') !== undefined;
      t.require('limits.access-token-lifetime', isGiven, 'expected expires_in', answer);
      const type = field('token_type');
      t.require(
        'authentication.login-response',
        type === 'Bearer',
        `expected token_type Bearer, got ${type}`,
        answer,
      );
      const isBare = field('data') === undefined;
      t.require('authentication.login-response', isBare, 'expected the tokens outside of any "data"', answer);
      for (const each of tokens) t.hide(String(each));
      const opened = await t.call('listAccounts', { as: { kind: 'bearer', token: String(token) } });
      requireStatus(t, 'authentication.password-grant', opened, 200, 'a request with the new token');
    },
  },
  {
    id: 'authentication/login-requires-its-fields',
    title: 'A login without email, password or grant_type, or with another grant, is refused as malformed',
    async run(t) {
      const bodies = {
        'authentication.login-fields-422': [
          {},
          loginBody(t, { email: undefined }),
          loginBody(t, { password: undefined }),
          loginBody(t, { email: null }),
          loginBody(t, { password: null }),
          loginBody(t, { password: 17 }),
          loginBody(t, { email: ['a@example.test'] }),
        ],
        'authentication.login-body': [loginBody(t, { grant_type: undefined })],
        'authentication.grant-type-is-password': [
          loginBody(t, { grant_type: 'client_credentials' }),
          loginBody(t, { grant_type: 'refresh_token' }),
          loginBody(t, { grant_type: '' }),
          loginBody(t, { grant_type: null }),
        ],
      };
      await requireAllRefused(t, bodies, (body) => t.call('login', { body }));
    },
  },
  {
    id: 'authentication/wrong-password',
    title: 'A wrong password does not log in: not a part of the right one, not another case of it',
    async run(t) {
      const { password } = t.tenant;
      const other = password === password.toUpperCase() ? password.toLowerCase() : password.toUpperCase();
      const wrong = [`${password}x`, password.slice(0, -1), other];
      for (const guess of new Set(wrong.filter((each) => each !== password && each !== ''))) {
        const answer = await t.call('login', { body: loginBody(t, { password: guess }) });
        requireStatus(t, 'authentication.invalid-login-401', answer, 401, 'a login with a wrong password');
        // Whoever fails too often in a row may be locked out.
        await t.login();
      }
    },
  },
  {
    id: 'authentication/unknown-user',
    title: 'An address that no user has is refused like a wrong password',
    async run(t) {
      const unknown = await t.call('login', { body: loginBody(t, { email: t.address('nobody') }) });
      requireStatus(t, 'authentication.invalid-login-401', unknown, 401, 'a login of an unknown address');
      const wrong = await t.call('login', { body: loginBody(t, { password: t.unique('guess') }) });
      const requirement = 'authentication.unknown-user-answers-alike';
      const areAlike = unknown.status === wrong.status && codeOf(unknown) === codeOf(wrong);
      const message = 'expected the same answer for an unknown address and for a wrong password';
      t.require(requirement, areAlike, message, unknown, wrong);
    },
  },
  {
    id: 'authentication/login-order-of-checks',
    title: 'What is no JSON or malformed is said before the password is looked at',
    async run(t) {
      const noJson = await t.call('login', { rawBody: '{"email": "nobody@example.test"' });
      requireStatus(t, 'http.login-order', noJson, 400, 'a login with half a body');
      const malformed = await t.call('login', { body: { email: t.address('nobody'), password: 'wrong' } });
      requireStatus(t, 'http.login-order', malformed, 422, 'a login of nobody without grant_type');
    },
  },
];
