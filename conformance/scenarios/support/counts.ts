import type { QueryParameters } from '../../../generated/operations.ts';
import type { components } from '../../../generated/types.ts';
import { valueAt } from '../../suite/answer.ts';
import { accepted, type Message } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { Violation } from '../../suite/violation.ts';
import { suppressionsOf, unsuppressed } from '../events/suppressed.ts';
import { type EventType, eventOf, eventsOf, type LoggedMessage, logged, type MessageEvent } from './log.ts';
import { compareMoments, endOf, inOrder } from './moments.ts';

/** The counters of statistics. */
export const COUNTERS = [
  'messages',
  'delivery',
  'hard_bounce',
  'soft_bounce',
  'spam_complaint',
  'unsubscribe',
  'open',
  'click',
  'track_opens',
  'track_clicks',
  'unique_opens',
  'unique_clicks',
] as const;
export type Counter = (typeof COUNTERS)[number];
export type Counts = Readonly<Record<Counter, number>>;
type Statistics = components['schemas']['Statistics'];

/** A message of a check, with everything that the log knows of it. */
export interface Told {
  readonly message: Message;
  readonly entry: LoggedMessage;
  readonly events: readonly MessageEvent[];
}

/** From one moment to another, in the server's own words. */
export interface Period {
  readonly period_from: string;
  readonly period_to: string;
}

const ATTEMPTS = 3;

/** Sends messages in a batch each, so that they differ in time, and returns what the log tells once each has the event named with it. */
export async function told(
  t: Tester,
  sent: readonly (readonly [Message, EventType])[],
): Promise<readonly Told[]> {
  const ids: string[] = [];
  for (const [message] of sent) ids.push(...(await accepted(t, [message])));
  return Promise.all(sent.map(([message, last], index) => toldOf(t, ids[index] ?? '', message, last)));
}

/** What the log tells of a message, as soon as it has this event. */
export async function toldOf(t: Tester, id: string, message: Message, last: EventType): Promise<Told> {
  await eventOf(t, id, last);
  const events = await eventsOf(t, id);
  return { message, entry: await logged(t, id), events };
}

/** Takes away what the events have suppressed. */
export async function forgotten(t: Tester, all: readonly Told[]): Promise<void> {
  for (const { entry } of all)
    for (const suppression of await suppressionsOf(t, { message_id: entry.message_id }))
      await unsuppressed(t, suppression);
}

/** What the statistics of a period have to be, were there nothing but these messages. */
export function expectedCounts(all: readonly Told[], period: Period): Counts {
  const [from = '', to = ''] = inOrder([period.period_from, period.period_to]);
  const isIn = (at: string) => compareMoments(at, from) >= 0 && compareMoments(at, to) <= 0;
  const taken = all.filter(({ entry }) => isIn(entry.created_at));
  const happened = (type: EventType) =>
    all.flatMap(({ events }) => events).filter((event) => event.type === type && isIn(event.received_at))
      .length;
  // The first open or click by a person: those of machines are events, and not unique ones.
  const first = (field: 'opened_at' | 'clicked_at') =>
    all.filter(({ entry }) => entry[field] !== null && isIn(entry[field])).length;
  return countsBy((name) => {
    switch (name) {
      case 'messages':
        return taken.length;
      case 'track_opens':
      case 'track_clicks':
        return taken.filter(({ message }) => message[name] === true).length;
      case 'unique_opens':
        return first('opened_at');
      case 'unique_clicks':
        return first('clicked_at');
      default:
        return happened(name);
    }
  });
}

/** The moments at which something happened to these messages, in order. */
export function momentsOf(all: readonly Told[]): readonly string[] {
  return inOrder(
    all.flatMap(({ entry, events }) => [entry.created_at, ...events.map(({ received_at: at }) => at)]),
  );
}

/** From one moment to another, both included, however finely the server writes. */
export function between(from: string, to: string): Period {
  return { period_from: from, period_to: endOf(to) };
}

/** Everything that happened to these messages. */
export function wholeOf(all: readonly Told[]): Period {
  const moments = momentsOf(all);
  return between(moments[0] ?? '', moments.at(-1) ?? '');
}

/** The server's statistics of a period. */
export async function statistics(t: Tester, query: QueryParameters<'getStats'>): Promise<Statistics> {
  return (await t.ok('getStats', 200, { query })).data;
}

/** The counters of a summary or of an item as numbers, whether they came as numbers or as text. */
export function countsOf(counters: object): Counts {
  return countsBy((name) => Number(valueAt(counters, name)));
}

/** One count for each counter. */
export function countsBy(count: (name: Counter) => number): Counts {
  return {
    messages: count('messages'),
    delivery: count('delivery'),
    hard_bounce: count('hard_bounce'),
    soft_bounce: count('soft_bounce'),
    spam_complaint: count('spam_complaint'),
    unsubscribe: count('unsubscribe'),
    open: count('open'),
    click: count('click'),
    track_opens: count('track_opens'),
    track_clicks: count('track_clicks'),
    unique_opens: count('unique_opens'),
    unique_clicks: count('unique_clicks'),
  };
}

/** The counts of a period, as soon as they are at least what is expected: what is counted may take a moment. */
export async function countedAtLeast(
  t: Tester,
  period: Period,
  expected: Counts,
  names: readonly Counter[] = COUNTERS,
): Promise<Counts> {
  let counts = countsBy(() => 0);
  await t.poll(async () => {
    counts = countsOf((await statistics(t, period)).stats_summary);
    return names.every((name) => counts[name] >= expected[name]) || undefined;
  });
  return counts;
}

/** Which of these counters differ; '' when none does. */
export function countDifference(
  counts: Counts,
  expected: Counts,
  names: readonly Counter[] = COUNTERS,
): string {
  return names
    .filter((name) => counts[name] !== expected[name])
    .map((name) => `${name} is ${counts[name]} instead of ${expected[name]}`)
    .join(', ');
}

/** More was counted than a check has done, which may be what others did at that time. */
class Overcounted extends Error {
  readonly violation: Violation;

  constructor(violation: Violation) {
    super(violation.message);
    this.violation = violation;
  }
}

/** The counts are those expected; to be called within `undisturbed`. @throws Violation, or what `undisturbed` tries again. */
export function requireCounts(
  t: Tester,
  requirement: string | readonly string[],
  period: Period,
  counts: Counts,
  expected: Counts,
  names: readonly Counter[] = COUNTERS,
): void {
  const difference = countDifference(counts, expected, names);
  const isOver = names.every((name) => counts[name] >= expected[name]);
  try {
    const message = `from ${period.period_from} to ${period.period_to}, ${difference}`;
    t.require(requirement, difference === '', message);
  } catch (error) {
    throw error instanceof Violation && isOver ? new Overcounted(error) : error;
  }
}

/** Others may use the organisation, and are counted as well: only what is too much each time is wrong. @throws Violation. */
export async function undisturbed(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      // A property has asked when all was counted.
      const isShrunk = error instanceof Violation && error.shrunk !== undefined;
      if (!isShrunk && !(error instanceof Overcounted)) throw error;
      if (attempt === ATTEMPTS) throw error instanceof Overcounted ? error.violation : error;
    }
  }
}
