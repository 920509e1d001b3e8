import { sql } from 'kysely';
import type { Timestamp } from '../../domain/time.ts';
import type { WebhookEvent } from '../../domain/webhooks.ts';
import type { StoreParts } from '../scope.ts';
import type { DueNotification } from '../webhook-rows.ts';
import type { WebhookSecretEntry } from '../webhook-schema.ts';
import type { NotificationStore } from '../webhook-store.ts';
import { FIRST_ID } from './retention.ts';

type TakeRequest = Parameters<NotificationStore['take']>[0];

/** The webhooks behind the first and up to the second. */
interface Span {
  after: string;
  upTo: string;
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Makes the `take` of a process. It goes around: where the limit ended one look, the next one begins, so that no webhook comes
 * short of others however much waits for those.
 */
export function createTaker(parts: StoreParts): NotificationStore['take'] {
  let served = FIRST_ID;
  return async (request) => {
    const taken = await takeFrom(parts, request, { after: served, upTo: LAST_ID });
    if (served !== FIRST_ID && taken.length < request.limit) {
      const limit = request.limit - taken.length;
      taken.push(...(await takeFrom(parts, { ...request, limit }, { after: FIRST_ID, upTo: served })));
    }
    served = taken.length < request.limit ? FIRST_ID : (taken.at(-1)?.webhookId ?? FIRST_ID);
    return taken;
  };
}

interface TakenRow {
  sequence: number;
  webhook_id: string;
  account_id: string;
  notification_id: string;
  event: WebhookEvent;
  is_test: boolean;
  payload: string;
  url: string;
  secrets: WebhookSecretEntry[];
  attempts_made: number;
  failing_since: Timestamp | null;
}

// Nothing is read but what may be taken, however much waits: the webhooks one by one from the indexes of what is pending; of each
// with something due, its tests, the first untried notification of each message (the rest of the message's wait for that one) and
// what is to be tried again. What somebody else has locked or taken in the meantime is passed over.
async function takeFrom(
  { db, clock }: StoreParts,
  { limit, rooms, roomOfOthers, roomOfFailing, heldUntil }: TakeRequest,
  { after, upTo }: Span,
): Promise<DueNotification[]> {
  if (limit <= 0) return [];
  const now = clock.now();
  const { rows } = await sql<TakenRow>`
    with recursive waiting (webhook_id, untried_of, again_of, again_at) as (
      select ${after}::uuid, null::uuid, null::uuid, null::timestamptz
      union all
      select least(untried.webhook_id, again.webhook_id), untried.webhook_id, again.webhook_id, again.next_attempt_at
      from waiting
        left join lateral (
          select p.webhook_id from webhook_deliveries p
          where p.status = 'pending' and p.attempts_made = 0 and p.webhook_id > waiting.webhook_id
          order by p.webhook_id limit 1
        ) as untried on true
        left join lateral (
          select p.webhook_id, p.next_attempt_at from webhook_deliveries p
          where p.status = 'pending' and p.attempts_made > 0 and p.webhook_id > waiting.webhook_id
          order by p.webhook_id, p.next_attempt_at limit 1
        ) as again on true
      where waiting.webhook_id < ${upTo}
    ), chosen as materialized (
      select one.sequence
      from waiting
        join webhooks w on w.webhook_id = waiting.webhook_id and w.deleted_at is null
        left join unnest(
          ${rooms.map(({ webhookId }) => webhookId)}::uuid[], ${rooms.map(({ room }) => room)}::int[]
        ) as known (webhook_id, room) on known.webhook_id = w.webhook_id
        cross join lateral (
          select w.status = 'enabled' and coalesce(w.paused_until <= ${now}, true) as is_open,
            greatest(coalesce(known.room, case when w.failing_since is null then ${roomOfOthers}::int else ${roomOfFailing}::int end), 0) as size
        ) as room
        cross join lateral (${dueOf(now)}) as one
      where waiting.webhook_id <= ${upTo}
        and (untried_of = waiting.webhook_id or (again_of = waiting.webhook_id and again_at <= ${now}))
      limit ${limit}
    ), mine as materialized (
      select d.sequence from webhook_deliveries d
      where d.sequence in (select sequence from chosen) and d.status = 'pending' and d.next_attempt_at <= ${now}
      for update skip locked
    )
    update webhook_deliveries d set next_attempt_at = ${heldUntil}, taken_at = ${now}
    from mine, webhooks w
    where d.sequence = mine.sequence and w.webhook_id = d.webhook_id
    returning d.sequence, d.webhook_id, w.account_id, d.notification_id, d.event, d.message_id is null as is_test, d.payload,
      w.url, w.secrets, d.attempts_made, w.failing_since`.execute(db);
  return rows.map((row) => notificationOf(row, now)).sort(inOrder);
}

/** What is due for the webhook `w`, as many as its room holds: tests first, then whatever has been due for longest. */
function dueOf(now: Timestamp) {
  return sql`
    select candidate.sequence from (
      (
        select t.sequence, t.next_attempt_at, true as is_test from webhook_deliveries t
        where t.webhook_id = w.webhook_id and t.status = 'pending' and t.attempts_made = 0 and t.message_id is null
          and t.next_attempt_at <= ${now}
        order by t.sequence limit room.size
      )
      union all
      (
        with recursive story (message_id, sequence, next_attempt_at) as (
          (
            select f.message_id, f.sequence, f.next_attempt_at from webhook_deliveries f
            where room.is_open and f.webhook_id = w.webhook_id and f.status = 'pending' and f.attempts_made = 0
              and f.message_id is not null
            order by f.message_id, f.sequence limit 1
          )
          union all
          select next.message_id, next.sequence, next.next_attempt_at from story cross join lateral (
            select f.message_id, f.sequence, f.next_attempt_at from webhook_deliveries f
            where f.webhook_id = w.webhook_id and f.status = 'pending' and f.attempts_made = 0
              and f.message_id > story.message_id
            order by f.message_id, f.sequence limit 1
          ) as next
        )
        select sequence, next_attempt_at, false from story where next_attempt_at <= ${now} limit room.size
      )
      union all
      (
        select a.sequence, a.next_attempt_at, false from webhook_deliveries a
        where room.is_open and a.webhook_id = w.webhook_id and a.status = 'pending' and a.attempts_made > 0
          and a.next_attempt_at <= ${now}
        order by a.next_attempt_at limit room.size
      )
    ) as candidate
    order by candidate.is_test desc, candidate.next_attempt_at, candidate.sequence limit room.size`;
}

function notificationOf(row: TakenRow, now: Timestamp): DueNotification {
  const valid = row.secrets.filter(({ expires_at }) => expires_at === null || expires_at > now);
  return {
    sequence: row.sequence,
    webhookId: row.webhook_id,
    accountId: row.account_id,
    notificationId: row.notification_id,
    event: row.event,
    isTest: row.is_test,
    payload: row.payload,
    url: row.url,
    secrets: valid.map(({ secret }) => secret),
    takenAt: now,
    attemptsMade: row.attempts_made,
    failingSince: row.failing_since,
  };
}

function inOrder(one: DueNotification, other: DueNotification): number {
  if (one.webhookId !== other.webhookId) return one.webhookId < other.webhookId ? -1 : 1;
  return one.sequence - other.sequence;
}
