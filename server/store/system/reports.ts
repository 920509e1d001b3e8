import { randomUUIDv7 } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { asciiDomain } from '../../domain/ascii.ts';
import type { Timestamp } from '../../domain/time.ts';
import type { Forward, MailReport } from '../delivery-rows.ts';
import { recordEvents } from '../events.ts';
import type { ForwardsTable, Schema } from '../schema.ts';
import type { StoreParts } from '../scope.ts';
import type { ReportStore } from '../store.ts';
import { insertAttempts } from './delivery.ts';

/** What comes back by mail, across organisations. */
export function reportStore(parts: StoreParts): ReportStore {
  const { db } = parts;
  return {
    acceptedAt: async (messageId) => {
      const { rows } = await sql<{ created_at: Timestamp }>`
        select m.created_at from messages m join accounts a using (account_id)
        where m.message_id = ${messageId} and a.deleted_at is null`.execute(db);
      return rows[0]?.created_at;
    },
    record: (report) => db.transaction().execute((tx) => record(tx, report)),
    isReturnPathHost: async (host) => {
      const { rows } = await sql`
        select from domains where deleted_at is null
          and lower(return_path_hostname || '.' || name) in (${host.toLowerCase()}, ${asciiDomain(host)})
        limit 1`.execute(db);
      return rows.length > 0;
    },
    queueForward: async ({ recipient, raw, receivedAt }) => {
      await sql`
        insert into forwards (forward_id, recipient, raw, created_at, next_attempt_at)
        values (${randomUUIDv7()}, ${recipient}, ${raw}, ${receivedAt}, ${receivedAt})`.execute(db);
    },
    takeForwards: (limit, choice) => takeForwards(parts, limit, choice),
    holdForwards: async (forwardIds, until) => {
      await sql`
        update forwards set next_attempt_at = ${until}
        where forward_id = any(${forwardIds}::uuid[]) and next_attempt_at < ${until}`.execute(db);
    },
    finishForward: async (forwardId) => {
      await sql`delete from forwards where forward_id = ${forwardId}`.execute(db);
    },
    putOffForward: async (forwardId, { until, attempts }) => {
      await sql`
        update forwards set next_attempt_at = ${until}, attempts = ${attempts}
        where forward_id = ${forwardId}`.execute(db);
    },
  };
}

// The event comes first: its message is locked then, so that the same report at the same moment finds what the other one wrote.
async function record(tx: Transaction<Schema>, { event, attempt, forward }: MailReport): Promise<boolean> {
  const { recorded } = await recordEvents(tx, [event]);
  if (recorded.length === 0) return false;
  if (attempt !== undefined) await insertAttempts(tx, [{ event, attempt }]);
  if (forward !== undefined) {
    await sql`
      insert into forwards (forward_id, message_id, recipient, raw, created_at, next_attempt_at)
      values (${event.eventId}, ${event.messageId}, ${forward.recipient}, ${forward.raw}, ${event.receivedAt},
        ${event.receivedAt})`.execute(tx);
  }
  return true;
}

type ForwardRow = Pick<ForwardsTable, 'forward_id' | 'recipient' | 'raw' | 'created_at' | 'attempts'> & {
  is_current: boolean;
};

// One for each domain, so that one whose servers are slow holds no more than one place.
async function takeForwards(
  { db, clock }: StoreParts,
  limit: number,
  { until, busy }: { until: Timestamp; busy: readonly string[] },
): Promise<Forward[]> {
  const now = clock.now();
  const { rows } = await sql<ForwardRow>`
    update forwards f set attempts = f.attempts + 1, next_attempt_at = ${until}
    where f.forward_id in (
      select forward_id from forwards
      where next_attempt_at <= ${now} and forward_id in (
        select distinct on (lower(split_part(recipient, '@', 2))) forward_id from forwards
        where next_attempt_at <= ${now} and lower(split_part(recipient, '@', 2)) <> all(${busy}::text[])
        order by lower(split_part(recipient, '@', 2)), next_attempt_at
      )
      order by next_attempt_at limit ${limit} for update skip locked
    )
    returning f.forward_id, f.recipient, f.raw, f.created_at, f.attempts, (f.message_id is null or exists (
      select from messages m join accounts a using (account_id)
      where m.message_id = f.message_id and a.deleted_at is null
    )) as is_current`.execute(db);
  return rows.map((row) => ({
    forwardId: row.forward_id,
    recipient: row.recipient,
    raw: row.raw,
    createdAt: row.created_at,
    attempts: row.attempts,
    isCurrent: row.is_current,
  }));
}
