import type { Answer } from '../../suite/answer.ts';
import { valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import type { Tester } from '../../suite/tester.ts';
import { show } from '../support/compare.ts';
import { COUNTERS } from '../support/counts.ts';
import { dayOf, isSameMoment } from '../support/moments.ts';
import { requireStatus } from '../support/refused.ts';

const PERIOD = {
  period_from: '2026-01-05T06:07:08.000000+00:00',
  period_to: '2026-02-03T04:05:06.000000+00:00',
};
const NO_TIME = ['yesterday', '2026-02-30', '2026-01-01T00:00:00'];
const COUNT = /^\d+$/;

/** What a question for statistics looks like, and its answer. */
export const form: readonly Check[] = [
  {
    id: 'statistics/summary-has-every-counter',
    title: 'Statistics are of the period asked for, and the summary has every counter',
    async run(t) {
      const answer = await asked(t, PERIOD);
      requireStatus(t, 'statistics.response', answer, 200);
      for (const [end, wanted] of Object.entries(PERIOD)) {
        const is = valueAt(answer.json, `data.${end}`);
        const message = `asked for ${end} ${wanted}, got ${show(is)}`;
        t.require('statistics.fields', isThatTime(is, wanted), message, answer);
      }
      const summary = valueAt(answer.json, 'data.stats_summary');
      const isThere = typeof summary === 'object' && summary !== null;
      t.require(
        ['statistics.fields', 'statistics.summary-always-breakdown-on-request'],
        isThere,
        `stats_summary is ${show(summary)}`,
        answer,
      );
      for (const name of COUNTERS) {
        const value = valueAt(summary, name);
        const isCount = COUNT.test(String(value));
        t.require('statistics.counters', isCount, `the counter ${name} is ${show(value)}`, answer);
        t.inform(
          'statistics.numbers',
          `counters are ${typeof value === 'string' ? 'numeric strings' : 'integers'}`,
        );
      }
    },
  },
  {
    id: 'statistics/no-breakdown-unless-asked',
    title: 'Without all_accounts and all_domains, or with 0, there is no breakdown',
    async run(t) {
      const zero = { all_accounts: 0, all_domains: 0 };
      for (const query of [{}, zero, { all_accounts: 0 }, { all_domains: 0 }]) {
        const answer = await asked(t, { ...PERIOD, ...query });
        requireStatus(t, 'statistics.value-0-accepted', answer, 200, query);
        const breakdown = valueAt(answer.json, 'data.breakdown');
        const message = `with ${show(query)}, expected no breakdown, got ${show(breakdown)}`;
        t.require('statistics.no-breakdown', breakdown === undefined, message, answer);
      }
    },
  },
  {
    id: 'statistics/malformed-parameters',
    title: 'Without a period, with a malformed one, or with both breakdowns at once, statistics are refused',
    async run(t) {
      const { period_from, period_to } = PERIOD;
      for (const query of [{ period_from }, { period_to }, {}])
        requireStatus(t, 'statistics.period-required', await asked(t, query), 422, query);
      const both = { ...PERIOD, all_accounts: 1, all_domains: 1 };
      requireStatus(t, 'statistics.both-conflict', await asked(t, both), 422, 'both breakdowns');
      const strange = [
        ...NO_TIME.flatMap((time) => [{ period_from: time }, { period_to: time }]),
        { all_accounts: 2 },
        { all_domains: 'every' },
      ];
      for (const query of strange)
        requireStatus(
          t,
          'statistics.malformed-parameters',
          await asked(t, { ...PERIOD, ...query }),
          422,
          query,
        );
    },
  },
];

function asked(t: Tester, query: Readonly<Record<string, string | number>>): Promise<Answer<'getStats'>> {
  return t.call('getStats', { query });
}

/** The ends may be shown as timestamps or as dates. */
function isThatTime(value: unknown, wanted: string): boolean {
  if (typeof value !== 'string') return false;
  return /^\d{4}-\d\d-\d\d$/.test(value) ? value === dayOf(wanted) : isSameMoment(value, wanted);
}
