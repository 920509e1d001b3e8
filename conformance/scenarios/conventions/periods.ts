import fc from 'fast-check';
import type { Check } from '../../suite/check.ts';
import { accepted, mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { show } from '../support/compare.ts';
import { logged, search, searchable } from '../support/log.ts';
import { withMade } from '../support/made.ts';
import { dayOf, later } from '../support/moments.ts';
import { requireStatus } from '../support/refused.ts';
import { listed } from '../suppressions/suppression.ts';

const OFFSETS = 'conventions.any-offset-is-read';
const DAYS = 'conventions.date-is-a-whole-day';
const SECOND = 1_000_000n;
const MINUTE = 60n * SECOND;
const DAY = 24n * 60n * MINUTE;
const RUNS = 8;

interface Period {
  readonly period_from: string;
  readonly period_to: string;
}

/** Something that happened at a known moment, and whether a period shows it. */
interface Witness {
  readonly what: string;
  readonly at: string;
  shows(period: Period, requirement: string): Promise<boolean>;
}

/** `Z` or `+05:30`, as far from UTC as clocks on Earth are. */
const offsets = fc.oneof(
  fc.constant('Z'),
  fc.integer({ min: -12 * 4, max: 14 * 4 }).map((quarters) => {
    const minutes = Math.abs(quarters) * 15;
    const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
      String(part).padStart(2, '0'),
    );
    return `${quarters < 0 ? '-' : '+'}${hour}:${minute}`;
  }),
);

/** The moment so many microseconds later, as a clock with this offset shows it. */
function written(at: string, microseconds: bigint, offset: string): string {
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const ahead = BigInt(Number(hours) * 60 + Number(minutes)) * MINUTE * (sign === '-' ? -1n : 1n);
  return later(at, microseconds + ahead).replace('+00:00', offset);
}

async function requireOffsets(t: Tester, witness: Witness): Promise<void> {
  const { what, at } = witness;
  await t.property(
    fc.record({ from: offsets, to: offsets }),
    async ({ from, to }) => {
      const around = {
        period_from: written(at, -MINUTE, from),
        period_to: written(at, MINUTE, to),
      };
      const isShown = await witness.shows(around, OFFSETS);
      t.require(OFFSETS, isShown, `${show(around)} does not show ${what} of ${at}`);
      const after = {
        period_from: written(at, MINUTE, from),
        period_to: written(at, 2n * MINUTE, to),
      };
      const isShownAfter = await witness.shows(after, OFFSETS);
      t.require(OFFSETS, !isShownAfter, `${show(after)} shows ${what} of ${at}`);
    },
    RUNS,
  );
}

async function requireWholeDays(t: Tester, witness: Witness): Promise<void> {
  const { what, at } = witness;
  const [before, day, after] = [-DAY, 0n, DAY].map((step) => dayOf(later(at, step)));
  if (before === undefined || day === undefined || after === undefined) return;
  const periods: [string, string, boolean][] = [
    [day, day, true],
    [before, day, true],
    [day, after, true],
    [before, before, false],
    [after, after, false],
    // One end may be a date, and the other a moment.
    [day, later(at, MINUTE), true],
    [later(at, -MINUTE), day, true],
  ];
  for (const [period_from, period_to, expected] of periods) {
    const isShown = await witness.shows({ period_from, period_to }, DAYS);
    const message = `${period_from} to ${period_to} must ${expected ? '' : 'not '}show ${what} of ${at}`;
    t.require(DAYS, isShown === expected, message);
  }
}

/** How the ends of a period are read. */
export const periods: readonly Check[] = [
  {
    id: 'conventions/periods-read-dates-and-offsets',
    title: 'The ends of a period are read with any offset, and a date is the whole of its day in UTC',
    run: (t) =>
      withMade(t, async (made) => {
        const { suppression_id, created_at, recipient_email } = await made.suppression();
        const [id = ''] = await accepted(t, [mail(t)]);
        const { created_at: sentAt } = await logged(t, id);
        const message = (operation: 'listMessages' | 'exportMessages'): Witness => ({
          what: `a message in ${operation}`,
          at: sentAt,
          shows: async (period, requirement) =>
            (await search(t, operation, { message_id: id, ...period }, requirement)).includes(id),
        });
        const suppression: Witness = {
          what: 'a suppression',
          at: created_at,
          shows: async (period, requirement) => {
            const found = await listed(t, { recipient_email, ...period }, requirement);
            return found.some((one) => one.suppression_id === suppression_id);
          },
        };
        const witnesses = [suppression, message('listMessages'), message('exportMessages')];
        for (const operation of ['listMessages', 'exportMessages'] as const)
          await searchable(t, operation, [id]);
        for (const witness of witnesses) {
          await requireOffsets(t, witness);
          await requireWholeDays(t, witness);
        }
        await requireReadByStatistics(t, sentAt);
      }),
  },
];

/** The figures are those of everybody: here they are only asked for. */
async function requireReadByStatistics(t: Tester, at: string): Promise<void> {
  const period = (offset: string) => ({
    period_from: written(at, -MINUTE, offset),
    period_to: written(at, MINUTE, offset),
  });
  for (const offset of ['Z', '+05:30', '-08:00']) {
    const answer = await t.call('getStats', { query: period(offset) });
    requireStatus(t, OFFSETS, answer, 200, `getStats from ${period(offset).period_from}`);
  }
  const day = dayOf(at);
  const answer = await t.call('getStats', { query: { period_from: day, period_to: day } });
  requireStatus(t, DAYS, answer, 200, `getStats of ${day}`);
}
