import type { Check } from '../../suite/check.ts';
import { accepted, mail, send } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { differences, show } from '../support/compare.ts';
import { domainName, unknownId, withMade } from '../support/made.ts';
import { requireAllRefused, requireCode, requireStatus } from '../support/refused.ts';
import { verifiedDomain } from '../support/verified.ts';
import { kept, listed, requireAccounts } from './domain.ts';

const DEFAULT_HOSTNAME = 'cs-bounces';
const LONGEST_NAME = 220;

/** Domains come into being and go. */
export const life: readonly Check[] = [
  {
    id: 'domains/create-and-retrieve',
    title: 'A domain is created with its name and accounts, and can be retrieved',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const accounts = [await made.account(), await made.account({ type: 'marketing' })];
        const ids = accounts.map(({ account_id }) => account_id);
        const name = domainName(t);
        const created = await made.domain({ name, accounts: ids }, 'domains.create');
        t.require('domains.create', created.name === name, `expected ${name}, got ${created.name}`);
        requireAccounts(t, 'domains.create-assigns', created, accounts);
        const path = { domain_id: created.domain_id };
        const { data: retrieved } = await t.ok('getDomain', 200, { path }, 'domains.retrieve');
        requireAccounts(t, 'domains.accounts-shown', retrieved, accounts);
        const { accounts: _accounts, ...fields } = created;
        const wrong = differences(retrieved, fields);
        t.require('domains.fields', wrong === '', `retrieved, the domain is another: ${wrong}`);
        const twice = await made.domain({ accounts: [...ids, ...ids] }, 'domains.account-named-twice');
        requireAccounts(t, 'domains.account-named-twice', twice, accounts);
      }),
  },
  {
    id: 'domains/created-domain-starts-unverified',
    title: 'A created domain has neither been verified for DKIM nor for its Return-Path',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const created = await made.domain();
        for (const { dkim_verified_at: dkim, return_path_verified_at: path } of [
          created,
          await kept(t, created),
        ]) {
          const cited = ['domains.starts-unverified', 'domains.verification-states'];
          const [dkimIs, pathIs] = [show(dkim), show(path)];
          t.require(
            [...cited, 'domains.unverified-is-null'],
            dkim === null,
            `expected dkim_verified_at null, got ${dkimIs}`,
          );
          t.require(
            [...cited, 'domains.return-path-unverified-is-null'],
            path === null,
            `expected return_path_verified_at null, got ${pathIs}`,
          );
        }
      }),
  },
  {
    id: 'domains/return-path-hostname-at-creation',
    title: 'The Return-Path host is cs-bounces unless another is named',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        for (const change of [{}, { return_path_hostname: null }]) {
          const { return_path_hostname: is } = await made.domain(change);
          const isDefault = is === DEFAULT_HOSTNAME;
          t.require('domains.default-return-path', isDefault, `expected ${DEFAULT_HOSTNAME}, got ${is}`);
        }
        const named = await made.domain({ return_path_hostname: 'other-bounces' }, 'domains.create');
        for (const { return_path_hostname: is } of [named, await kept(t, named)])
          t.require('domains.create', is === 'other-bounces', `expected other-bounces, got ${is}`);
      }),
  },
  {
    id: 'domains/dns-records-are-shown',
    title: 'A domain says which DNS records it needs: two DKIM hosts and the Return-Path',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const created = await made.domain();
        const records = [
          created.return_path_cname,
          created.dkim_selector_1,
          created.dkim_cname_1,
          created.dkim_selector_2,
          created.dkim_cname_2,
        ];
        const isHost = (value: string) => /^[\w-]+(\.[\w-]+)*\.?$/.test(value);
        t.require('domains.dns-records', records.every(isHost), `expected host names, got ${show(records)}`);
        const isSame = created.dkim_selector_1 === created.dkim_selector_2;
        t.require('domains.dns-records', !isSame, 'the two DKIM records have the same host name');
      }),
  },
  {
    id: 'domains/create-refuses-malformed',
    title: 'A domain without a name or without accounts is refused',
    async run(t: Tester) {
      const name = domainName(t);
      const wrong = {
        'domains.create-required': [{}, { name }, { accounts: [] }, { name: null, accounts: [] }],
        'domains.accounts-must-be-there': [{ name }, { name, accounts: null }],
      };
      await requireAllRefused(t, wrong, (body) => t.call('createDomain', { body }));
    },
  },
  {
    id: 'domains/name-forms',
    title: 'A domain has the name of a host with two labels or more, and no other',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const some = t.unique('d');
        const wrong = ['', 'localhost', '192.0.2.7', `${some}.7`, `-${some}.test`, `${some}..test`];
        wrong.push(
          `${some} x.test`,
          `${'a'.repeat(64)}.${some}.test`,
          `${'abc.'.repeat(LONGEST_NAME / 4)}test`,
        );
        const bodies = [...wrong, 5, [some]].map((name) => ({ name, accounts: [] }));
        await requireAllRefused(t, { 'domains.name-form': bodies }, (body) =>
          t.call('createDomain', { body }),
        );
        for (const name of [`${some}.test`, `xn--bcher-kva.a-1.${some}.test`])
          await made.domain({ name }, 'domains.name-form');
      }),
  },
  {
    id: 'domains/name-is-taken',
    title: 'A name that the organisation has already is 409, until its domain is deleted',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const requirement = 'domains.unique-within-organisation';
        const { name, domain_id } = await made.domain();
        const answer = await t.call('createDomain', { body: { name, accounts: [] } });
        requireStatus(t, requirement, answer, 409, 'a name that is taken');
        requireCode(t, requirement, answer, 'ENTITY_EXISTS');
        await t.ok('deleteDomain', 200, { path: { domain_id } });
        await made.domain({ name }, requirement);
      }),
  },
  {
    id: 'domains/accounts-must-exist',
    title: 'An account that does not exist is 409 at creation and in an update, and nothing changes',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const account = await made.account();
        const created = await made.domain({ accounts: [account.account_id] });
        const accounts = [account.account_id, unknownId()];
        const name = domainName(t);
        const path = { domain_id: created.domain_id };
        const answers = [
          await t.call('createDomain', { body: { name, accounts } }),
          await t.call('updateDomain', { path, body: { accounts } }),
        ];
        for (const answer of answers)
          requireStatus(t, ['domains.accounts-must-exist', 'http.business-logic-409'], answer, 409);
        requireAccounts(t, 'domains.accounts-must-exist', await kept(t, created), [account]);
        const { data } = await t.ok('listDomains', 200, { query: { name } });
        t.require('domains.accounts-must-exist', data.length === 0, 'the refused domain was created');
      }),
  },
  {
    id: 'domains/accounts-may-be-empty',
    title: 'A domain may be assigned to no account, from creation or by an update',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const requirement = 'domains.accounts-may-be-empty';
        requireAccounts(t, requirement, await made.domain({ accounts: [] }, requirement), []);
        const { account_id } = await made.account();
        const assigned = await made.domain({ accounts: [account_id] });
        const path = { domain_id: assigned.domain_id };
        await t.ok('updateDomain', 200, { path, body: { accounts: [] } }, requirement);
        requireAccounts(t, requirement, await kept(t, assigned), []);
      }),
  },
  {
    id: 'domains/delete-is-permanent',
    title: 'A deleted domain is returned once more, and gone from then on',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const created = await made.domain();
        const path = { domain_id: created.domain_id };
        const { data: deleted } = await t.ok('deleteDomain', 200, { path }, 'domains.delete-permanent');
        const wrong = differences(deleted, created);
        t.require(
          'conventions.delete-returns-the-object',
          wrong === '',
          `deletion returned another: ${wrong}`,
        );
        const after = [
          await t.call('getDomain', { path }),
          await t.call('updateDomain', { path, body: { accounts: [] } }),
          await t.call('deleteDomain', { path }),
        ];
        for (const answer of after) requireStatus(t, 'domains.delete-permanent', answer, 409);
        const isListed = (await listed(t, created.name, created)) !== undefined;
        t.require('domains.delete-permanent', !isListed, 'a deleted domain is still listed');
      }),
  },
  {
    id: 'domains/messages-outlive-the-domain',
    title: 'Messages of a deleted domain stay readable, and no new one is accepted from it',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const { domain_id, name } = await verifiedDomain(t, made, [t.tenant.account.account_id]);
        const from = { email: `hello@${name}` };
        const [message_id = ''] = await accepted(t, [mail(t, { from })]);
        await t.ok('deleteDomain', 200, { path: { domain_id } });
        const requirement = 'domains.messages-outlive-the-domain';
        const { data } = await t.ok('getMessage', 200, { path: { message_id } }, requirement);
        t.require(requirement, data.domain_id === domain_id, `expected its domain_id, got ${data.domain_id}`);
        const query = { 'domain_ids[]': [domain_id] };
        const page = await t.ok('listMessages', 200, { query }, requirement);
        const isListed = page.data.some((message) => message.message_id === message_id);
        t.require(requirement, isListed, 'the messages of the deleted domain do not list it any more');
        const { answer, results } = await send(t, [mail(t, { from })]);
        t.require(
          'domains.deleted-domain-sends-nothing',
          answer.status === 207 && results[0]?.status !== 'accepted',
          `expected mail from a deleted domain to be rejected with 207, got ${answer.status}`,
          answer,
        );
      }),
  },
];
