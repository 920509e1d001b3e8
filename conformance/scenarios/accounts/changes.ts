import type { Check } from '../../suite/check.ts';
import { mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { differences } from '../support/compare.ts';
import { type Account, withMade } from '../support/made.ts';
import { requireAllRefused, requireStatus } from '../support/refused.ts';
import { texts } from '../support/values.ts';
import { fieldsOf } from './account.ts';

/** What an update changes, and what it cannot. */
export const changes: readonly Check[] = [
  {
    id: 'accounts/type-never-changes',
    title: 'A type in an update leaves the account of the type that it was created with',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const { account_id, name } = await made.account({ type: 'transactional' });
        const path = { account_id };
        const answer = await t.call('updateAccount', { path, body: { name, type: 'marketing' } });
        const { type } = (await t.ok('getAccount', 200, { path })).data;
        const cited = ['accounts.type-never-changes', 'accounts.type-cannot-be-changed'];
        t.require(cited, type === 'transactional', `the type was changed to ${type}`);
        requireStatus(t, 'accounts.type-ignored-in-patch', answer, 200, 'an update with another type');
      }),
  },
  {
    id: 'accounts/update-changes-the-name',
    title: 'An update gives the account the new name, and nothing else changes',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const created = await made.account();
        const path = { account_id: created.account_id };
        await t.property(
          texts(),
          async (name) => {
            const expected = { ...fieldsOf(created), name };
            const { data: updated } = await t.ok(
              'updateAccount',
              200,
              { path, body: { name } },
              'accounts.update',
            );
            const inAnswer = differences(updated, expected);
            t.require('accounts.update', inAnswer === '', `after the update, ${inAnswer}`);
            const { data: kept } = await t.ok('getAccount', 200, { path });
            const wrong = differences(kept, expected);
            t.require('accounts.update', wrong === '', `retrieved after the update, ${wrong}`);
          },
          8,
        );
      }),
  },
  {
    id: 'accounts/update-requires-the-name',
    title: 'An update without a name, or with a malformed one, is refused and changes nothing',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const created = await made.account();
        const path = { account_id: created.account_id };
        const wrong = {
          'accounts.update-name-required': [{}, { name: null }, { type: 'marketing' }],
          'accounts.name-form': [{ name: '' }, { name: 5 }, { name: 'a\nb' }],
        };
        await requireAllRefused(t, wrong, (body) => t.call('updateAccount', { path, body }));
        const { data: kept } = await t.ok('getAccount', 200, { path });
        const changed = differences(kept, fieldsOf(created));
        t.require(
          'accounts.update-name-required',
          changed === '',
          `a refused update took effect: ${changed}`,
        );
      }),
  },
  {
    id: 'accounts/status-can-be-changed',
    title: 'An account can be disabled and made active again',
    profile: 'extensions',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const { account_id, name } = await made.account();
        const path = { account_id };
        for (const status of ['disabled', 'active'] as const) {
          await t.ok('updateAccount', 200, { path, body: { name, status } }, 'accounts.patch-status');
          const { data } = await t.ok('getAccount', 200, { path });
          const isSet = data.status === status;
          t.require(
            ['accounts.patch-status', 'accounts.states'],
            isSet,
            `expected ${status}, got ${data.status}`,
          );
        }
        await t.ok('updateAccount', 200, { path, body: { name, status: 'disabled' } });
        await t.ok('updateAccount', 200, { path, body: { name } });
        const { status } = (await t.ok('getAccount', 200, { path })).data;
        t.require('accounts.patch-status', status === 'disabled', 'an update without a status changed it');
      }),
  },
  {
    id: 'accounts/disabled-account-cannot-send',
    title: 'The key of a disabled account is refused with 403, and works again when the account is active',
    profile: 'extensions',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const { account_id, name } = await made.account();
        const path = { account_id };
        const { data: key } = await t.ok('createApiKey', 201, { path, body: { name: 'conformance' } });
        t.hide(key.api_key);
        const as = { kind: 'basic' as const, account_id, api_key: key.api_key };
        const send = () => t.call('sendEmail', { body: [mail(t)], as });
        const change = (status: Account['status']) =>
          t.ok('updateAccount', 200, { path, body: { name, status } });
        const before = await send();
        await change('disabled');
        const refusal = await send();
        await change('active');
        const after = await send();
        const cited = ['accounts.disabled', 'accounts.disabled-key-403', 'http.permissions-403'];
        requireStatus(t, cited, refusal, 403, 'the key of a disabled account');
        t.require(
          'accounts.disabled',
          after.status === before.status,
          `active again, the account's key is answered ${after.status}; before, it was ${before.status}`,
          before,
          after,
        );
      }),
  },
];
