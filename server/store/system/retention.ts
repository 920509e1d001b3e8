import { sql, type Transaction } from 'kysely';
import type { Timestamp } from '../../domain/time.ts';
import { hourOf } from '../../domain/time.ts';
import { type CountedMessage, CounterChanges } from '../counters.ts';
import type { Schema } from '../schema.ts';
import type { StoreParts } from '../scope.ts';

/** Where the next step begins, and whether there is one. */
export interface PurgeProgress {
  /** The last message that was looked at; undefined when nothing older than the limit is left behind it. */
  cursor: string | undefined;
  /** How many went. */
  purged: number;
}

interface OldMessage extends CountedMessage {
  message_id: string;
}

/** The id before all others. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

// Ids are in the order of acceptance (UUID version 7), so that the primary key leads to the oldest: no index more, for a
// million messages or none.
/**
 * Looks at up to `limit` messages behind the cursor and deletes those accepted before the moment, with all that the log has
 * of them, and takes them out of the counts. What still waits, for delivery or to be forwarded, stays.
 */
export async function purgeLog(
  { db }: StoreParts,
  before: Timestamp,
  cursor: string,
  limit: number,
): Promise<PurgeProgress> {
  const { rows } = await sql<{ message_id: string; is_old: boolean }>`
    select message_id, created_at < ${before} as is_old from messages
    where message_id > ${cursor} order by message_id limit ${limit}`.execute(db);
  const old = rows.filter(({ is_old }) => is_old).map(({ message_id }) => message_id);
  const purged = old.length === 0 ? 0 : await db.transaction().execute((tx) => purge(tx, old));
  const isLast = rows.length < limit || old.length < rows.length;
  return { cursor: isLast ? undefined : rows.at(-1)?.message_id, purged };
}

async function purge(tx: Transaction<Schema>, candidates: readonly string[]): Promise<number> {
  const messages = await lockFinal(tx, candidates);
  if (messages.length === 0) return 0;
  const ids = messages.map(({ message_id }) => message_id);
  for (const table of ['message_events', 'smtp_deliveries', 'messages']) {
    await sql`delete from ${sql.table(table)} where message_id = any(${ids}::uuid[])`.execute(tx);
  }
  const changes = new CounterChanges();
  for (const message of messages) changes.forget(message);
  await changes.write(tx);
  await deleteEmptyCounts(tx, messages);
  return messages.length;
}

// What somebody else has locked (an event is being recorded) is left for the next round: nobody waits, in either direction.
// Messages of deleted accounts go with their account, and have no counts any more.
async function lockFinal(tx: Transaction<Schema>, candidates: readonly string[]): Promise<OldMessage[]> {
  const { rows } = await sql<OldMessage>`
    select m.message_id, m.organisation_id, m.account_id, m.domain_id, m.created_at, m.event_mask,
      m.track_opens, m.track_clicks
    from messages m join accounts a using (account_id)
    where m.message_id = any(${candidates}::uuid[]) and a.deleted_at is null
      and not exists (select from message_contents c where c.message_id = m.message_id)
      and not exists (select from forwards f where f.message_id = m.message_id)
    order by m.message_id for update of m skip locked for key share of a`.execute(tx);
  return rows;
}

async function deleteEmptyCounts(tx: Transaction<Schema>, messages: readonly OldMessage[]): Promise<void> {
  const organisations = [...new Set(messages.map((message) => message.organisation_id))];
  const hours = [...new Set(messages.map((message) => hourOf(message.created_at)))];
  await sql`
    delete from message_counts where organisation_id = any(${organisations}::uuid[])
      and bucket = any(${hours}::timestamptz[]) and messages = 0`.execute(tx);
}

/** Deletes up to `limit` hours of statistics before the moment, unless messages of theirs are left; returns how many went. */
export async function purgeStatistics({ db }: StoreParts, before: Timestamp, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from stats_hourly where (organisation_id, bucket, account_id, domain_id) in (
      select organisation_id, bucket, account_id, domain_id from stats_hourly
      where bucket < ${before} and messages <= 0 order by bucket limit ${limit} for update skip locked
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
