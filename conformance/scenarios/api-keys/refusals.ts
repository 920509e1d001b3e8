import type { Check } from '../../suite/check.ts';
import { createKey, sendWith } from '../support/keys.ts';
import { unknownId, withMade } from '../support/made.ts';
import { requireAllRefused, requireCode, requireStatus } from '../support/refused.ts';

/** What is refused about API keys. */
export const refusals: readonly Check[] = [
  {
    id: 'api-keys/create-refuses-malformed',
    title: 'A key without a name, or with a malformed one, is refused',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const wrong = [{}, { name: null }, { name: '' }, { name: 17 }, { name: ['key'] }];
        const send = (body: unknown) => t.call('createApiKey', { path: { account_id }, body });
        await requireAllRefused(t, { 'api_keys.malformed': wrong }, send);
      }),
  },
  {
    id: 'api-keys/missing-account-or-key',
    title: 'An account or a key that does not exist is 409',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const nobody = { account_id: unknownId() };
        const key = { account_id, api_key_id: unknownId() };
        const answers = [
          { code: 'ACCOUNT_NOT_FOUND', answer: await t.call('listApiKeys', { path: nobody }) },
          {
            code: 'ACCOUNT_NOT_FOUND',
            answer: await t.call('createApiKey', { path: nobody, body: { name: 'k' } }),
          },
          {
            code: 'ACCOUNT_NOT_FOUND',
            answer: await t.call('revokeApiKey', { path: { ...key, ...nobody } }),
          },
          { code: 'API_KEY_NOT_FOUND', answer: await t.call('revokeApiKey', { path: key }) },
        ];
        for (const { code, answer } of answers) {
          requireStatus(t, 'api_keys.missing', answer, 409, `${answer.operation} about what is not there`);
          requireCode(t, 'api_keys.missing', answer, code);
        }
      }),
  },
  {
    id: 'api-keys/key-of-another-account-in-the-path',
    title: 'A key is not revoked through another account of the organisation',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const [owner, other] = [await made.account(), await made.account()];
        const key = await createKey(t, owner.account_id);
        const path = { account_id: other.account_id, api_key_id: key.api_key_id };
        const answer = await t.call('revokeApiKey', { path });
        const requirement = 'api_keys.key-of-another-account';
        requireStatus(t, requirement, answer, 409, 'a key of another account in the path');
        requireCode(t, requirement, answer, 'API_KEY_NOT_FOUND');
        const still = await sendWith(t, key);
        t.require(requirement, still.status < 300, `expected the key to go on, got ${still.status}`, still);
      }),
  },
  {
    id: 'api-keys/foreign-account-or-key',
    title: 'Keys of another organisation can be neither seen nor made nor revoked',
    profile: 'extensions',
    needs: ['second_tenant'],
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const key = await createKey(t, account_id);
        const as = await t.otherTenant.session();
        const answers = [
          await t.call('listApiKeys', { path: { account_id }, as }),
          await t.call('createApiKey', { path: { account_id }, body: { name: t.unique('key') }, as }),
          await t.call('revokeApiKey', { path: { account_id, api_key_id: key.api_key_id }, as }),
        ];
        for (const answer of answers)
          requireStatus(t, 'api_keys.foreign', answer, 403, `${answer.operation} about a foreign account`);
        const still = await sendWith(t, key);
        t.require(
          'api_keys.foreign',
          still.status < 300,
          `expected the key to go on, got ${still.status}`,
          still,
        );
      }),
  },
];
