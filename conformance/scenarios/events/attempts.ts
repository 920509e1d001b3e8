import type { Check } from '../../suite/check.ts';
import { accepted, mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { sameMembers, show } from '../support/compare.ts';
import {
  detailsOf,
  type EventType,
  eventOf,
  eventsOf,
  type LoggedMessage,
  logged,
  periodOf,
  search,
  searchable,
} from '../support/log.ts';
import { compareMoments } from '../support/moments.ts';
import { mailTo } from '../support/simulator.ts';
import { requireSuppressed, suppressionsOf, unsuppressed } from './suppressed.ts';

type Attempt = 'delivery' | 'hard_bounce' | 'soft_bounce';

/** What the log tells of an attempt at delivery. */
export const attempts: readonly Check[] = [
  {
    id: 'events/new-event-is-listed',
    title: 'The events of an accepted message begin with new, once and without details',
    async run(t) {
      const ids = await accepted(t, [mail(t), mail(t)]);
      for (const id of ids) {
        await eventOf(t, id, 'new', 'messages.starts-new');
        const events = await eventsOf(t, id);
        const [first] = events;
        const news = events.filter(({ type }) => type === 'new');
        t.require('messages.readable', news.length === 1, `expected one event new, got ${news.length}`);
        const isFirst =
          first !== undefined && compareMoments(first.received_at, news[0]?.received_at ?? '') === 0;
        t.require('messages.starts-new', isFirst, `expected new to be first, got ${show(first)}`);
        const details = news.flatMap(detailsOf);
        t.require(
          ['events.fields', 'events.empty-details'],
          details.length === 0,
          `expected no details of new, got ${details}`,
        );
      }
      await isAPage(t, ids[0] ?? '');
    },
  },
  {
    id: 'events/delivery',
    title: 'A delivered message has the event, the reply of the remote server and the status',
    needs: ['simulator.delivery'],
    async run(t) {
      const { event, entry } = await attempted(t, 'delivery');
      const { created_at: created, updated_at: updated } = entry;
      // A server that writes whole seconds may write the same one twice.
      const isLater = compareMoments(event.received_at, created) > 0;
      const isMoved = !isLater || compareMoments(updated, created) > 0;
      const message = `delivered at ${event.received_at}, and updated_at is ${updated}, as at acceptance`;
      t.require('events.updated-at-moves', isMoved, message);
    },
  },
  {
    id: 'events/hard-bounce',
    title: 'A hard bounce has the event, the reply and the status, and suppresses the recipient',
    needs: ['simulator.hard_bounce'],
    async run(t) {
      const { entry } = await attempted(t, 'hard_bounce');
      const suppression = await requireSuppressed(t, entry, 'hard_bounce');
      try {
        t.require(
          ['suppressions.reason-only-when-manual', 'suppressions.automatic-reason-is-empty'],
          suppression.reason === '',
          `expected no reason, got ${show(suppression.reason)}`,
        );
        const byMessage = await suppressionsOf(t, { message_id: entry.message_id });
        const isOnly = byMessage.length === 1 && byMessage[0]?.suppression_id === suppression.suppression_id;
        const message = `searching for its message finds ${byMessage.length} suppressions, not the one`;
        t.require('suppressions.filter-by-message', isOnly, message);
      } finally {
        await unsuppressed(t, suppression);
      }
    },
  },
  {
    id: 'events/soft-bounce',
    title: 'A soft bounce has the event, the reply and the status, and suppresses nobody',
    needs: ['simulator.soft_bounce'],
    async run(t) {
      const { entry } = await attempted(t, 'soft_bounce');
      const found = await suppressionsOf(t, { recipient_email: entry.recipient_email });
      const message = `a soft bounce has suppressed the recipient as ${found[0]?.type}`;
      t.require('events.soft-bounce-does-not-suppress', found.length === 0, message);
    },
  },
  {
    id: 'events/filter-by-event',
    title: 'The filter by events finds messages by any event that they ever had, not by their last one alone',
    needs: ['simulator.delivery', 'simulator.soft_bounce'],
    async run(t) {
      const ids = await accepted(t, [mailTo(t, 'delivery'), mailTo(t, 'soft_bounce')]);
      const [delivered = '', bounced = ''] = ids;
      await Promise.all([eventOf(t, delivered, 'delivery'), eventOf(t, bounced, 'soft_bounce')]);
      await searchable(t, 'listMessages', ids);
      const period = await periodOf(t, ids);
      const finds = async (requirement: string, events: EventType[], expected: readonly string[]) => {
        const each = ids.map((id) =>
          search(t, 'listMessages', { message_id: id, 'events[]': events, ...period }, requirement),
        );
        const found = (await Promise.all(each)).flat();
        const message = `events ${events}: expected ${expected.length} of the two messages, got ${found.length}`;
        t.require(requirement, sameMembers(found, expected), message);
      };
      await finds('messages.filter-by-event', ['delivery'], [delivered]);
      await finds('messages.filter-by-event', ['soft_bounce'], [bounced]);
      await finds('messages.filter-by-event', ['delivery', 'soft_bounce'], ids);
      await finds('messages.at-any-time', ['new'], ids);
    },
  },
];

/** The events are a page of a list. */
async function isAPage(t: Tester, id: string): Promise<void> {
  const answer = await t.ok('listMessageEvents', 200, {
    path: { message_id: id },
    query: { limit: 1, offset: 0 },
  });
  const { data, meta } = answer;
  const isPage = data.length === 1 && meta.limit === 1 && meta.offset === 0;
  t.require(
    'events.list',
    isPage,
    `expected a page of one with limit 1 and offset 0, got ${data.length} and ${show(meta)}`,
  );
  t.require('events.list', meta.total >= 1, `the message has events, and total is ${meta.total}`);
}

/** Sends a message that ends so, and looks at its event and status. */
async function attempted(t: Tester, outcome: Attempt) {
  const [id = ''] = await accepted(t, [mailTo(t, outcome)]);
  const event = await eventOf(t, id, outcome, 'events.same-kinds');
  const all = (await eventsOf(t, id)).filter(({ type }) => type === outcome);
  const isOnce = outcome === 'soft_bounce' || all.length === 1;
  t.require('events.same-kinds', isOnce, `expected one event ${outcome}, got ${all.length}`);
  const { smtp_response: reply } = event.details;
  t.require('events.smtp-details', reply.trim() !== '', 'smtp_response is empty');
  return { event, entry: await withStatus(t, id, outcome) };
}

async function withStatus(t: Tester, id: string, outcome: Attempt): Promise<LoggedMessage> {
  let entry: LoggedMessage | undefined;
  await t.poll(async () => {
    entry = await logged(t, id);
    return entry.delivery_status === outcome ? true : undefined;
  });
  const status = entry?.delivery_status;
  t.require(
    ['messages.delivery-status', 'messages.states', 'messages.last-outcome'],
    status === outcome,
    `expected the status ${outcome}, got ${status}`,
  );
  return entry ?? logged(t, id);
}
