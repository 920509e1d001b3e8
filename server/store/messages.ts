import { acceptMessages } from './accept.ts';
import { exportMessages } from './message-export.ts';
import { checkFilterIds } from './message-filter.ts';
import { listMessages } from './message-list.ts';
import { notFound, requireOwn } from './ownership.ts';
import { pageClause, single, toPage } from './page.ts';
import type { MessageEventRow, MessageRow, Page, PageRequest } from './rows.ts';
import type { MessageEventsTable, StoredEventDetails } from './schema.ts';
import { own, type Scope } from './scope.ts';
import type { MessageStore } from './store.ts';

const missing = () => notFound('message');

/** The log of one organisation, and the way into it. */
export function messageStore(scope: Scope): MessageStore {
  return {
    accept: (accountId, candidates) => acceptMessages(scope, accountId, candidates),
    get: async (messageId) => {
      await requireOwn(scope, 'message', [messageId]);
      const rows = await scope.rows<MessageRow>`
        select m.message_id, m.custom_id, m.recipient_email, m.from_email, m.subject, m.domain_id, m.account_id,
          d.name as domain_name, a.name as account_name, m.created_at, m.updated_at, m.delivery_status, m.opened_at,
          m.clicked_at, m.unsubscribed_at, m.spam_complaint_at
        from messages m join accounts a using (account_id) join domains d using (domain_id)
        where m.organisation_id = ${own} and m.message_id = ${messageId} and a.deleted_at is null`;
      return single(rows, missing);
    },
    list: async (filter, page) => {
      await checkFilterIds(scope, filter);
      return listMessages(scope, filter, page);
    },
    listEvents: (messageId, page) => listEvents(scope, messageId, page),
    exportPages: async (filter) => {
      await checkFilterIds(scope, filter);
      return exportMessages(scope, filter);
    },
  };
}

type StoredEvent = Pick<MessageEventsTable, 'type' | 'received_at'> & { details: StoredEventDetails };

async function listEvents(
  scope: Scope,
  messageId: string,
  page: PageRequest,
): Promise<Page<MessageEventRow>> {
  await requireOwn(scope, 'message', [messageId]);
  const rows = await scope.rows<StoredEvent>`
    select type, received_at, details from message_events
    where organisation_id = ${own} and message_id = ${messageId}
    order by received_at desc, event_id desc ${pageClause(page)}`;
  const counted = await scope.rows<{ total: number }>`
    select count(*) as total from message_events where organisation_id = ${own} and message_id = ${messageId}`;
  return toPage(rows.map(eventRow), counted);
}

/** What the contract shows of an event; marks of bots and link targets stay inside. */
function eventRow({ type, received_at, details }: StoredEvent): MessageEventRow {
  switch (type) {
    case 'new':
    case 'spam_complaint':
      return { received_at, type, details: {} };
    case 'delivery':
    case 'soft_bounce':
    case 'hard_bounce': {
      const { smtp_response = '', smtp_log_id = '' } = details;
      return { received_at, type, details: { smtp_response, smtp_log_id } };
    }
    case 'unsubscribe':
      return { received_at, type, details: { list_id: details.list_id ?? '' } };
    case 'open':
    case 'click': {
      const { user_agent = '', user_ip = '' } = details;
      return { received_at, type, details: { user_agent, user_ip } };
    }
  }
}
