import fc from 'fast-check';
import { valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { accepted, mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { show } from '../support/compare.ts';
import { type Made, withMade } from '../support/made.ts';

type ListOperation = 'listAccounts' | 'listDomains' | 'listSuppressions' | 'listMessages';

/** A list that a filter narrows to what this check has made. */
interface Narrowed {
  readonly operation: ListOperation;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly idField: string;
  readonly ids: readonly string[];
}

interface Page {
  readonly ids: readonly string[];
  readonly times: readonly string[];
  readonly total: number;
}

const OBJECTS = 7;
const RUNS = 6;

export const pages: Check = {
  id: 'sequences/pages-are-the-whole-list',
  title:
    'The pages of a list, whatever their size, are together the whole list in its order, each object once',
  run: (t: Tester) =>
    withMade(t, async (made) => {
      for (const list of [
        await accounts(t, made),
        await domains(t, made),
        await suppressions(made),
        await messages(t),
      ]) {
        const whole = await requireWhole(t, list);
        const cuts = fc.record({
          limit: fc.integer({ min: 1, max: OBJECTS + 2 }),
          start: fc.nat({ max: 2 }),
        });
        await t.property(cuts, (cut) => requirePages(t, list, whole, cut), RUNS);
      }
    }),
};

async function accounts(t: Tester, made: Made): Promise<Narrowed> {
  const name = t.unique('Pages');
  const ids = [];
  for (let count = 0; count < OBJECTS; count += 1) ids.push((await made.account({ name })).account_id);
  return { operation: 'listAccounts', query: { name }, idField: 'account_id', ids };
}

async function domains(t: Tester, made: Made): Promise<Narrowed> {
  const zone = `${t.unique('pages')}.test`;
  const ids = [];
  for (let count = 0; count < OBJECTS; count += 1)
    ids.push((await made.domain({ name: `d${count}.${zone}` })).domain_id);
  return { operation: 'listDomains', query: { name: zone }, idField: 'domain_id', ids };
}

async function suppressions(made: Made): Promise<Narrowed> {
  const { account_id } = await made.account();
  const ids = [];
  for (let count = 0; count < OBJECTS; count += 1)
    ids.push((await made.suppression({ account_id })).suppression_id);
  const query = { 'account_ids[]': [account_id] };
  return { operation: 'listSuppressions', query, idField: 'suppression_id', ids };
}

/** All in one request, so that a server may give them the same time. */
async function messages(t: Tester): Promise<Narrowed> {
  const custom_id = t.unique('pages');
  const batch = Array.from({ length: OBJECTS }, () => mail(t, { custom_id }));
  const ids = await accepted(t, batch);
  const query = { message_custom_id: custom_id };
  await t.poll(async () => {
    const { data } = await t.ok('listMessages', 200, { query: { ...query, limit: 30 } });
    return data.length === OBJECTS ? true : undefined;
  });
  return { operation: 'listMessages', query, idField: 'message_id', ids };
}

/** The list on one page, in its order. */
async function requireWhole(t: Tester, list: Narrowed): Promise<readonly string[]> {
  const { ids, times, total } = await page(t, list, { limit: 30 });
  const found = new Set(ids);
  const isWhole = ids.length === OBJECTS && list.ids.every((id) => found.has(id));
  const message = `${list.operation} by ${show(list.query)}: expected the ${OBJECTS} that were made, got ${ids.length}`;
  t.require('conventions.limit-and-offset', isWhole, message);
  const isExact = total === OBJECTS;
  t.require(
    'conventions.total-is-exact',
    isExact,
    `${list.operation}: expected the total ${OBJECTS}, got ${total}`,
  );
  const moments = times.map((time) => Date.parse(time));
  const isOrdered = moments.every((moment, index) => index === 0 || moment <= (moments[index - 1] ?? moment));
  t.require(
    'conventions.newest-first',
    isOrdered,
    `${list.operation}: expected the newest first, got ${show(times)}`,
  );
  return ids;
}

async function requirePages(
  t: Tester,
  list: Narrowed,
  whole: readonly string[],
  { limit, start }: { limit: number; start: number },
): Promise<void> {
  const cited =
    list.operation === 'listMessages'
      ? ['conventions.limit-and-offset', 'messages.limit-and-offset']
      : ['conventions.limit-and-offset'];
  const together: string[] = [];
  for (let offset = start; offset < OBJECTS + limit; offset += limit) {
    const { ids, total } = await page(t, list, { limit, offset });
    const expected = whole.slice(offset, offset + limit);
    const isPage = ids.length === expected.length;
    const message = `${list.operation} with limit ${limit} and offset ${offset}: expected ${expected.length} objects, got ${ids.length}`;
    t.require(cited, isPage, message);
    const exact = `${list.operation}: expected the total ${OBJECTS} on every page, got ${total}`;
    t.require('conventions.total-is-exact', total === OBJECTS, exact);
    together.push(...ids);
  }
  const isSame = together.join() === whole.slice(start).join();
  const message = `${list.operation}: the pages of ${limit} from ${start} are not the list in its order`;
  t.require('conventions.newest-first', isSame, message);
}

async function page(t: Tester, list: Narrowed, cut: { limit: number; offset?: number }): Promise<Page> {
  const answer = await t.call(list.operation, { query: { ...list.query, ...cut } });
  const isFine = answer.status === 200;
  const message = `expected 200 from ${list.operation} with ${show(cut)}, got ${answer.status}`;
  t.require('conventions.limit-and-offset', isFine, message, answer);
  const data = valueAt(answer.json, 'data');
  const rows = Array.isArray(data) ? data : [];
  return {
    ids: rows.map((row) => String(valueAt(row, list.idField))),
    times: rows.flatMap((row) => {
      const time = valueAt(row, 'created_at');
      return typeof time === 'string' ? [time] : [];
    }),
    total: Number(valueAt(answer.json, 'meta.total')),
  };
}
