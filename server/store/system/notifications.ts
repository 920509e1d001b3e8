import { sql } from 'kysely';
import type { StoreParts } from '../scope.ts';
import type { AttemptCursor, HeldNotification, WatchedAttempt } from '../webhook-rows.ts';
import type { NotificationStore } from '../webhook-store.ts';
import { recordOutcomes } from './notification-outcomes.ts';
import { createTaker } from './notification-taker.ts';

/** What the dispatchers of notifications need, across organisations. */
export function notificationStore(parts: StoreParts): NotificationStore {
  const { db } = parts;
  return {
    take: createTaker(parts),
    record: async (outcomes) => {
      if (outcomes.length === 0) return [];
      return await db.transaction().execute((tx) => recordOutcomes(parts, tx, outcomes));
    },
    release: (held) => release(parts, held),
    depth: () => depth(parts),
    attemptsSince: (cursor, limit, accountId) => attemptsSince(parts, cursor, limit, accountId),
  };
}

// A replay that came meanwhile waits for what is held here, too.
async function release({ db, clock }: StoreParts, held: readonly HeldNotification[]): Promise<void> {
  if (held.length === 0) return;
  const now = clock.now();
  await sql`
    with given as materialized (
      select d.sequence from webhook_deliveries d
        join unnest(
          ${held.map(({ sequence }) => sequence)}::bigint[], ${held.map(({ takenAt }) => takenAt)}::timestamptz[]
        ) as held (sequence, taken_at) using (sequence)
      where d.status = 'pending' and d.next_attempt_at > ${now}
        and (d.taken_at = held.taken_at or (d.taken_at is null and d.attempts_made = 0))
      order by d.sequence for update of d
    )
    update webhook_deliveries d set next_attempt_at = ${now}, taken_at = null
    from given where d.sequence = given.sequence`.execute(db);
}

// Both parts are read from the indexes of what is pending, however long the log is.
async function depth({ db, clock }: StoreParts): ReturnType<NotificationStore['depth']> {
  const now = clock.now();
  const { rows } = await sql<{ ready: number; waiting: number; held: number }>`
    with pending as (
      select webhook_id, count(*) filter (where next_attempt_at <= ${now}) as due, count(*) as total from (
        select webhook_id, next_attempt_at from webhook_deliveries where status = 'pending' and attempts_made = 0
        union all
        select webhook_id, next_attempt_at from webhook_deliveries where status = 'pending' and attempts_made > 0
      ) as either group by webhook_id
    ), seen as (
      select due, total, w.status = 'disabled' or coalesce(w.paused_until > ${now}, false) as is_held
      from pending join webhooks w using (webhook_id) where w.deleted_at is null
    )
    select coalesce(sum(due) filter (where not is_held), 0)::int as ready,
      coalesce(sum(total - due) filter (where not is_held), 0)::int as waiting,
      coalesce(sum(total) filter (where is_held), 0)::int as held
    from seen`.execute(db);
  return rows[0] ?? { ready: 0, waiting: 0, held: 0 };
}

async function attemptsSince(
  { db }: StoreParts,
  { recorded_at, sequence }: AttemptCursor,
  limit: number,
  accountId: string | undefined,
): Promise<WatchedAttempt[]> {
  const { rows } = await sql<WatchedAttempt>`
    select o.name as organisation, w.account_id, a.name as account_name, d.webhook_id, d.notification_id, d.event, d.status,
      d.attempts->0 as attempt, d.recorded_at, d.sequence
    from webhook_deliveries d
      join webhooks w using (webhook_id) join accounts a using (account_id)
      join organisations o on o.organisation_id = d.organisation_id
    where d.recorded_at is not null and (d.recorded_at, d.sequence) > (${recorded_at}, ${sequence}::bigint)
      and ${accountId === undefined ? sql`true` : sql`w.account_id = ${accountId}`}
    order by d.recorded_at, d.sequence limit ${limit}`.execute(db);
  return rows;
}
