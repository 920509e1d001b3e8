import type { Check } from '../../suite/check.ts';
import { accepted, mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { requireMalformedRefused } from '../messages/malformed.ts';
import { sameMembers, show } from '../support/compare.ts';
import { holds } from '../support/csv.ts';
import { filterCases } from '../support/filter-cases.ts';
import { eventOf, exported, type Filters, logged, periodOf, search, searchable } from '../support/log.ts';
import { withMade } from '../support/made.ts';
import { compareMoments, later } from '../support/moments.ts';
import { rowDifference } from '../support/rows.ts';
import { mailTo } from '../support/simulator.ts';

const HOUR = 3_600_000_000n;
const FILTER_REQUIREMENTS = ['export.filters', 'messages.same-filters'];

/** What the export holds. */
export const content: readonly Check[] = [
  {
    id: 'export/takes-the-filters-of-the-list',
    title: 'Each filter of the list finds the same messages in the export',
    run: (t) =>
      withMade(t, async (made) => {
        const { ids, cases } = await filterCases(t);
        await searchable(t, 'exportMessages', ids);
        for (const { filters, expected, what } of cases) await finds(t, filters, expected, what);
        const account = await made.account();
        const domain = await made.domain();
        const [message_id = ''] = ids;
        const { created_at } = await logged(t, message_id);
        const period = await periodOf(t, ids);
        const own: Filters = {
          'account_ids[]': [t.tenant.account.account_id],
          'domain_ids[]': [t.tenant.domainId],
          'events[]': ['spam_complaint', 'new'],
        };
        await finds(t, { message_id, ...own, ...period }, [message_id], 'its account, domain and event');
        const strange: Record<string, Filters> = {
          'another account': { ...period, 'account_ids[]': [account.account_id] },
          'another domain': { ...period, 'domain_ids[]': [domain.domain_id] },
          'another event': { ...period, 'events[]': ['spam_complaint'] },
          'an earlier period': { period_from: later(created_at, -HOUR), period_to: later(created_at, -1n) },
        };
        for (const [what, filters] of Object.entries(strange))
          await finds(t, { message_id, ...filters }, [], what);
      }),
  },
  {
    id: 'export/equals-the-list',
    title: 'The export says of each message what the list says, newest first',
    async run(t) {
      const custom_id = t.unique('equal');
      const ids: string[] = [];
      for (const count of [2, 1]) {
        const sent = Array.from({ length: count }, () => mail(t, { custom_id }));
        ids.push(...(await accepted(t, sent)));
      }
      await Promise.all([searchable(t, 'listMessages', ids), searchable(t, 'exportMessages', ids)]);
      const query = { message_custom_id: custom_id, ...(await periodOf(t, ids)) };
      // While mail is still on its way, the one may have been asked before and the other after it has arrived.
      let difference = '';
      await t.poll(async () => {
        const [{ data }, rows] = await Promise.all([
          t.ok('listMessages', 200, { query }),
          exported(t, query, 'export.equals-list'),
        ]);
        difference = rowDifference(data, rows);
        if (difference !== '') return undefined;
        requireNewestFirst(
          t,
          rows.map(({ created_at = '' }) => created_at),
        );
        return true;
      });
      t.require('export.equals-list', difference === '', `list and export differ: ${difference}`);
    },
  },
  {
    id: 'export/last-smtp-response',
    title: 'The export has the last reply of the remote server',
    needs: ['simulator.delivery', 'simulator.hard_bounce'],
    async run(t) {
      for (const outcome of ['delivery', 'hard_bounce'] as const) {
        const [id = ''] = await accepted(t, [mailTo(t, outcome)]);
        const { details } = await eventOf(t, id, outcome);
        await searchable(t, 'exportMessages', [id]);
        const query = { message_id: id, ...(await periodOf(t, [id])) };
        const is = await t.poll(async () => {
          const [row] = await exported(t, query);
          const reply = row?.smtp_response ?? '';
          return holds(reply, details.smtp_response) ? reply : undefined;
        });
        t.require(
          'export.smtp-response',
          is !== undefined,
          `after ${outcome}, expected the reply ${show(details.smtp_response)} in smtp_response`,
        );
      }
    },
  },
  {
    id: 'export/malformed-filters',
    title: 'An export with a malformed filter is refused',
    run: (t) => requireMalformedRefused(t, 'exportMessages', 'export.malformed-filters'),
  },
];

async function finds(t: Tester, filters: Filters, expected: readonly string[], what: string): Promise<void> {
  const found = await search(t, 'exportMessages', filters, FILTER_REQUIREMENTS[0]);
  const message = `${what}: expected ${expected.length} messages, got ${found.length}`;
  t.require(FILTER_REQUIREMENTS, sameMembers(found, expected), message);
}

function requireNewestFirst(t: Tester, times: readonly string[]): void {
  for (const [index, time] of times.slice(1).entries()) {
    const before = times[index] ?? '';
    const message = `a message of ${time} comes after one of ${before}`;
    t.require('export.newest-first', compareMoments(before, time) >= 0, message);
  }
}
