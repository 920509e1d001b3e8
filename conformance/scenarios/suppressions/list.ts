import { domainToASCII } from 'node:url';
import type { Check } from '../../suite/check.ts';
import { mail, send } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { differences, show } from '../support/compare.ts';
import { unknownId, withMade } from '../support/made.ts';
import { requireStatus } from '../support/refused.ts';
import { listed, requireOnlyFirst } from './suppression.ts';

/** What the list of suppressions shows. */
export const list: readonly Check[] = [
  {
    id: 'suppressions/list-shows-the-created',
    title: 'A created suppression stands in the list as it was created',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const created = await made.suppression({ reason: 'asked by telephone' });
        const { recipient_email, suppression_id } = created;
        const shown = (await listed(t, { recipient_email })).find(
          (one) => one.suppression_id === suppression_id,
        );
        if (shown === undefined) t.fail('suppressions.list', `${recipient_email} is not in the list`);
        const wrong = differences(shown, created);
        t.require('suppressions.list', wrong === '', `in the list, the suppression is another: ${wrong}`);
      }),
  },
  {
    id: 'suppressions/filter-by-fields',
    title:
      'The filters by account, address, type, reason and message each find what they name, and nothing else',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const [one, two] = [await made.account(), await made.account()];
        const mine = { 'account_ids[]': [one.account_id, two.account_id] };
        const local = t.unique('Recipient');
        const wanted = await made.suppression({
          account_id: one.account_id,
          recipient_email: `first.${local}@conformance.test`,
          reason: `${t.unique('reason')} by Telephone`,
        });
        const other = await made.suppression({ account_id: two.account_id, reason: t.unique('reason') });
        const { recipient_email, reason } = wanted;
        const finds: [string | string[], Parameters<typeof listed>[1]][] = [
          ['suppressions.filter-by-account', { 'account_ids[]': [one.account_id] }],
          ['suppressions.filter-by-recipient', { recipient_email }],
          ['suppressions.filter-by-reason', { reason }],
          ['conventions.text-filters-contain', { reason: reason.slice(3, -3).toUpperCase() }],
        ];
        for (const [requirement, query] of finds)
          await requireOnlyFirst(t, requirement, { ...mine, ...query }, wanted, other);
        const anyCase = ['suppressions.letter-case', 'conventions.address-filters-whole'];
        for (const address of [recipient_email.toLowerCase(), recipient_email.toUpperCase()])
          await requireOnlyFirst(t, anyCase, { ...mine, recipient_email: address }, wanted, other);
        await requireOnlyFirst(t, 'suppressions.filter-by-type', { ...mine, 'types[]': ['manual'] }, wanted);
        const finding: [string, Parameters<typeof listed>[1]][] = [
          ['conventions.address-filters-whole', { recipient_email: `${local}@conformance.test` }],
          ['suppressions.filter-by-type', { 'types[]': ['hard_bounce', 'unsubscribe', 'spam_complaint'] }],
          ['suppressions.filter-by-message', { message_id: unknownId() }],
          ['suppressions.filter-by-message', { message_custom_id: t.unique('order') }],
        ];
        for (const [requirement, query] of finding) {
          const found = await listed(t, { ...mine, ...query }, requirement);
          const what = found[0]?.recipient_email;
          t.require(
            requirement,
            found.length === 0,
            `${show(query)} finds the manual suppression of ${what}`,
          );
        }
      }),
  },
  {
    id: 'suppressions/filter-by-period',
    title:
      'The filter by period finds what was created in it, with its ends in either order, and all of time without one',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const created = await made.suppression({ account_id });
        const mine = { 'account_ids[]': [account_id] };
        // A second to each side: a server may write its timestamps less exactly than it compares them.
        const at = (seconds: number) =>
          new Date(Date.parse(created.created_at) + seconds * 1000).toISOString();
        const [before, after] = [at(-1), at(1)];
        const finding = {
          'suppressions.filter-by-period': [
            { period_from: before },
            { period_to: after },
            { period_from: before, period_to: after },
          ],
          'suppressions.period-in-either-order': [{ period_from: after, period_to: before }],
          'suppressions.default-period-is-all-time': [{}],
        };
        for (const [requirement, periods] of Object.entries(finding))
          for (const period of periods)
            await requireOnlyFirst(t, requirement, { ...mine, ...period }, created);
        const missing = [
          { period_from: after },
          { period_to: before },
          { period_from: after, period_to: at(60) },
          { period_from: at(-60), period_to: before },
        ];
        for (const period of missing) {
          const found = await listed(t, { ...mine, ...period }, 'suppressions.filter-by-period');
          const message = `${show(period)} finds a suppression made at ${created.created_at}`;
          t.require('suppressions.filter-by-period', found.length === 0, message);
        }
      }),
  },
  {
    id: 'suppressions/invalid-filters',
    title: 'A malformed date, an unknown type and an account that does not exist are errors',
    async run(t: Tester) {
      const invalid: Record<string, string | string[]>[] = [
        { period_from: 'yesterday' },
        { period_to: '2026-13-45' },
        { 'types[]': ['other'] },
        { 'account_ids[]': ['not-an-id'] },
      ];
      for (const query of invalid) {
        const answer = await t.call('listSuppressions', { query });
        const message = `expected an error for ${show(query)}, got ${answer.status}`;
        t.require('suppressions.invalid-filters', answer.status >= 400, message, answer);
      }
      for (const ids of [[unknownId()], [t.tenant.account.account_id, unknownId()]]) {
        const answer = await t.call('listSuppressions', { query: { 'account_ids[]': ids } });
        const message = `expected an error for an account that does not exist, got ${answer.status}`;
        t.require('suppressions.invalid-filters', answer.status >= 400, message, answer);
        requireStatus(t, 'conventions.unknown-id-filter-409', answer, 409, 'an account that does not exist');
      }
    },
  },
  {
    id: 'suppressions/search-without-match-is-empty',
    title: 'A message, an address or a custom ID that nothing has gives an empty page',
    async run(t: Tester) {
      const requirement = 'conventions.unmatched-search-is-empty';
      const searches = [
        { message_id: unknownId() },
        { recipient_email: t.address() },
        { message_custom_id: t.unique('order') },
      ];
      for (const query of searches) {
        const { data, meta } = await t.ok('listSuppressions', 200, { query }, requirement);
        t.require(requirement, data.length === 0, `${show(query)} finds ${data.length} suppressions`);
        t.require(requirement, Number(meta.total) === 0, `expected the total 0, got ${meta.total}`);
      }
    },
  },
  {
    id: 'suppressions/international-domains',
    title: 'An address is suppressed in both forms of its international domain, and shown in the ASCII form',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const requirement = 'suppressions.international-domains';
        const { account_id } = t.tenant.account;
        const domain = `bücher-${t.unique('d')}.test`;
        const [unicode, ascii] = [`ann@${domain}`, `ann@${domainToASCII(domain)}`];
        const created = await made.suppression({ account_id, recipient_email: ascii }, requirement);
        await requireOnlyFirst(t, requirement, { recipient_email: ascii }, created);
        const again = await t.call('createSuppression', { body: { account_id, recipient_email: unicode } });
        const { results } = await send(
          t,
          [ascii, unicode].map((email) => mail(t, { to: [{ email }] })),
        );
        const isSent = results.some(({ status }) => status === 'accepted');
        t.require(
          requirement,
          !isSent,
          `mail to ${ascii} is suppressed, and was accepted in one of its forms`,
        );
        // Not every server takes an address with a domain in Unicode (RFC 6531); one that does has to know what it means.
        if (again.status === 422) return;
        requireStatus(t, requirement, again, 409, `${unicode}, which is ${ascii}`);
        await requireOnlyFirst(t, requirement, { recipient_email: unicode }, created);
        await t.ok('deleteSuppression', 200, { path: { suppression_id: created.suppression_id } });
        const { recipient_email: shown } = await made.suppression({ account_id, recipient_email: unicode });
        t.require(requirement, shown === ascii, `expected ${ascii}, got ${shown}`);
      }),
  },
];
