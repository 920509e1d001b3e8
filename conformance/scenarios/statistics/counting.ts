import type { Check } from '../../suite/check.ts';
import { accepted, type Message, mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';
import {
  between,
  type Counter,
  countedAtLeast,
  expectedCounts,
  forgotten,
  momentsOf,
  type Period,
  requireCounts,
  type Told,
  told,
  toldOf,
  undisturbed,
  wholeOf,
} from '../support/counts.ts';
import { type EventType, eventsOf } from '../support/log.ts';
import { attributesOf, htmlOf, sentMail } from '../support/mails.ts';
import { mailTo, tracked } from '../support/simulator.ts';

const ACCEPTED: readonly Counter[] = ['messages', 'track_opens', 'track_clicks'];
const TRACKED: readonly Counter[] = ['track_opens', 'track_clicks'];
const UNIQUE: readonly Counter[] = ['open', 'unique_opens'];
const html = { html: '<p>A message of a <a href="https://www.conformance.test/">conformance run</a>.</p>' };

/** What is counted, and when. Counters are those of the organisation: these checks need it for themselves. */
export const counting: readonly Check[] = [
  {
    id: 'statistics/counts-accepted-messages',
    title: 'Messages count when they are accepted, and as tracked when they ask for it',
    exclusive: true,
    run: (t: Tester) =>
      undisturbed(async () => {
        const all = await told(t, [
          [mail(t, { body: html, track_opens: true }), 'new'],
          [mail(t, { body: html, track_clicks: true }), 'new'],
          [mail(t), 'new'],
        ]);
        const requirements = ['statistics.aggregates', 'statistics.meanings', 'statistics.counted-when'];
        await counts(t, requirements, all, accepting(all), ACCEPTED);
        const plain = await told(t, [[mail(t, { track_opens: true, track_clicks: true }), 'new']]);
        await counts(t, ['statistics.tracked-without-html'], plain, accepting(plain), TRACKED);
      }),
  },
  {
    id: 'statistics/counts-events',
    title: 'Deliveries and bounces count when they happen',
    needs: ['simulator.delivery', 'simulator.hard_bounce', 'simulator.soft_bounce'],
    exclusive: true,
    run: (t: Tester) => happens(t, ['delivery', 'delivery', 'hard_bounce', 'soft_bounce']),
  },
  {
    id: 'statistics/counts-reactions',
    title: 'Opens, clicks, unsubscribes and complaints count when they happen',
    needs: ['simulator.open', 'simulator.click', 'simulator.unsubscribe', 'simulator.spam_complaint'],
    exclusive: true,
    run: (t: Tester) => happens(t, ['open', 'click', 'unsubscribe', 'spam_complaint']),
  },
  {
    id: 'statistics/counts-repeated-opens',
    title: 'A message that is opened twice counts as two opens and one unique one, at the first',
    needs: ['sent_mail', 'simulator.delivery', 'simulator.open'],
    exclusive: true,
    run: (t: Tester) =>
      undisturbed(async () => {
        const message = mailTo(t, 'delivery', tracked);
        const [id = ''] = await accepted(t, [message]);
        for (const count of [1, 2]) await openedTimes(t, id, message, count);
        const all = [await toldOf(t, id, message, 'open')];
        const [first = '', second = ''] = all.flatMap(({ events }) =>
          events.filter(({ type }) => type === 'open').map(({ received_at: at }) => at),
        );
        for (const period of [between(first, second), between(first, first), between(second, second)])
          await counts(t, ['statistics.unique-at-first'], all, period, UNIQUE);
      }),
  },
  {
    id: 'statistics/period-ends',
    title: 'Both ends of a period belong to it, and may be given in either order',
    exclusive: true,
    run: (t: Tester) =>
      undisturbed(async () => {
        const all = await told(t, [
          [mail(t), 'new'],
          [mail(t), 'new'],
        ]);
        const [first = '', second = ''] = all.map(({ entry }) => entry.created_at);
        for (const period of [between(first, second), between(first, first), between(second, second)])
          await counts(t, ['statistics.period-ends-belong', 'statistics.counted-when'], all, period, [
            'messages',
          ]);
        const { period_from, period_to } = between(first, second);
        const swapped = { period_from: period_to, period_to: period_from };
        await counts(t, ['statistics.period-in-either-order'], all, swapped, ['messages']);
      }),
  },
];

/** The time in which the messages were accepted. */
function accepting(all: readonly Told[]): Period {
  const times = all.map(({ entry }) => entry.created_at);
  return between(times[0] ?? '', times.at(-1) ?? '');
}

/** The statistics of the period are those of these messages. */
async function counts(
  t: Tester,
  requirements: readonly string[],
  all: readonly Told[],
  period: Period,
  names?: readonly Counter[],
): Promise<void> {
  const expected = expectedCounts(all, period);
  const is = await countedAtLeast(t, period, expected, names);
  requireCounts(t, requirements, period, is, expected, names);
}

type Outcome = Exclude<EventType, 'new'>;

async function happens(t: Tester, outcomes: readonly Outcome[]): Promise<void> {
  await undisturbed(async () => {
    const all = await told(
      t,
      outcomes.map((outcome) => [mailTo(t, outcome, tracked), outcome] as const),
    );
    await forgotten(t, all);
    await counts(t, ['statistics.meanings'], all, wholeOf(all));
    for (const at of momentsOf(all)) await counts(t, ['statistics.counted-when'], all, between(at, at));
  });
}

async function openedTimes(t: Tester, id: string, message: Message, count: number): Promise<void> {
  const left = await sentMail(t, undefined, message.to[0]?.email ?? '');
  for (const image of attributesOf(htmlOf(left), 'img', 'src')) await t.visit(image);
  const opens = async () => (await eventsOf(t, id)).filter(({ type }) => type === 'open').length;
  if ((await t.poll(async () => (await opens()) >= count || undefined)) !== true)
    throw new SetupFailed(`opening the mail ${count} times is not in the log`);
}
