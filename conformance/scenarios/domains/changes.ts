import type { Check } from '../../suite/check.ts';
import type { Tester } from '../../suite/tester.ts';
import { differences, show } from '../support/compare.ts';
import { domainName, withMade } from '../support/made.ts';
import { requireAllRefused } from '../support/refused.ts';
import { verifiedDomain } from '../support/verified.ts';
import { kept, listed, requireAccounts } from './domain.ts';

/** What an update changes, and what the list shows. */
export const changes: readonly Check[] = [
  {
    id: 'domains/update-replaces-accounts',
    title: 'An update replaces all accounts of the domain, and nothing else',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const requirement = 'domains.update-replaces-accounts';
        const [first, second, third] = [await made.account(), await made.account(), await made.account()];
        const created = await made.domain({ accounts: [first.account_id, second.account_id] });
        const path = { domain_id: created.domain_id };
        const accounts = [second.account_id, third.account_id];
        const body = { accounts, name: domainName(t) };
        const { data: updated } = await t.ok('updateDomain', 200, { path, body }, requirement);
        requireAccounts(t, requirement, updated, [second, third]);
        const now = await kept(t, created);
        requireAccounts(t, requirement, now, [second, third]);
        for (const { name } of [updated, now])
          t.require('domains.name-never-changes', name === created.name, `the name was changed to ${name}`);
        const { accounts: _replaced, name: _name, ...others } = created;
        const wrong = differences(now, others);
        t.require(requirement, wrong === '', `more than the accounts was changed: ${wrong}`);
      }),
  },
  {
    id: 'domains/update-return-path-hostname',
    title: 'An update gives the domain a new Return-Path host, which is then unverified',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const requirement = 'domains.update-return-path';
        const created = await made.domain();
        const path = { domain_id: created.domain_id };
        const body = { accounts: [], return_path_hostname: 'bounces-2' };
        await t.ok('updateDomain', 200, { path, body }, requirement);
        for (const change of [{}, { return_path_hostname: null }]) {
          const { return_path_hostname: is } = await kept(t, created);
          t.require(requirement, is === 'bounces-2', `expected bounces-2, got ${is}`);
          await t.ok('updateDomain', 200, { path, body: { accounts: [], ...change } }, requirement);
        }
        const { return_path_hostname: left } = await kept(t, created);
        t.require(requirement, left === 'bounces-2', `an update without a host changed it to ${left}`);
      }),
  },
  {
    id: 'domains/new-return-path-is-unverified',
    title: 'Only a new Return-Path host takes the verification away, and only its own',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const requirement = 'domains.new-return-path-is-unverified';
        const domain = await verifiedDomain(t, made, []);
        const path = { domain_id: domain.domain_id };
        const before = await kept(t, domain);
        const same = { accounts: [], return_path_hostname: before.return_path_hostname };
        for (const body of [{ accounts: [] }, same]) {
          await t.ok('updateDomain', 200, { path, body });
          const wrong = differences(await kept(t, domain), before);
          t.require(requirement, wrong === '', `an update without a new host changed the domain: ${wrong}`);
        }
        const body = { accounts: [], return_path_hostname: 'bounces-2' };
        await t.ok('updateDomain', 200, { path, body });
        const { return_path_verified_at: at, dkim_verified_at: dkim } = await kept(t, domain);
        t.require(requirement, at === null, `expected return_path_verified_at null, got ${show(at)}`);
        const isKept = dkim === before.dkim_verified_at;
        t.require(requirement, isKept, `expected dkim_verified_at as before, got ${show(dkim)}`);
      }),
  },
  {
    id: 'domains/update-requires-accounts',
    title: 'An update without accounts, or with malformed values, is refused and changes nothing',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const created = await made.domain({ accounts: [account_id] });
        const path = { domain_id: created.domain_id };
        const wrong = {
          'domains.update-accounts-required': [{}, { return_path_hostname: 'bounces-2' }],
          'domains.accounts-must-be-there': [{}, { accounts: null }],
        };
        await requireAllRefused(t, wrong, (body) => t.call('updateDomain', { path, body }));
        const changed = differences(await kept(t, created), created);
        t.require(
          'domains.update-accounts-required',
          changed === '',
          `a refused update changed it: ${changed}`,
        );
      }),
  },
  {
    id: 'domains/list-shows-the-created',
    title: 'A created domain stands in the list as it was created',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const created = await made.domain({ accounts: [account_id] });
        const shown = await listed(t, created.name, created);
        if (shown === undefined) t.fail('domains.list', `${created.name} is not in the list of its name`);
        const wrong = differences(shown, created);
        t.require('domains.list', wrong === '', `in the list, the domain is another: ${wrong}`);
      }),
  },
  {
    id: 'domains/list-filter-name',
    title: 'The filter by name shows the domains of that name: a part of it will do, in any letter case',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const [wanted, other] = [await made.domain(), await made.domain()];
        const part = wanted.name.slice(0, -3);
        const filters = {
          'domains.list-filter-name': [wanted.name],
          'conventions.text-filters-contain': [part, part.toUpperCase()],
        };
        for (const [requirement, names] of Object.entries(filters))
          for (const name of names) {
            const isWanted = (await listed(t, name, wanted)) !== undefined;
            t.require(requirement, isWanted, `the filter by ${show(name)} does not show ${wanted.name}`);
            const isOther = (await listed(t, name, other)) !== undefined;
            t.require(requirement, !isOther, `the filter by ${show(name)} shows ${other.name}`);
          }
      }),
  },
];
