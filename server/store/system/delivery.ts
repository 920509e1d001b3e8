import { sql, type Transaction } from 'kysely';
import { mailboxKey } from '../../domain/mailbox.ts';
import type { Timestamp } from '../../domain/time.ts';
import type {
  DeliveryAttempt,
  DeliveryRecord,
  OutgoingMessage,
  SigningKey,
  Subscription,
} from '../delivery-rows.ts';
import { type RecordedEvents, recordEvents } from '../events.ts';
import type { Mailbox, Schema } from '../schema.ts';
import type { StoreParts } from '../scope.ts';
import { storable } from '../storable.ts';
import type { DeliveryStore } from '../store.ts';

/** What the delivery worker and the listeners need, across organisations. */
export function deliveryStore(parts: StoreParts): DeliveryStore {
  const { db, queue } = parts;
  return {
    load: (messageIds) => load(parts, messageIds),
    record: (records) => db.transaction().execute((tx) => record(parts, tx, records)),
    discard: (jobs) => db.transaction().execute((tx) => queue.finish(tx, jobs)),
    recordEvents: (events) => db.transaction().execute((tx) => recordEvents(tx, events)),
    signingKey: (dkimKeyId) => signingKey(parts, dkimKeyId),
    subscription: (messageId) => subscription(parts, messageId),
  };
}

interface OutgoingRow {
  message_id: string;
  account_id: string;
  domain_id: string;
  domain_name: string;
  return_path_hostname: string;
  dkim_key_id: string | null;
  created_at: Timestamp;
  attempts: number;
  from_email: string;
  from_name: string | null;
  recipient_email: string;
  recipient_name: string | null;
  reply_to: Mailbox[];
  subject: string;
  html: string | null;
  text: string | null;
  custom_id: string;
  list_id: string;
  list_unsubscribe: string | null;
  track_opens: boolean;
  track_clicks: boolean;
}

// The content goes when a message is final, so a message without content has nothing left to be delivered.
async function load({ db }: StoreParts, messageIds: readonly string[]): Promise<OutgoingMessage[]> {
  if (messageIds.length === 0) return [];
  const { rows } = await sql<OutgoingRow>`
    select m.message_id, m.account_id, m.domain_id, d.name as domain_name, d.return_path_hostname, k.dkim_key_id, m.created_at,
      (select count(*)::int from smtp_deliveries s where s.message_id = m.message_id) as attempts,
      m.from_email, c.from_name, m.recipient_email, c.recipient_name, c.reply_to, m.subject, c.html, c.text,
      m.custom_id, m.list_id, m.list_unsubscribe, m.track_opens, m.track_clicks
    from messages m
      join message_contents c using (message_id)
      join accounts a using (account_id)
      join domains d using (domain_id)
      left join dkim_keys k on k.domain_id = d.domain_id and k.position = d.dkim_position
    where m.message_id = any(${messageIds}::uuid[]) and a.deleted_at is null`.execute(db);
  return rows.map(outgoing);
}

function outgoing(row: OutgoingRow): OutgoingMessage {
  return {
    messageId: row.message_id,
    accountId: row.account_id,
    domainId: row.domain_id,
    domainName: row.domain_name,
    returnPathHostname: row.return_path_hostname,
    dkimKeyId: row.dkim_key_id,
    acceptedAt: row.created_at,
    attempts: row.attempts,
    from: { email: row.from_email, name: row.from_name },
    to: { email: row.recipient_email, name: row.recipient_name },
    replyTo: row.reply_to,
    subject: row.subject,
    html: row.html,
    text: row.text,
    customId: row.custom_id,
    listId: row.list_id,
    listUnsubscribe: row.list_unsubscribe,
    trackOpens: row.track_opens,
    trackClicks: row.track_clicks,
  };
}

// The events come first: they lock the messages and hold their accounts, as whoever deletes an account does before it looks for jobs.
/** Records what came of attempts, within the transaction. */
export async function record(
  { queue }: StoreParts,
  tx: Transaction<Schema>,
  records: readonly DeliveryRecord[],
): Promise<RecordedEvents> {
  if (records.length === 0) return { recorded: [], notifications: 0 };
  const events = records.map((one) => one.event);
  const recorded = await recordEvents(tx, events);
  await insertAttempts(tx, records);
  const final = records.filter((one) => one.retryAt === undefined);
  await deleteContents(
    tx,
    final.map((one) => one.event.messageId),
  );
  await queue.finish(
    tx,
    final.map((one) => one.job),
  );
  await queue.retry(
    tx,
    records.flatMap(({ job, retryAt }) => (retryAt === undefined ? [] : [{ job, at: retryAt }])),
  );
  return recorded;
}

type Attempted = { attempt: DeliveryAttempt; event: { messageId: string } };

// Joined to the messages: an attempt on a message that is gone leaves nothing behind. The same report twice is one entry.
export async function insertAttempts(tx: Transaction<Schema>, records: readonly Attempted[]): Promise<void> {
  const column = <Value>(read: (one: Attempted) => Value) => records.map(read);
  await sql`
    insert into smtp_deliveries (
      smtp_log_id, message_id, organisation_id, attempt, started_at, finished_at, host, verdict, response, transcript
    )
    select s.smtp_log_id, m.message_id, m.organisation_id, s.attempt, s.started_at, s.finished_at, s.host, s.verdict,
      s.response, s.transcript
    from unnest(
      ${column(({ attempt }) => attempt.smtpLogId)}::uuid[],
      ${column(({ event }) => event.messageId)}::uuid[],
      ${column(({ attempt }) => attempt.attempt)}::smallint[],
      ${column(({ attempt }) => attempt.startedAt)}::timestamptz[],
      ${column(({ attempt }) => attempt.finishedAt)}::timestamptz[],
      ${column(({ attempt }) => attempt.host)}::text[],
      ${column(({ attempt }) => attempt.verdict)}::text[],
      ${column(({ attempt }) => storable(attempt.response))}::text[],
      ${column(({ attempt }) => storable(attempt.transcript))}::text[]
    ) as s (smtp_log_id, message_id, attempt, started_at, finished_at, host, verdict, response, transcript)
    join messages m using (message_id)
    on conflict do nothing`.execute(tx);
}

async function deleteContents(tx: Transaction<Schema>, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return;
  await sql`delete from message_contents where message_id = any(${messageIds}::uuid[])`.execute(tx);
}

async function signingKey({ db }: StoreParts, dkimKeyId: string): Promise<SigningKey | undefined> {
  const { rows } = await sql<{ domain: string; selector: string; private_key: string }>`
    select d.name as domain, k.selector, k.private_key from dkim_keys k join domains d using (domain_id)
    where k.dkim_key_id = ${dkimKeyId}`.execute(db);
  const [key] = rows;
  return key && { domain: key.domain, selector: key.selector, privateKey: key.private_key };
}

interface SubscriptionRow {
  account_id: string;
  recipient_email: string;
  from_email: string;
  list_id: string;
  list_unsubscribe: string | null;
  unsubscribes: number;
}

async function subscription({ db }: StoreParts, messageId: string): Promise<Subscription | undefined> {
  const { rows } = await sql<SubscriptionRow>`
    select m.account_id, m.recipient_email, m.from_email, m.list_id, m.list_unsubscribe,
      (select count(*)::int from message_events e
        where e.message_id = m.message_id and e.type = 'unsubscribe') as unsubscribes
    from messages m join accounts a using (account_id)
    where m.message_id = ${messageId} and a.deleted_at is null`.execute(db);
  const [message] = rows;
  if (message === undefined) return undefined;
  const suppressions = await sql`
    select from suppressions
    where account_id = ${message.account_id}
      and lower(recipient_email) = ${mailboxKey(message.recipient_email)}`.execute(db);
  return {
    fromEmail: message.from_email,
    listId: message.list_id,
    listUnsubscribe: message.list_unsubscribe,
    unsubscribes: message.unsubscribes,
    isSuppressed: suppressions.rows.length > 0,
  };
}
