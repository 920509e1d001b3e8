import { valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { requireStatus } from '../support/refused.ts';

/** Sessions begin with a login, and end. */
export const sessions: readonly Check[] = [
  {
    id: 'authentication/logout-ends-the-session',
    title: 'After logging out, without a body, the token opens nothing any more',
    async run(t) {
      const session = await t.login();
      const out = await t.call('logout', { as: session });
      requireStatus(t, ['authentication.logout-200', 'authentication.logout-no-body'], out, 200);
      const data = valueAt(out.json, 'data');
      t.require(
        'authentication.logout-body',
        data === 'OK',
        `expected data "OK", got ${JSON.stringify(data)}`,
        out,
      );
      const read = await t.call('listAccounts', { as: session });
      const write = await t.call('createAccount', {
        as: session,
        body: { name: t.unique('account'), type: 'marketing' },
      });
      const again = await t.call('logout', { as: session });
      for (const answer of [read, write, again])
        requireStatus(
          t,
          'authentication.logout-ends-the-session',
          answer,
          401,
          'a request after logging out',
        );
    },
  },
  {
    id: 'authentication/logout-leaves-other-sessions',
    title: 'Logging out ends one session, not the others of the same user',
    async run(t) {
      const [one, other] = [await t.login(), await t.login()];
      await t.ok('logout', 200, { as: one });
      const answer = await t.call('listAccounts', { as: other });
      const requirement = 'authentication.logout-ends-that-session-only';
      requireStatus(t, requirement, answer, 200, 'a request of the session that goes on');
    },
  },
  {
    id: 'authentication/access-token-expires',
    title: 'An access token is refused when expires_in seconds have passed',
    needs: ['clock'],
    exclusive: true,
    async run(t) {
      const { email, password } = t.tenant;
      const token = await t.ok('login', 200, { body: { email, password, grant_type: 'password' } });
      t.hide(token.access_token);
      const as = { kind: 'bearer', token: token.access_token } as const;
      await t.advanceClock(token.expires_in + 1);
      const requirements = ['authentication.access-token-expires', 'limits.access-token-lifetime'];
      requireStatus(t, requirements, await t.call('listAccounts', { as }), 401, 'a token that has expired');
    },
  },
];
