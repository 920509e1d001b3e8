import { randomBytes } from 'node:crypto';
import type { OperationId } from '../../../generated/operations.ts';
import type { Answer } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { mail, send } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import type { Caller } from '../../suite/wire.ts';
import { show } from '../support/compare.ts';
import { requireCode } from '../support/refused.ts';
import { callAboutNothing, guardedBy } from './guarded.ts';

const header = (value: string): Caller => ({ kind: 'header', value });

/** The caller is turned away, and each requirement says that he must be. */
function requireRefused(t: Tester, requirements: readonly string[], answer: Answer, as: string): void {
  for (const requirement of requirements)
    t.require(
      requirement,
      answer.status === 401,
      `expected 401 for ${answer.operation} with ${as}, got ${answer.status}`,
      answer,
    );
}

/** The requirement that says who may call an operation. */
function levelOf(operation: OperationId): string {
  return operation === 'sendEmail' ? 'authentication.basic-method' : 'authentication.bearer-methods';
}

function basicOf(id: string, key: string): Caller {
  return { kind: 'basic', account_id: id, api_key: key };
}

/** What is accepted as credentials, and where. */
export const credentials: readonly Check[] = [
  {
    id: 'authentication/every-operation-asks-for-credentials',
    title: 'Without credentials every operation but the public ones answers 401, and names its scheme',
    async run(t) {
      for (const operation of guardedBy(t, 'bearer', 'basic')) {
        const answer = await callAboutNothing(t, operation, { as: { kind: 'nobody' } });
        requireRefused(t, ['authentication.three-levels', levelOf(operation)], answer, 'no credentials');
        requireCode(t, 'authentication.three-levels', answer, 'INVALID_CREDENTIALS');
        const scheme = operation === 'sendEmail' ? 'Basic' : 'Bearer';
        const challenge = answer.headers['www-authenticate'] ?? '';
        t.require(
          'authentication.challenge',
          challenge.toLowerCase().startsWith(scheme.toLowerCase()),
          `expected WWW-Authenticate to name ${scheme} for ${operation}, got ${show(challenge)}`,
          answer,
        );
      }
    },
  },
  {
    id: 'authentication/invalid-access-token',
    title: 'An access token that was never given out, or is changed or cut, is refused everywhere',
    async run(t) {
      const { token } = await t.login();
      const [first = 'x'] = token;
      const wrong = [
        header('Bearer'),
        header('Bearer '),
        header(`Bearer ${randomBytes(32).toString('base64url')}`),
        header(`Bearer ${token.slice(0, -1)}`),
        header(`Bearer ${first === 'A' ? 'B' : 'A'}${token.slice(1)}`),
        header(token),
        header(`Token ${token}`),
      ];
      for (const as of wrong)
        requireRefused(
          t,
          ['authentication.invalid-token-401'],
          await t.call('listAccounts', { as }),
          'a wrong token',
        );
      const { email, password } = t.tenant;
      const tokens = await t.ok('login', 200, { body: { email, password, grant_type: 'password' } });
      t.hide(tokens.refresh_token);
      const refresh = await t.call('listAccounts', { as: header(`Bearer ${tokens.refresh_token}`) });
      requireRefused(t, ['authentication.invalid-token-401'], refresh, 'a refresh token');
      const stranger = header(`Bearer ${randomBytes(32).toString('base64url')}`);
      for (const operation of guardedBy(t, 'bearer')) {
        const answer = await callAboutNothing(t, operation, { as: stranger });
        requireRefused(t, ['authentication.invalid-token-401'], answer, 'a token that nobody was given');
      }
    },
  },
  {
    id: 'authentication/schemes-are-not-mixed',
    title: 'An API key opens nothing but sending, and an access token does not send',
    async run(t) {
      const { account_id: id, api_key: key } = t.tenant.account;
      const { email, password } = t.tenant;
      const { token } = await t.login();
      for (const operation of guardedBy(t, 'bearer'))
        for (const as of [basicOf(id, key), header(`Bearer ${key}`)]) {
          const answer = await callAboutNothing(t, operation, { as });
          requireRefused(
            t,
            ['authentication.three-levels', 'authentication.bearer-methods'],
            answer,
            'an API key',
          );
        }
      const login = await t.call('listAccounts', { as: basicOf(email, password) });
      requireRefused(t, ['authentication.bearer-methods'], login, 'email and password in place of a token');
      const body = [mail(t)];
      for (const as of [
        header(`Bearer ${token}`),
        header(`Bearer ${key}`),
        basicOf(id, token),
        basicOf(email, password),
      ]) {
        const answer = await t.call('sendEmail', { as, body });
        requireRefused(
          t,
          ['authentication.three-levels', 'authentication.basic-method'],
          answer,
          'no API key',
        );
      }
    },
  },
  {
    id: 'authentication/credentials-only-in-the-header',
    title: 'A token in the query or in a cookie is no credential',
    async run(t) {
      const { token } = await t.login();
      const as: Caller = { kind: 'nobody' };
      const answers = [
        await t.call('listAccounts', { as, query: { access_token: token, token } }),
        await t.call('listAccounts', { as, headers: { cookie: `access_token=${token}; token=${token}` } }),
        await t.call('listAccounts', {
          as,
          headers: { 'x-access-token': token, 'x-api-key': t.tenant.account.api_key },
        }),
      ];
      for (const answer of answers)
        requireRefused(t, ['authentication.bearer-methods'], answer, 'a token that is not in Authorization');
    },
  },
  {
    id: 'authentication/api-key-sends',
    title: 'The id of an account and its API key send, whatever the case of the scheme',
    async run(t) {
      const { account_id: id, api_key: key } = t.tenant.account;
      const pair = Buffer.from(`${id}:${key}`).toString('base64');
      for (const scheme of ['Basic', 'basic', 'BASIC']) {
        const answer = await t.call('sendEmail', { as: header(`${scheme} ${pair}`), body: [mail(t)] });
        const isSent = answer.status < 300;
        const message = `expected a success for a valid key with the scheme ${scheme}, got ${answer.status}`;
        t.require('authentication.basic-method', isSent, message, answer);
      }
    },
  },
  {
    id: 'authentication/invalid-api-key',
    title: 'A wrong, changed, cut or malformed API key is refused, and so is a wrong account',
    async run(t) {
      const { account_id: id, api_key: key } = t.tenant.account;
      const unknown = '5f0c9a6e-1f35-4c1c-9d0a-6a2f6d1c7b11';
      const wrong = [
        basicOf(id, ''),
        basicOf(id, key.slice(0, -1)),
        basicOf(id, `${key}x`),
        basicOf(id, key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase()),
        basicOf(unknown, key),
        basicOf('', key),
        basicOf(key, id),
        header('Basic'),
        header('Basic !!!!'),
        header(`Basic ${Buffer.from(id).toString('base64')}`),
      ];
      const body = [mail(t)];
      for (const as of wrong)
        requireRefused(
          t,
          ['authentication.invalid-key-401'],
          await t.call('sendEmail', { as, body }),
          'a wrong key',
        );
    },
  },
  {
    id: 'authentication/key-of-another-account',
    title: 'An API key sends for its own account only',
    needs: ['second_account'],
    async run(t) {
      const own = t.tenant.account;
      const other = t.secondAccount;
      const requirement = ['authentication.key-of-that-account'];
      const body = [mail(t)];
      const crossed = [basicOf(own.account_id, other.api_key), basicOf(other.account_id, own.api_key)];
      for (const as of crossed)
        requireRefused(t, requirement, await t.call('sendEmail', { as, body }), 'the key of another account');
      const { answer } = await send(t, [mail(t)], other);
      t.require(
        'authentication.key-of-that-account',
        answer.status < 300,
        'the key of that account must send',
        answer,
      );
    },
  },
  {
    id: 'authentication/body-of-a-stranger-is-not-read',
    title: 'Whoever is not known is told so, whatever the body and the query are like',
    async run(t) {
      const as = { kind: 'nobody' } as const;
      const answers = [
        await t.call('sendEmail', { as, rawBody: '[{"from":' }),
        await t.call('sendEmail', { as, body: {} }),
        await t.call('createAccount', { as, rawBody: '{"name":' }),
        await t.call('createSuppression', { as, body: {} }),
        await t.call('listMessages', { as, query: { limit: 'many', period_from: 'yesterday' } }),
        await t.call('getAccount', { as, path: { account_id: 'no-id' } }),
      ];
      for (const answer of answers)
        requireRefused(t, ['http.body-not-read-before-401'], answer, 'no credentials');
    },
  },
];
