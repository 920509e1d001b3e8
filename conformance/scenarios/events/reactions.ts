import { isIP } from 'node:net';
import type { Check } from '../../suite/check.ts';
import { accepted, type Message } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';
import { show } from '../support/compare.ts';
import { detailsOf, eventOf, eventsOf, type LoggedMessage, logged } from '../support/log.ts';
import { attributesOf, htmlOf, sentMail } from '../support/mails.ts';
import { compareMoments, later } from '../support/moments.ts';
import { mailTo, tracked } from '../support/simulator.ts';
import { requireSuppressed, suppressionsOf, unsuppressed } from './suppressed.ts';

type Reaction = 'open' | 'click' | 'unsubscribe' | 'spam_complaint';

const FIELDS = {
  open: { field: 'opened_at', requirement: 'messages.opened-at' },
  click: { field: 'clicked_at', requirement: 'messages.clicked-at' },
  unsubscribe: { field: 'unsubscribed_at', requirement: 'messages.unsubscribed-at' },
  spam_complaint: { field: 'spam_complaint_at', requirement: 'messages.spam-complaint-at' },
} as const;
const SECOND = 1_000_000n;

/** What the log tells of the recipient's reactions. */
export const reactions: readonly Check[] = [
  {
    id: 'events/open',
    title: 'An opened message has the event with the device, and the time of the first open',
    needs: ['simulator.open'],
    async run(t) {
      const { event } = await reacted(t, 'open');
      requireDevice(t, event.details);
    },
  },
  {
    id: 'events/opened-at-is-the-first',
    title: 'A second open leaves the time of the first',
    needs: ['sent_mail', 'simulator.delivery', 'simulator.open'],
    async run(t) {
      const message = mailTo(t, 'delivery', tracked);
      const [id = ''] = await accepted(t, [message]);
      const left = await sentMail(t, undefined, message.to[0]?.email ?? '');
      const times: (string | null)[] = [];
      for (const count of [1, 2]) {
        for (const image of attributesOf(htmlOf(left), 'img', 'src')) await t.visit(image);
        const isOpened = await t.poll(async () => (await opens(t, id)) >= count || undefined);
        if (isOpened !== true) throw new SetupFailed(`opening the mail ${count} times is not in the log`);
        times.push((await logged(t, id)).opened_at);
      }
      const [first, second] = times;
      const shown = `opened_at was ${first}, and is ${second} after a second open`;
      t.require('messages.opened-at', first === second, shown);
    },
  },
  {
    id: 'events/click',
    title: 'A message whose link was followed has the event with the device, and the time of the first click',
    needs: ['simulator.click'],
    async run(t) {
      const { event } = await reacted(t, 'click');
      requireDevice(t, event.details);
    },
  },
  {
    id: 'events/unsubscribe',
    title: 'An unsubscribe has the event with the list, the time, and suppresses the recipient',
    needs: ['simulator.unsubscribe'],
    async run(t) {
      const { event, entry } = await reacted(t, 'unsubscribe');
      await unsuppressed(t, await requireSuppressed(t, entry, 'unsubscribe'));
      const { list_id: is } = event.details;
      t.require(
        'events.unsubscribe-details',
        is === tracked.list_id,
        `expected ${tracked.list_id}, got ${is}`,
      );
    },
  },
  {
    id: 'events/spam-complaint',
    title: 'A complaint has the event, the time, and suppresses the recipient',
    needs: ['simulator.spam_complaint'],
    async run(t) {
      const { event, entry } = await reacted(t, 'spam_complaint');
      await unsuppressed(t, await requireSuppressed(t, entry, 'spam_complaint'));
      const details = detailsOf(event);
      t.require('events.empty-details', details.length === 0, `expected no details, got ${details}`);
    },
  },
  {
    id: 'events/untracked-message-has-no-open',
    title: 'A message without track_opens is never opened',
    needs: ['simulator.open'],
    run: (t) => stays(t, 'open', 'events.open-requires-tracking'),
  },
  {
    id: 'events/untracked-message-has-no-click',
    title: 'A message without track_clicks is never clicked',
    needs: ['simulator.click'],
    run: (t) => stays(t, 'click', 'events.click-requires-tracking'),
  },
  {
    id: 'events/opening-the-unsubscribe-link-changes-nothing',
    title: 'Opening the link of List-Unsubscribe unsubscribes nobody',
    needs: ['sent_mail', 'simulator.delivery', 'simulator.unsubscribe'],
    async run(t) {
      const requirement = 'events.opening-the-link-changes-nothing';
      const message = mailTo(t, 'delivery', tracked);
      const [id = ''] = await accepted(t, [message]);
      const left = await sentMail(t, undefined, message.to[0]?.email ?? '');
      const link = /<(https?:[^>]+)>/i.exec(left.header('List-Unsubscribe') ?? '')?.[1];
      // Who unsubscribes by mail alone has no link to open.
      if (link === undefined) return;
      await t.visit(link);
      // A reader who unsubscribes after that, and is seen to, shows that there was time enough.
      const [other = ''] = await accepted(t, [mailTo(t, 'unsubscribe', tracked)]);
      await eventOf(t, other, 'unsubscribe');
      for (const suppression of await suppressionsOf(t, { message_id: other }))
        await unsuppressed(t, suppression);
      const { unsubscribed_at } = await logged(t, id);
      t.require(requirement, unsubscribed_at === null, `opening ${link} has unsubscribed the recipient`);
    },
  },
];

/** Sends a message that is read so; looks at its event, the field of its time, and its status. */
async function reacted<Outcome extends Reaction>(t: Tester, outcome: Outcome) {
  const [id = ''] = await accepted(t, [mailTo(t, outcome, tracked)]);
  const event = await eventOf(t, id, outcome, 'events.same-kinds');
  const { field, requirement } = FIELDS[outcome];
  const at = await t.poll(async () => (await logged(t, id))[field] ?? undefined);
  const isNear =
    at !== undefined &&
    compareMoments(at, later(event.received_at, -SECOND)) >= 0 &&
    compareMoments(at, later(event.received_at, SECOND)) <= 0;
  t.require(requirement, isNear, `expected ${field} to be ${event.received_at}, got ${at ?? null}`);
  let entry: LoggedMessage = await logged(t, id);
  await t.poll(async () => {
    entry = await logged(t, id);
    return entry.delivery_status === 'delivery' || undefined;
  });
  const status = entry.delivery_status;
  const message = `expected the status delivery after ${outcome}, got ${status}`;
  t.require('messages.reactions-leave-the-status', status === 'delivery', message);
  return { event, entry };
}

function requireDevice(t: Tester, { user_ip }: { user_ip: string }): void {
  t.require(
    'events.visit-details',
    isIP(user_ip) !== 0,
    `expected an IP address in user_ip, got ${show(user_ip)}`,
  );
}

async function opens(t: Tester, id: string): Promise<number> {
  return (await eventsOf(t, id)).filter(({ type }) => type === 'open').length;
}

/** Of two messages that get the same reader, the one that does not ask for tracking has no such event. */
async function stays(t: Tester, reaction: 'open' | 'click', requirement: string): Promise<void> {
  const untracked: Partial<Message> = {
    ...tracked,
    [reaction === 'open' ? 'track_opens' : 'track_clicks']: false,
  };
  const ids = await accepted(t, [mailTo(t, reaction, untracked), mailTo(t, reaction, tracked)]);
  const [quiet = '', told = ''] = ids;
  await eventOf(t, quiet, 'delivery');
  await eventOf(t, told, reaction);
  const events = (await eventsOf(t, quiet)).map(({ type }) => type);
  const { field } = FIELDS[reaction];
  const at = (await logged(t, quiet))[field];
  const isQuiet = !events.includes(reaction) && at === null;
  t.require(
    requirement,
    isQuiet,
    `without tracking, its events are ${events.join(', ')}, and ${field} is ${at}`,
  );
}
