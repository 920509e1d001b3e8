import fc from 'fast-check';
import type { Check } from '../../suite/check.ts';
import { isDeclared } from '../../suite/runner.ts';
import type { Tester } from '../../suite/tester.ts';
import type { SimulatedOutcome } from '../../target/target.ts';
import {
  between,
  countDifference,
  countedAtLeast,
  countsOf,
  expectedCounts,
  forgotten,
  momentsOf,
  requireCounts,
  statistics,
  type Told,
  told,
  undisturbed,
  wholeOf,
} from '../support/counts.ts';
import { mailTo, tracked } from '../support/simulator.ts';

const OUTCOMES = [
  'delivery',
  'hard_bounce',
  'soft_bounce',
  'spam_complaint',
  'unsubscribe',
  'open',
  'click',
] as const;
const RUNS = 25;
const MOST_MOMENTS = 60;
const REQUIREMENT = 'statistics.equals-events';

/** Statistics of any period are those of the events in it. */
export const statisticsSequences: Check = {
  id: 'sequences/statistics-equal-events',
  title: 'The statistics of any period count the messages and events that the log has in it',
  needs: ['simulator.delivery', 'simulator.hard_bounce', 'simulator.soft_bounce'],
  exclusive: true,
  run: (t: Tester) =>
    undisturbed(async () => {
      const all = await happened(t);
      const whole = wholeOf(all);
      const expected = expectedCounts(all, whole);
      requireCounts(t, REQUIREMENT, whole, await countedAtLeast(t, whole, expected), expected);
      const place = fc.nat({ max: MOST_MOMENTS });
      await t.property(fc.record({ from: place, to: place }), (places) => isCounted(t, all, places), RUNS);
    }),
};

/** Sends generated messages of every outcome that the target simulates, the same for the same seed, and waits for what becomes of them. */
async function happened(t: Tester): Promise<readonly Told[]> {
  const outcomes = OUTCOMES.filter((outcome) => isDeclared(t.target, `simulator.${outcome}`));
  const [plan = []] = fc.sample(plansOf(outcomes), { seed: t.seed, numRuns: 1 });
  const messages = plan.map(({ outcome, opens, clicks }) => {
    const flags = { track_opens: opens || outcome === 'open', track_clicks: clicks || outcome === 'click' };
    return [mailTo(t, outcome, { ...tracked, ...flags }), outcome] as const;
  });
  const all = await told(t, messages);
  await forgotten(t, all);
  return all;
}

/** Each outcome once, in any order, and some of them again. */
function plansOf(outcomes: readonly SimulatedOutcome[]) {
  const each = fc.shuffledSubarray([...outcomes], { minLength: outcomes.length });
  const again = fc.array(fc.constantFrom(...outcomes), { minLength: 1, maxLength: 3 });
  return fc
    .tuple(each, again)
    .chain((all) =>
      fc.tuple(
        ...all
          .flat()
          .map((outcome) =>
            fc.record({ outcome: fc.constant(outcome), opens: fc.boolean(), clicks: fc.boolean() }),
          ),
      ),
    );
}

async function isCounted(t: Tester, all: readonly Told[], { from, to }: { from: number; to: number }) {
  const moments = momentsOf(all);
  const at = (place: number) => moments[place % moments.length] ?? '';
  const [first, last] = [from, to].map((place) => place % moments.length).sort((one, other) => one - other);
  const period = between(at(first ?? 0), at(last ?? 0));
  const counts = countsOf((await statistics(t, period)).stats_summary);
  const wrong = countDifference(counts, expectedCounts(all, period));
  t.require(REQUIREMENT, wrong === '', `from ${period.period_from} to ${period.period_to}, ${wrong}`);
}
