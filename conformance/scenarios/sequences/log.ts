import type { Check } from '../../suite/check.ts';
import type { Tester } from '../../suite/tester.ts';
import { sameMembers, show } from '../support/compare.ts';
import { exported, logged, search, searchable } from '../support/log.ts';
import { withMade } from '../support/made.ts';
import { rowDifference } from '../support/rows.ts';
import { asked, fillLog, type Pool, type Question, questions } from './log-pool.ts';

const RUNS = 40;

/** Any combination of filters, held against what was sent. */
export const logSequences: readonly Check[] = [
  {
    id: 'sequences/message-filters',
    title: 'Any combination of filters finds the messages that each of them finds, and no other',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const pool = await fillLog(t, await made.domain());
        await t.property(questions, (question) => isFound(t, pool, question), RUNS);
      }),
  },
  {
    id: 'sequences/csv-equals-list',
    title:
      'With any combination of filters, the export has a line for each message of the list, with the same words',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const pool = await fillLog(t, await made.domain());
        const ids = pool.entries.map(({ message_id: id }) => id);
        await searchable(t, 'exportMessages', ids);
        await settled(t, ids);
        await t.property(questions, (question) => isSame(t, pool, question), RUNS);
      }),
  },
];

async function isFound(t: Tester, pool: Pool, question: Question): Promise<void> {
  const requirements = ['messages.filters', 'conventions.filters-combine'];
  const { filters, expected } = asked(t, pool, question);
  const found = await search(t, 'listMessages', filters, requirements[0]);
  const wanted = expected.map(({ message_id: id }) => id);
  const message = `${show(filters)}: expected ${wanted.length} of ${pool.entries.length} messages, got ${found.length}`;
  t.require(requirements, sameMembers(found, wanted), message);
}

async function isSame(t: Tester, pool: Pool, question: Question): Promise<void> {
  const { filters } = asked(t, pool, question);
  // The log may move on between the two: what differs is asked for once more.
  const difference = (await differenceOf(t, filters)) && (await differenceOf(t, filters));
  t.require(
    'export.equals-list',
    difference === '',
    `${show(filters)}: list and export differ: ${difference}`,
  );
}

async function differenceOf(t: Tester, filters: ReturnType<typeof asked>['filters']): Promise<string> {
  const { data } = await t.ok('listMessages', 200, { query: { ...filters, limit: 30 } });
  return rowDifference(data, await exported(t, filters, 'export.equals-list'));
}

/** Waits until nothing is on its way any more; where mail waits for long, it stays as it is. */
async function settled(t: Tester, ids: readonly string[]): Promise<void> {
  await t.poll(async () => {
    const entries = await Promise.all(ids.map((id) => logged(t, id)));
    return entries.every(({ delivery_status: status }) => status !== 'new') || undefined;
  });
}
