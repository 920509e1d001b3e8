import type { OperationId } from '../../../generated/operations.ts';

import type { Check } from '../../suite/check.ts';
import { accepted, mail } from '../../suite/sending.ts';
import type { LooseCall, Tester } from '../../suite/tester.ts';
import { show } from '../support/compare.ts';
import { logged, periodOf, search, searchable } from '../support/log.ts';
import { withMade } from '../support/made.ts';
import { requireStatus } from '../support/refused.ts';
import { listed, type Filters as SuppressionFilters } from '../suppressions/suppression.ts';

const SEARCHES = ['listMessages', 'exportMessages'] as const;
const REPEATS = 'conventions.array-filters';
const COMBINE = 'conventions.filters-combine';
const NO_OFFSET = ['2026-01-01T00:00:00', '2026-01-01T00:00:00.000000', '2026-01-01T23:59:59.9'];
const A_DAY = '2001-01-01';
const BAD_PAGES = { limit: ['0', '-1'], offset: ['-1'] };
const NO_NUMBERS = ['many', '1.5', '1;2'];
const NO_TIMES = [
  'yesterday',
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  '2026-01-01T25:00:00+00:00',
  '1767225600',
];

/** What each operation with a period needs beside the end that is tried. */
const PERIODS: readonly OperationId[] = ['listSuppressions', 'listMessages', 'exportMessages', 'getStats'];
const LISTS: readonly OperationId[] = [
  'listAccounts',
  'listDomains',
  'listSuppressions',
  'listMessages',
  'listMessageEvents',
];
const ENDS = ['period_from', 'period_to'];

/** Each value as either end of each period, while the other is fine, gets 422. */
async function requireNoTime(t: Tester, requirement: string, values: readonly string[]): Promise<void> {
  for (const operation of PERIODS)
    for (const end of ENDS)
      for (const value of values) {
        const query = { period_from: A_DAY, period_to: A_DAY, [end]: value };
        const answer = await t.call(operation, { query });
        requireStatus(t, requirement, answer, 422, `${operation} with ${end}=${value}`);
      }
}

/** An account of two, both with a suppression of their own, and a third that nobody asks for. */
async function requireSuppressionFilters(t: Tester): Promise<void> {
  await withMade(t, async (made) => {
    const ids: string[] = [];
    const addresses: string[] = [];
    const suppressions: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const { account_id } = await made.account();
      const { recipient_email, suppression_id } = await made.suppression({ account_id });
      ids.push(account_id);
      addresses.push(recipient_email);
      suppressions.push(suppression_id);
    }
    const [one = '', two = ''] = ids;
    const cases: [string, SuppressionFilters, number[]][] = [
      [REPEATS, { 'account_ids[]': [one, two] }, [0, 1]],
      [REPEATS, { 'account_ids[]': [two, one] }, [0, 1]],
      [REPEATS, { 'account_ids[]': [one] }, [0]],
      [REPEATS, { 'account_ids[]': [one], 'types[]': ['hard_bounce', 'manual'] }, [0]],
      [COMBINE, { 'account_ids[]': [one, two], 'types[]': ['hard_bounce'] }, []],
      [COMBINE, { 'account_ids[]': [one, two], recipient_email: addresses[1] ?? '' }, [1]],
      [COMBINE, { 'account_ids[]': [one, two], recipient_email: addresses[2] ?? '' }, []],
    ];
    for (const [requirement, query, wanted] of cases) {
      const found = (await listed(t, query, requirement)).map(({ suppression_id: id }) => id);
      requireFound(t, requirement, query, found, suppressions, wanted);
    }
  });
}

/** Two messages: one filter finds both, another one of them. */
async function requireMessageFilters(t: Tester, operation: (typeof SEARCHES)[number]): Promise<void> {
  await withMade(t, async (made) => {
    const { account_id: other } = await made.account();
    const { domain_id: strange } = await made.domain();
    const mark = t.unique('filters');
    const ids = await accepted(t, [mail(t, { subject: `${mark} a` }), mail(t, { subject: `${mark} b` })]);
    await searchable(t, operation, ids);
    const period = await periodOf(t, ids);
    const mine = { ...period, subject: mark };
    const { account_id: own } = t.tenant.account;
    // Nobody opens what is not tracked.
    const cases: [string, object, number[]][] = [
      [REPEATS, { 'account_ids[]': [other, own] }, [0, 1]],
      [REPEATS, { 'account_ids[]': [own, other] }, [0, 1]],
      [REPEATS, { 'domain_ids[]': [strange, t.tenant.domainId] }, [0, 1]],
      [REPEATS, { 'events[]': ['open', 'new'] }, [0, 1]],
      [REPEATS, { 'events[]': ['new', 'open'] }, [0, 1]],
      [COMBINE, { 'events[]': ['open'] }, []],
      [COMBINE, { 'account_ids[]': [own], 'domain_ids[]': [strange] }, []],
      [COMBINE, { 'events[]': ['open', 'new'], 'account_ids[]': [own, other], message_id: ids[1] }, [1]],
      [COMBINE, { 'events[]': ['open', 'click'], 'account_ids[]': [own, other] }, []],
    ];
    for (const [requirement, filters, wanted] of cases) {
      const found = await search(t, operation, { ...mine, ...filters }, requirement);
      requireFound(t, requirement, filters, found, ids, wanted);
    }
  });
}

function requireFound(
  t: Tester,
  requirement: string,
  query: object,
  found: readonly string[],
  own: readonly string[],
  wanted: readonly number[],
): void {
  const shown = own.flatMap((id, at) => (found.includes(id) ? [at] : []));
  const message = `${show(query)} must find ${wanted.length} of ${own.length} (${wanted}), and finds ${shown.length} (${shown})`;
  t.require(requirement, show(shown) === show(wanted), message);
}

/** How the query of a list, of the export and of the statistics is read. */
export const filters: readonly Check[] = [
  {
    id: 'conventions/array-filters-repeat',
    title: 'A filter that is repeated finds each of its values, and different filters narrow the search',
    async run(t) {
      await requireSuppressionFilters(t);
      for (const operation of SEARCHES) await requireMessageFilters(t, operation);
    },
  },
  {
    id: 'conventions/malformed-query-422',
    title: 'A limit, an offset, a date or a choice that means nothing is 422',
    async run(t) {
      const [message_id = ''] = await accepted(t, [mail(t)]);
      await logged(t, message_id);
      const path = { message_id };
      for (const operation of LISTS) {
        for (const [name, values] of Object.entries(BAD_PAGES))
          for (const value of values) {
            const answer = await t.call(operation, { path, query: { [name]: value } });
            requireStatus(t, 'conventions.bad-page-422', answer, 422, `${operation} with ${name}=${value}`);
          }
        for (const name of ['limit', 'offset'])
          for (const value of NO_NUMBERS) {
            const answer = await t.call(operation, { path, query: { [name]: value } });
            requireStatus(t, 'http.malformed-value-422', answer, 422, `${operation} with ${name}=${value}`);
          }
      }
      await requireNoTime(t, 'http.malformed-value-422', NO_TIMES);
      const choices: [OperationId, LooseCall['query']][] = [
        ['listAccounts', { type: 'personal' }],
        ['listSuppressions', { 'types[]': ['manual', 'other'] }],
        ['listMessages', { 'events[]': 'bounced' }],
        ['exportMessages', { 'events[]': ['new', 'bounced'] }],
      ];
      for (const [operation, query] of choices) {
        const answer = await t.call(operation, { query: query ?? {} });
        requireStatus(t, 'http.malformed-value-422', answer, 422, `${operation} with ${show(query)}`);
      }
    },
  },
  {
    id: 'conventions/timestamp-without-offset-422',
    title: 'A timestamp that does not say its offset is refused',
    run: (t) => requireNoTime(t, 'conventions.timestamp-without-offset-422', NO_OFFSET),
  },
  {
    id: 'conventions/repeated-parameter-422',
    title: 'A parameter of one value that comes twice is 422',
    async run(t) {
      const [message_id = ''] = await accepted(t, [mail(t)]);
      await logged(t, message_id);
      const period = { period_from: A_DAY, period_to: A_DAY };
      const twice: [OperationId, Record<string, string[]>][] = [
        ...LISTS.map((operation): [OperationId, Record<string, string[]>] => [
          operation,
          { limit: ['1', '2'] },
        ]),
        ...LISTS.map((operation): [OperationId, Record<string, string[]>] => [
          operation,
          { offset: ['0', '0'] },
        ]),
        ['listAccounts', { name: ['a', 'b'] }],
        ['listDomains', { name: ['a', 'b'] }],
        ['listSuppressions', { recipient_email: [t.address(), t.address()] }],
        ['listMessages', { subject: ['a', 'b'] }],
        ['exportMessages', { subject: ['a', 'b'] }],
        ...PERIODS.map((operation): [OperationId, Record<string, string[]>] => [
          operation,
          { period_to: [A_DAY, '2001-01-02'] },
        ]),
      ];
      for (const [operation, query] of twice) {
        const needed = PERIODS.includes(operation) ? period : {};
        const answer = await t.call(operation, { path: { message_id }, query: { ...needed, ...query } });
        const what = `${operation} with ${show(query)}`;
        requireStatus(t, 'conventions.repeated-parameter-422', answer, 422, what);
      }
    },
  },
];
