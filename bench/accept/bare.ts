import { randomUUIDv7 } from 'node:crypto';
import type pg from 'pg';
import { acceptedState } from '../../server/domain/message-state.ts';
import { hourOf, SystemClock, type Timestamp } from '../../server/domain/time.ts';
import type { AcceptableMessage } from '../../server/store/rows.ts';

// What somebody writes who wants the same rows in the same tables and nothing else: no look at domains, suppressions or
// custom_ids, no lock, no event that is recorded twice; multi-row INSERTs in one transaction.

/** Whose the rows are. */
export interface BareOwner {
  organisationId: string;
  accountId: string;
  domainId: string;
}

const clock = new SystemClock();

/** Inserts a batch as bare rows. */
export async function insertBare(
  client: pg.ClientBase,
  owner: BareOwner,
  batch: readonly AcceptableMessage[],
): Promise<void> {
  const messages = batch.map((message) => ({ id: randomUUIDv7(), at: clock.now(), message }));
  await client.query('begin');
  await insertRows(
    client,
    'messages',
    MESSAGE_COLUMNS,
    messages.map((one) => messageRow(owner, one)),
  );
  await insertRows(
    client,
    'message_contents',
    CONTENT_COLUMNS,
    messages.map((one) => contentRow(owner, one)),
  );
  await insertRows(
    client,
    'message_events',
    EVENT_COLUMNS,
    messages.map((one) => eventRow(owner, one)),
  );
  await insertRows(
    client,
    'pgboss.job',
    JOB_COLUMNS,
    messages.map((one) => jobRow(one)),
  );
  await count(client, owner, hourOf(messages[0]?.at ?? clock.now()), batch.length);
  await client.query('commit');
}

interface Numbered {
  id: string;
  at: Timestamp;
  message: AcceptableMessage;
}

const MESSAGE_COLUMNS = [
  ...[
    'message_id',
    'organisation_id',
    'account_id',
    'domain_id',
    'custom_id',
    'custom_id_unique',
    'recipient_email',
  ],
  ...['from_email', 'subject', 'list_id', 'list_unsubscribe', 'track_opens', 'track_clicks', 'created_at'],
  ...['updated_at', 'delivery_status', 'event_mask'],
];

function messageRow(
  { organisationId, accountId, domainId }: BareOwner,
  { id, at, message }: Numbered,
): unknown[] {
  const { delivery_status: status, event_mask: mask } = acceptedState(at);
  const { customId, customIdUnique, to, from, subject, listId, listUnsubscribe } = message;
  return [
    ...[
      id,
      organisationId,
      accountId,
      domainId,
      customId,
      customIdUnique,
      to.email,
      from.email,
      subject,
      listId,
    ],
    ...[listUnsubscribe, message.trackOpens, message.trackClicks, at, at, status, mask],
  ];
}

const CONTENT_COLUMNS = [
  ...['message_id', 'organisation_id', 'from_name', 'recipient_name', 'reply_to', 'html', 'text'],
];

function contentRow({ organisationId }: BareOwner, { id, message }: Numbered): unknown[] {
  const { from, to, replyTo, html, text } = message;
  return [id, organisationId, from.name, to.name, JSON.stringify(replyTo), html, text];
}

const EVENT_COLUMNS = [
  ...[
    'event_id',
    'message_id',
    'organisation_id',
    'account_id',
    'domain_id',
    'type',
    'received_at',
    'is_unique',
  ],
  'details',
];

function eventRow({ organisationId, accountId, domainId }: BareOwner, { id, at }: Numbered): unknown[] {
  return [randomUUIDv7(), id, organisationId, accountId, domainId, 'new', at, false, '{}'];
}

// The settings of the queue that pg-boss copies into each of its jobs.
const JOB_COLUMNS = [
  ...[
    'id',
    'name',
    'expire_seconds',
    'deletion_seconds',
    'keep_until',
    'retry_limit',
    'retry_delay',
    'policy',
  ],
  'heartbeat_seconds',
];

function jobRow({ id }: Numbered): unknown[] {
  return [id, 'deliver', 86_399, 604_800, '2046-01-01T00:00:00Z', 1_000_000, 0, 'standard', 30];
}

async function insertRows(
  client: pg.ClientBase,
  table: string,
  columns: readonly string[],
  rows: readonly unknown[][],
): Promise<void> {
  const width = columns.length;
  const tuples = rows.map(
    (_, row) => `(${columns.map((_, column) => `$${row * width + column + 1}`).join(', ')})`,
  );
  await client.query(`insert into ${table} (${columns.join(', ')}) values ${tuples.join(', ')}`, rows.flat());
}

async function count(
  client: pg.ClientBase,
  owner: BareOwner,
  bucket: Timestamp,
  messages: number,
): Promise<void> {
  const key = [owner.organisationId, owner.accountId, owner.domainId, bucket];
  await client.query(
    `insert into stats_hourly as s (organisation_id, account_id, domain_id, bucket, messages, delivery, hard_bounce,
       soft_bounce, spam_complaint, unsubscribe, open, track_opens, click, track_clicks, unique_opens, unique_clicks)
     values ($1, $2, $3, $4, $5, 0, 0, 0, 0, 0, 0, $5, 0, $5, 0, 0)
     on conflict (organisation_id, bucket, account_id, domain_id) do update set messages = s.messages + $5,
       track_opens = s.track_opens + $5, track_clicks = s.track_clicks + $5`,
    [...key, messages],
  );
  await client.query(
    `insert into message_counts as c (organisation_id, account_id, domain_id, bucket, event_mask, messages)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (organisation_id, bucket, account_id, domain_id, event_mask)
     do update set messages = c.messages + $6`,
    [...key, acceptedState(bucket).event_mask, messages],
  );
}
