import type { components } from '../../../generated/types.ts';
import type { Answer } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import type { Tester } from '../../suite/tester.ts';
import { registerOwner } from '../support/people.ts';
import { requireStatus } from '../support/refused.ts';

type Token = components['schemas']['Token'];

/** The tokens of a user of its own: refreshing must not disturb anybody else's session. */
async function tokensOf(t: Tester): Promise<Token> {
  const { email, password } = await registerOwner(t);
  return hidden(t, await t.ok('login', 200, { body: { email, password, grant_type: 'password' } }));
}

function hidden(t: Tester, token: Token): Token {
  t.hide(token.access_token);
  t.hide(token.refresh_token);
  return token;
}

function refreshed(t: Tester, { refresh_token }: Token): Promise<Answer<'refreshToken'>> {
  return t.call('refreshToken', { body: { refresh_token, grant_type: 'refresh_token' } });
}

function read(t: Tester, { access_token: token }: Token): Promise<Answer> {
  return t.call('listAccounts', { as: { kind: 'bearer', token } });
}

/** New tokens for old. */
export const refresh: readonly Check[] = [
  {
    id: 'registration/refresh-gives-new-tokens',
    title: 'A refresh token gives a new pair of tokens, and the old pair is of no use any more',
    profile: 'extensions',
    async run(t) {
      const old = await tokensOf(t);
      const body = { refresh_token: old.refresh_token, grant_type: 'refresh_token' as const };
      const next = hidden(t, await t.ok('refreshToken', 200, { body }, 'registration.refresh'));
      const isNew = next.access_token !== old.access_token && next.refresh_token !== old.refresh_token;
      t.require('registration.refresh', isNew, 'expected another access token and another refresh token');
      requireStatus(t, 'registration.refresh', await read(t, next), 200, 'a request with the new token');
      requireStatus(
        t,
        'registration.old-pair-is-of-no-use',
        await read(t, old),
        401,
        'a request with the old token',
      );
      const third = await refreshed(t, next);
      requireStatus(t, 'registration.refresh', third, 200, 'refreshing with the new refresh token');
    },
  },
  {
    id: 'registration/second-use-ends-the-session',
    title: 'A refresh token that is used a second time ends the session',
    profile: 'extensions',
    async run(t) {
      const old = await tokensOf(t);
      const body = { refresh_token: old.refresh_token, grant_type: 'refresh_token' as const };
      const next = hidden(t, await t.ok('refreshToken', 200, { body }));
      const requirement = 'registration.refresh-works-once';
      requireStatus(t, requirement, await refreshed(t, old), 401, 'the second use of a refresh token');
      requireStatus(t, requirement, await read(t, next), 401, 'the session after a second use');
      requireStatus(t, requirement, await refreshed(t, next), 401, 'refreshing that session');
    },
  },
  {
    id: 'registration/refresh-after-logout',
    title: 'After logging out the refresh token is of no use',
    profile: 'extensions',
    async run(t) {
      const tokens = await tokensOf(t);
      await t.ok('logout', 200, { as: { kind: 'bearer', token: tokens.access_token } });
      const requirement = 'registration.refresh-after-logout';
      requireStatus(t, requirement, await refreshed(t, tokens), 401, 'refreshing after logging out');
    },
  },
  {
    id: 'registration/refresh-order-of-checks',
    title: 'What is no JSON or malformed is said before the token is looked at',
    profile: 'extensions',
    async run(t) {
      const requirement = 'http.refresh-order';
      const noJson = await t.call('refreshToken', { rawBody: '{"refresh_token": "x"' });
      requireStatus(t, requirement, noJson, 400, 'a refresh with half a body');
      const malformed = await t.call('refreshToken', { body: { refresh_token: 'of nobody' } });
      requireStatus(t, requirement, malformed, 422, 'a refresh without grant_type');
      const useless = await t.call('refreshToken', {
        body: { refresh_token: 'of nobody', grant_type: 'refresh_token' },
      });
      requireStatus(t, requirement, useless, 401, 'a refresh token that nobody was given');
    },
  },
];
