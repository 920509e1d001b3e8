import type { Check } from '../../suite/check.ts';
import type { Tester } from '../../suite/tester.ts';
import { differences } from '../support/compare.ts';
import { domainName, withMade } from '../support/made.ts';
import { requireAllRefused, requireCode, requireStatus } from '../support/refused.ts';
import { fieldsOf, listed, TYPES } from './account.ts';

const LONGEST_NAME = 255;

/** Accounts come into being and go. */
export const life: readonly Check[] = [
  {
    id: 'accounts/create-and-retrieve',
    title: 'An account of each type is created with its name, and can be retrieved',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        for (const type of TYPES) {
          const name = t.unique('account');
          const created = await made.account({ name, type }, 'accounts.create');
          const wrong = differences(created, { name });
          t.require('accounts.create', wrong === '', `the created account is another: ${wrong}`);
          const is = created.type;
          t.require('accounts.two-types', is === type, `expected the type ${type}, got ${is}`);
          const path = { account_id: created.account_id };
          const { data } = await t.ok('getAccount', 200, { path }, 'accounts.retrieve');
          const fields = differences(data, fieldsOf(created));
          t.require('accounts.fields', fields === '', `retrieved, the account is another: ${fields}`);
        }
      }),
  },
  {
    id: 'accounts/created-account-starts-active',
    title: 'A created account is active, whichever its type',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        for (const type of TYPES) {
          const created = await made.account({ type });
          const { data: kept } = await t.ok('getAccount', 200, { path: { account_id: created.account_id } });
          for (const { status } of [created, kept])
            t.require(
              ['accounts.starts-active', 'accounts.created-active'],
              status === 'active',
              `expected a new account to be active, got ${status}`,
            );
          const isState = kept.status === 'active' || kept.status === 'disabled';
          t.require('accounts.states', isState, `expected active or disabled, got ${kept.status}`);
        }
      }),
  },
  {
    id: 'accounts/create-refuses-malformed',
    title: 'An account without a name or type, or with a malformed one, is refused',
    async run(t: Tester) {
      const name = t.unique('account');
      const type = 'transactional';
      const wrong = {
        'accounts.create-required': [{}, { name }, { type }, { name: null, type }, { name, type: null }],
        'accounts.two-types': [
          { name, type: 'other' },
          { name, type: '' },
          { name, type: 1 },
        ],
        'accounts.name-form': [
          { name: '', type },
          { name: 5, type },
          { name: ['a'], type },
          { name: `${name}\r\nBcc: someone`, type },
          { name: 'n'.repeat(LONGEST_NAME + 1), type },
        ],
      };
      await requireAllRefused(t, wrong, (body) => t.call('createAccount', { body }));
    },
  },
  {
    id: 'accounts/names-need-not-be-unique',
    title: 'Two accounts may have the same name, from creation or by an update',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const requirement = 'accounts.names-need-not-be-unique';
        const { name, account_id: first } = await made.account();
        const { account_id: second } = await made.account({ name }, requirement);
        t.require(requirement, first !== second, `expected two accounts, got ${first} twice`);
        const { account_id: third } = await made.account();
        await t.ok('updateAccount', 200, { path: { account_id: third }, body: { name } }, requirement);
      }),
  },
  {
    id: 'accounts/delete-is-permanent',
    title: 'A deleted account is returned once more, and gone from then on',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const created = await made.account();
        const path = { account_id: created.account_id };
        const { data: deleted } = await t.ok('deleteAccount', 200, { path }, 'accounts.delete-permanent');
        const wrong = differences(deleted, fieldsOf(created));
        t.require(
          'conventions.delete-returns-the-object',
          wrong === '',
          `deletion returned another: ${wrong}`,
        );
        const after = [
          await t.call('getAccount', { path }),
          await t.call('updateAccount', { path, body: { name: created.name } }),
          await t.call('deleteAccount', { path }),
        ];
        for (const answer of after) requireStatus(t, 'accounts.delete-permanent', answer, 409);
        const stillListed = await listed(t, { name: created.name }, created);
        t.require(
          'accounts.delete-permanent',
          stillListed === undefined,
          'a deleted account is still listed',
        );
      }),
  },
  {
    id: 'accounts/deleted-account-takes-its-suppressions',
    title: 'The suppressions of a deleted account are gone with it',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const { suppression_id } = await made.suppression({ account_id });
        await t.ok('deleteAccount', 200, { path: { account_id } });
        const answer = await t.call('getSuppression', { path: { suppression_id } });
        requireStatus(
          t,
          'accounts.delete-takes-everything',
          answer,
          409,
          'a suppression of a deleted account',
        );
      }),
  },
  {
    id: 'accounts/deleted-account-is-unknown-everywhere',
    title: 'The id of a deleted account is 409 in every path, body and filter',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const { account_id, name } = await made.account();
        const { domain_id } = await made.domain();
        await t.ok('deleteAccount', 200, { path: { account_id } });
        const path = { account_id };
        const query = { 'account_ids[]': [account_id] };
        const answers = [
          await t.call('getAccount', { path }),
          await t.call('updateAccount', { path, body: { name } }),
          await t.call('deleteAccount', { path }),
          await t.call('createSuppression', { body: { account_id, recipient_email: t.address() } }),
          await t.call('createDomain', { body: { name: domainName(t), accounts: [account_id] } }),
          await t.call('updateDomain', { path: { domain_id }, body: { accounts: [account_id] } }),
          await t.call('listSuppressions', { query }),
          await t.call('listMessages', { query }),
          await t.call('exportMessages', { query }),
        ];
        for (const answer of answers) {
          requireStatus(t, ['accounts.deleted-id-409', 'http.missing-code'], answer, 409);
          requireCode(t, 'http.missing-code', answer, 'ACCOUNT_NOT_FOUND');
        }
      }),
  },
];
