import type { RequestOf } from '../contract/handlers.ts';
import type { MessageEventType } from '../domain/events.ts';
import { resolvePeriod } from '../domain/periods.ts';
import type { Clock } from '../domain/time.ts';
import type { MessageFilter } from '../store/rows.ts';
import { toCsv } from './messages-csv.ts';
import { listed, ok } from './replies.ts';
import type { HandlersOf } from './tags.ts';

/** The operations of the tag Messages. */
export function messageHandlers({ clock }: { clock: Clock }): HandlersOf<'Messages'> {
  return {
    getMessage: async ({ path, caller }) => ok(await caller.store.messages.get(path.message_id)),

    listMessages: async ({ query, caller }) =>
      listed(await caller.store.messages.list(filterOf(query, clock), query), query),

    exportMessages: async ({ query, caller }) => ({
      status: 200,
      headers: { 'Content-Disposition': 'attachment; filename="messages.csv"' },
      stream: toCsv(await caller.store.messages.exportPages(filterOf(query, clock))),
    }),

    listMessageEvents: async ({ path, query, caller }) =>
      listed(await caller.store.messages.listEvents(path.message_id, query), query),
  };
}

function filterOf(query: RequestOf<'exportMessages'>['query'], clock: Clock): MessageFilter {
  return {
    period: resolvePeriod(query, clock),
    account_ids: query['account_ids[]'],
    domain_ids: query['domain_ids[]'],
    events: query['events[]']?.map(eventType),
    recipient_email: query.recipient_email,
    from_email: query.from_email,
    subject: query.subject,
    message_id: query.message_id,
    message_custom_id: query.message_custom_id,
  };
}

/** The contract keeps an old misspelling of `unsubscribe` as a filter value. */
function eventType(type: MessageEventType | 'unsibscribe'): MessageEventType {
  return type === 'unsibscribe' ? 'unsubscribe' : type;
}
