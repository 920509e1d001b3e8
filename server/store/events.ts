import { randomUUIDv7 } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { MessageEvent } from '../domain/events.ts';
import { withAsciiDomain } from '../domain/mailbox.ts';
import { applyEvent, type MessageState } from '../domain/message-state.ts';
import type { Timestamp } from '../domain/time.ts';
import { payloadOf } from '../domain/webhooks.ts';
import type { OrganisationId } from './column-types.ts';
import { CounterChanges } from './counters.ts';
import { insertNotifications } from './notifications.ts';
import type { Schema, StoredEventDetails } from './schema.ts';
import { storable, storableJson } from './storable.ts';

/** What recording did. */
export interface RecordedEvents {
  /** The ids of the events that were new; a repeated one, or one of a message that is gone, is not among them. */
  recorded: string[];
  /** How many notifications follow from them. */
  notifications: number;
}

/** What recording an event needs to know of its message. */
export interface RecordedMessage extends MessageState {
  message_id: string;
  organisation_id: OrganisationId;
  account_id: string;
  domain_id: string;
  from_email: string;
  recipient_email: string;
  custom_id: string;
  track_opens: boolean;
  track_clicks: boolean;
  created_at: Timestamp;
}

/** An event that is new, and its message as it was before. */
interface Recorded {
  event: MessageEvent;
  before: RecordedMessage;
  isUnique: boolean;
}

/**
 * The only writer of events, and of all that follows from them: the state of the messages, the counters, automatic
 * suppressions and the notifications of webhooks. An event id that was recorded before has no effect, and neither has an event of a message that is gone.
 * `inserted` are messages that the same transaction has just written, in the state of accepted ones; each comes with its
 * `new` event.
 */
export async function recordEvents(
  tx: Transaction<Schema>,
  events: readonly MessageEvent[],
  inserted: readonly RecordedMessage[] = [],
): Promise<RecordedEvents> {
  const before = await messagesOf(tx, events, inserted);
  const fresh = await withoutRepeated(tx, events, before, inserted.length > 0);
  const after = new Map(before);
  const recorded = applyAll(fresh, after);
  if (recorded.length === 0) return { recorded: [], notifications: 0 };
  await insertEvents(tx, recorded);
  const isChanged = inserted.length === 0;
  if (isChanged) await updateMessages(tx, recorded, after);
  await addSuppressions(tx, recorded);
  const notifications = await addNotifications(tx, recorded);
  await counterChanges(recorded, after).write(tx);
  return { recorded: recorded.map(({ event }) => event.eventId), notifications };
}

// In the order of the ids, so that two transactions about the same messages wait for each other instead of blocking each
// other for good. The lock on the account keeps it from being deleted between this look and the counters.
async function messagesOf(
  tx: Transaction<Schema>,
  events: readonly MessageEvent[],
  inserted: readonly RecordedMessage[],
): Promise<Map<string, RecordedMessage>> {
  const messages = new Map(inserted.map((message) => [message.message_id, message]));
  const ids = new Set(events.map((event) => event.messageId).filter((id) => !messages.has(id)));
  if (ids.size === 0) return messages;
  const { rows } = await sql<RecordedMessage>`
    select m.message_id, m.organisation_id, m.account_id, m.domain_id, m.from_email, m.recipient_email, m.custom_id, m.track_opens,
      m.track_clicks, m.created_at, m.updated_at, m.delivery_status, m.opened_at, m.clicked_at, m.unsubscribed_at,
      m.spam_complaint_at, m.smtp_response, m.event_mask
    from messages m join accounts a using (account_id)
    where m.message_id = any(${[...ids]}::uuid[]) and a.deleted_at is null
    order by m.message_id for no key update of m for key share of a`.execute(tx);
  for (const row of rows) messages.set(row.message_id, row);
  return messages;
}

// The messages are locked by now, so nobody else can be recording an event of theirs: what is not there yet stays so.
async function withoutRepeated(
  tx: Transaction<Schema>,
  events: readonly MessageEvent[],
  messages: Map<string, RecordedMessage>,
  areOfNewMessages: boolean,
): Promise<MessageEvent[]> {
  const first = new Map<string, MessageEvent>();
  for (const event of events) {
    if (messages.has(event.messageId) && !first.has(event.eventId)) first.set(event.eventId, event);
  }
  if (areOfNewMessages || first.size === 0) return [...first.values()];
  const { rows } = await sql<{ event_id: string }>`
    select event_id from message_events where event_id = any(${[...first.keys()]}::uuid[])`.execute(tx);
  for (const { event_id } of rows) first.delete(event_id);
  return [...first.values()];
}

function applyAll(events: readonly MessageEvent[], messages: Map<string, RecordedMessage>): Recorded[] {
  const recorded: Recorded[] = [];
  for (const event of events) {
    const before = messages.get(event.messageId);
    if (before === undefined) continue;
    const { state, isUnique } = applyEvent(before, event);
    recorded.push({ event, before, isUnique });
    messages.set(event.messageId, { ...before, ...state });
  }
  return recorded;
}

// One parameter for each column, whatever the number of rows: the server parses and plans the same short text each time.
async function insertEvents(tx: Transaction<Schema>, recorded: readonly Recorded[]): Promise<void> {
  const column = <Value>(read: (one: Recorded) => Value) => recorded.map(read);
  await sql`
    insert into message_events (
      event_id, message_id, organisation_id, account_id, domain_id, type, received_at, is_unique, details
    )
    select * from unnest(
      ${column(({ event }) => event.eventId)}::uuid[],
      ${column(({ event }) => event.messageId)}::uuid[],
      ${column(({ before }) => before.organisation_id)}::uuid[],
      ${column(({ before }) => before.account_id)}::uuid[],
      ${column(({ before }) => before.domain_id)}::uuid[],
      ${column(({ event }) => event.type)}::text[],
      ${column(({ event }) => event.receivedAt)}::timestamptz[],
      ${column(({ isUnique }) => isUnique)}::boolean[],
      ${column(({ event }) => storableJson(detailsOf(event)))}::jsonb[]
    )`.execute(tx);
}

async function updateMessages(
  tx: Transaction<Schema>,
  recorded: readonly Recorded[],
  after: Map<string, RecordedMessage>,
): Promise<void> {
  const ids = new Set(recorded.map(({ event }) => event.messageId));
  const messages = [...after.values()].filter(({ message_id: id }) => ids.has(id));
  const column = <Value>(read: (message: RecordedMessage) => Value) => messages.map(read);
  await sql`
    update messages m set updated_at = s.updated_at, delivery_status = s.delivery_status, opened_at = s.opened_at,
      clicked_at = s.clicked_at, unsubscribed_at = s.unsubscribed_at, spam_complaint_at = s.spam_complaint_at,
      smtp_response = s.smtp_response, event_mask = s.event_mask
    from unnest(
      ${column((message) => message.message_id)}::uuid[],
      ${column((message) => message.updated_at)}::timestamptz[],
      ${column((message) => message.delivery_status)}::text[],
      ${column((message) => message.opened_at)}::timestamptz[],
      ${column((message) => message.clicked_at)}::timestamptz[],
      ${column((message) => message.unsubscribed_at)}::timestamptz[],
      ${column((message) => message.spam_complaint_at)}::timestamptz[],
      ${column((message) => storable(message.smtp_response))}::text[],
      ${column((message) => message.event_mask)}::smallint[]
    ) as s (message_id, updated_at, delivery_status, opened_at, clicked_at, unsubscribed_at, spam_complaint_at,
      smtp_response, event_mask)
    where m.message_id = s.message_id`.execute(tx);
}

// An address that is suppressed already stays as it is: what was known first counts.
async function addSuppressions(tx: Transaction<Schema>, recorded: readonly Recorded[]): Promise<void> {
  const causes = recorded.filter(({ event }) => isSuppressing(event));
  if (causes.length === 0) return;
  const column = <Value>(read: (one: Recorded) => Value) => causes.map(read);
  await sql`
    insert into suppressions (
      suppression_id, organisation_id, account_id, recipient_email, type, reason, message_id, message_custom_id, created_at
    )
    select id, organisation_id, account_id, recipient_email, type, '', message_id, custom_id, created_at
    from unnest(
      ${column(() => randomUUIDv7())}::uuid[],
      ${column(({ before }) => before.organisation_id)}::uuid[],
      ${column(({ before }) => before.account_id)}::uuid[],
      ${column(({ before }) => withAsciiDomain(before.recipient_email))}::text[],
      ${column(({ event }) => event.type)}::text[],
      ${column(({ before }) => before.message_id)}::uuid[],
      ${column(({ before }) => before.custom_id)}::text[],
      ${column(({ event }) => event.receivedAt)}::timestamptz[]
    ) as s (id, organisation_id, account_id, recipient_email, type, message_id, custom_id, created_at)
    order by account_id, lower(recipient_email)
    on conflict do nothing`.execute(tx);
}

async function addNotifications(tx: Transaction<Schema>, recorded: readonly Recorded[]): Promise<number> {
  const notifications = recorded.flatMap(({ event, before }) => {
    const payload = payloadOf(event, before);
    if (payload === undefined) return [];
    return [{ id: event.eventId, organisationId: before.organisation_id, payload }];
  });
  return await insertNotifications(tx, notifications);
}

function isSuppressing({ type }: MessageEvent): boolean {
  return type === 'hard_bounce' || type === 'spam_complaint' || type === 'unsubscribe';
}

function counterChanges(recorded: readonly Recorded[], after: Map<string, RecordedMessage>): CounterChanges {
  const changes = new CounterChanges();
  const seen = new Set<string>();
  for (const { event, before, isUnique } of recorded) {
    countEvent(changes, event, before, isUnique);
    if (seen.has(before.message_id)) continue;
    seen.add(before.message_id);
    const maskAfter = after.get(before.message_id)?.event_mask ?? before.event_mask;
    changes.move(before, before.created_at, event.type === 'new' ? undefined : before.event_mask, maskAfter);
  }
  return changes;
}

function countEvent(
  changes: CounterChanges,
  event: MessageEvent,
  message: RecordedMessage,
  isUnique: boolean,
): void {
  const moment = event.receivedAt;
  if (event.type === 'new') {
    changes.count(message, moment, 'messages');
    if (message.track_opens) changes.count(message, moment, 'track_opens');
    if (message.track_clicks) changes.count(message, moment, 'track_clicks');
    return;
  }
  changes.count(message, moment, event.type);
  if (isUnique) changes.count(message, moment, event.type === 'open' ? 'unique_opens' : 'unique_clicks');
}

function detailsOf(event: MessageEvent): StoredEventDetails {
  switch (event.type) {
    case 'new':
    case 'spam_complaint':
      return {};
    case 'delivery':
    case 'soft_bounce':
    case 'hard_bounce':
      return { smtp_response: event.smtpResponse, smtp_log_id: event.smtpLogId };
    case 'unsubscribe':
      return { list_id: event.listId };
    case 'open':
      return { user_agent: event.userAgent, user_ip: event.userIp, automated: event.automated };
    case 'click':
      return {
        user_agent: event.userAgent,
        user_ip: event.userIp,
        automated: event.automated,
        tracking_url_destination: event.trackingUrlDestination,
      };
  }
}
