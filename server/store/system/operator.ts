import { randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { type Timestamp, toTimestamp } from '../../domain/time.ts';
import type { OrganisationId } from '../column-types.ts';
import type { DeliveryRecord } from '../delivery-rows.ts';
import type {
  MessageStory,
  OperatorStore,
  QueueOverview,
  WaitingDestination,
  WaitingFilter,
  WaitingMessage,
  WaitingState,
} from '../operator-store.ts';
import type { MessageEventsTable, SmtpDeliveriesTable, SuppressionsTable } from '../schema.ts';
import type { StoreParts } from '../scope.ts';
import { record } from './delivery.ts';

const CANCELLED = '5.0.0 Cancelled by the operator';
const SECOND_MS = 1000;

/** What an operator does with the queue. */
export function operatorStore(parts: StoreParts): OperatorStore {
  const { db } = parts;
  return {
    overview: (filter) => overview(parts, filter),
    destinations: (filter, limit) => destinations(parts, filter, limit),
    waiting: (filter, page) => waiting(parts, filter, page),
    story: (messageId) => story(parts, messageId),
    states: (messageIds) => states(parts, messageIds),
    waitingFor: async (domain, cursor, limit) => {
      const { rows } = await sql<{ message_id: string }>`
        select m.message_id from ${waitingMessages} where j.state < 'active' and m.message_id > ${cursor}
          and ${isFor({ domain })} order by m.message_id limit ${limit}`.execute(db);
      return rows.map(({ message_id }) => message_id);
    },
    retryNow: async (messageIds) => {
      const { rows } = await sql<{ id: string }>`
        update pgboss.job set start_after = pgboss.job_now()
        where name = 'deliver' and state < 'active' and id = any(${messageIds}::uuid[])
        returning id`.execute(db);
      return rows.map(({ id }) => id);
    },
    cancel: (messageIds) => cancel(parts, messageIds),
    organisationOf: async (accountId) => {
      const { rows } = await sql<{ organisation_id: OrganisationId }>`
        select organisation_id from accounts where account_id = ${accountId} and deleted_at is null`.execute(
        db,
      );
      return rows[0]?.organisation_id;
    },
  };
}

const waitingMessages = sql`pgboss.job j join messages m on m.message_id = j.id and j.name = 'deliver'`;
/** The recipient's domain, as it is compared. */
const recipientDomain = sql`lower(substring(m.recipient_email from '[^@]*$'))`;
// The database's clock counts for the queue and the service's for people: between the two only distances mean something.
const secondsLeft = sql`greatest(extract(epoch from j.start_after - pgboss.job_now()), 0)::float8`;

function isFor({ domain }: WaitingFilter): RawBuilder<unknown> {
  return domain === undefined ? sql`true` : sql`${recipientDomain} = lower(${domain})`;
}

function inSeconds({ clock }: StoreParts, seconds: number): Timestamp {
  return toTimestamp(Math.round(clock.epochMs() + seconds * SECOND_MS));
}

async function overview({ db }: StoreParts, filter: WaitingFilter): Promise<QueueOverview> {
  const { rows } = await sql<QueueOverview>`
    select
      count(*) filter (where j.state < 'active' and j.start_after <= pgboss.job_now())::int as due,
      count(*) filter (where j.state < 'active' and j.start_after > pgboss.job_now())::int as later,
      count(*) filter (where j.state = 'active')::int as active,
      min(m.created_at) as oldest
    from ${waitingMessages} where j.state <= 'active' and ${isFor(filter)}`.execute(db);
  return rows[0] ?? { due: 0, later: 0, active: 0, oldest: null };
}

async function destinations(
  parts: StoreParts,
  filter: WaitingFilter,
  limit: number,
): Promise<WaitingDestination[]> {
  const { rows } = await sql<{ domain: string; messages: number; seconds: number; oldest: Timestamp }>`
    select ${recipientDomain} as domain, count(*)::int as messages, min(${secondsLeft}) as seconds,
      min(m.created_at) as oldest
    from ${waitingMessages} where j.state <= 'active' and ${isFor(filter)}
    group by 1 order by 2 desc, 1 limit ${limit}`.execute(parts.db);
  return rows.map(({ seconds, ...row }) => ({ ...row, nextAttempt: inSeconds(parts, seconds) }));
}

interface WaitingRow {
  message_id: string;
  recipient_email: string;
  created_at: Timestamp;
  smtp_response: string;
  seconds: number;
  is_active: boolean;
  attempts: number;
}

async function waiting(
  parts: StoreParts,
  filter: WaitingFilter,
  page: { limit: number; offset: number },
): Promise<WaitingMessage[]> {
  const { rows } = await sql<WaitingRow>`
    select page.*, (select count(*)::int from smtp_deliveries s where s.message_id = page.message_id) as attempts
    from (
      select m.message_id, m.recipient_email, m.created_at, m.smtp_response, ${secondsLeft} as seconds,
        j.state = 'active' as is_active, j.start_after
      from ${waitingMessages} where j.state <= 'active' and ${isFor(filter)}
      order by j.start_after, m.message_id limit ${page.limit} offset ${page.offset}
    ) as page order by page.start_after, page.message_id`.execute(parts.db);
  return rows.map((row) => ({
    messageId: row.message_id,
    recipient: row.recipient_email,
    acceptedAt: row.created_at,
    nextAttempt: inSeconds(parts, row.seconds),
    isActive: row.is_active,
    attempts: row.attempts,
    lastResponse: row.smtp_response,
  }));
}

async function story(parts: StoreParts, messageId: string): Promise<MessageStory | undefined> {
  const { db } = parts;
  const messages = await sql<MessageStory['message']>`
    select m.*, o.name as organisation_name, a.name as account_name, d.name as domain_name
    from messages m left join organisations o using (organisation_id) left join accounts a using (account_id)
      left join domains d using (domain_id)
    where m.message_id = ${messageId}`.execute(db);
  const [message] = messages.rows;
  if (message === undefined) return undefined;
  const jobs = await sql<{ seconds: number; is_active: boolean }>`
    select ${secondsLeft} as seconds, j.state = 'active' as is_active from pgboss.job j
    where j.name = 'deliver' and j.id = ${messageId} and j.state <= 'active'`.execute(db);
  const [job] = jobs.rows;
  const attempts = await sql<SmtpDeliveriesTable>`
    select * from smtp_deliveries where message_id = ${messageId} order by finished_at, smtp_log_id`.execute(
    db,
  );
  const events = await sql<MessageEventsTable>`
    select * from message_events where message_id = ${messageId} order by received_at, event_id`.execute(db);
  const suppressions = await sql<SuppressionsTable>`
    select * from suppressions where account_id = ${message.account_id}
      and lower(recipient_email) = lower(${message.recipient_email})`.execute(db);
  return {
    message,
    waiting: job && { isActive: job.is_active, nextAttempt: inSeconds(parts, job.seconds) },
    attempts: attempts.rows,
    events: events.rows,
    suppression: suppressions.rows[0],
  };
}

async function states({ db }: StoreParts, messageIds: readonly string[]): Promise<WaitingState[]> {
  const { rows } = await sql<{ id: string; state: WaitingState }>`
    select m.message_id as id,
      case when j.id is null then 'final' when j.state = 'active' then 'active' else 'waiting' end as state
    from messages m left join pgboss.job j on j.name = 'deliver' and j.id = m.message_id and j.state <= 'active'
    where m.message_id = any(${messageIds}::uuid[])`.execute(db);
  const found = new Map(rows.map(({ id, state }) => [id, state]));
  return messageIds.map((id) => found.get(id.toLowerCase()) ?? 'unknown');
}

// Recorded as an attempt is, so that everything that follows from a final failure follows. The job goes here: whoever finishes
// an attempt removes only a job that he holds.
async function cancel(parts: StoreParts, messageIds: readonly string[]): Promise<string[]> {
  return await parts.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string; retry_count: number }>`
      delete from pgboss.job where name = 'deliver' and id in (
        select id from pgboss.job where name = 'deliver' and state < 'active' and id = any(${messageIds}::uuid[])
        order by id for update skip locked
      ) returning id, retry_count`.execute(tx);
    const now = parts.clock.now();
    await record(
      parts,
      tx,
      rows.map((job) => cancellation({ id: job.id, retryCount: job.retry_count }, now)),
    );
    return rows.map(({ id }) => id);
  });
}

function cancellation(job: DeliveryRecord['job'], now: Timestamp): DeliveryRecord {
  const smtpLogId = randomUUIDv7();
  return {
    job,
    attempt: {
      smtpLogId,
      attempt: 0,
      startedAt: now,
      finishedAt: now,
      host: '',
      verdict: 'soft_bounce',
      response: CANCELLED,
      transcript: '',
    },
    event: {
      eventId: randomUUIDv7(),
      messageId: job.id,
      receivedAt: now,
      type: 'soft_bounce',
      smtpResponse: CANCELLED,
      smtpLogId,
    },
  };
}
