import { sql } from 'kysely';
import type { Timestamp } from '../../domain/time.ts';
import type { WebhookEvent } from '../../domain/webhooks.ts';
import type { StoreParts } from '../scope.ts';
import type { DueNotification } from '../webhook-rows.ts';
import type { WebhookSecretEntry } from '../webhook-schema.ts';
import type { NotificationStore } from '../webhook-store.ts';
import { START, type Stretch, walk } from './notification-walk.ts';

type TakeRequest = Parameters<NotificationStore['take']>[0];

/**
 * Makes the `take` of a process. It goes around the webhooks in stretches, and begins the next one where the limit ended the one
 * before, so that no webhook comes short of others however much waits for those. The webhooks that the caller names come after each
 * stretch: they need not wait until all others were passed.
 */
export function createTaker(parts: StoreParts): NotificationStore['take'] {
  let after = START;
  return async (request) => {
    if (request.limit <= 0) return { taken: [], mayBeMore: false };
    const stretch = await walk(parts, after);
    const open = request.rooms.filter(({ room }) => room > 0).map(({ webhookId }) => webhookId);
    const taken = await takeFrom(parts, request, [...new Set([...stretch.due, ...open])]);
    const isCut = taken.length >= request.limit;
    after = isCut ? endOfCut(stretch, taken) : stretch.end;
    return { taken: taken.sort(inOrder), mayBeMore: isCut || after !== START };
  };
}

/** The last webhook of the stretch that something was taken for; its end, if it came to those behind it. */
function endOfCut({ due, end }: Stretch, taken: readonly DueNotification[]): string {
  const served = new Set(taken.map(({ webhookId }) => webhookId));
  const inStretch = new Set(due);
  const isPassed = [...served].some((id) => !inStretch.has(id));
  return isPassed ? end : (due.findLast((id) => served.has(id)) ?? end);
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

// Nothing is read but what may be taken, however much waits: the tests of each webhook, the first untried notification of each message
// (the rest of the message's wait for that one) and what is to be tried again, webhook by webhook until the limit is reached. What
// somebody else has locked or taken in the meantime is passed over.
async function takeFrom(
  { db, clock }: StoreParts,
  { limit, rooms, roomOfOthers, roomOfFailing, heldUntil }: TakeRequest,
  webhookIds: readonly string[],
): Promise<DueNotification[]> {
  if (webhookIds.length === 0) return [];
  const now = clock.now();
  const roomOf = new Map(rooms.map(({ webhookId, room }) => [webhookId, room]));
  const { rows } = await sql<TakenRow>`
    with chosen as materialized (
      select one.sequence
      from unnest(
          ${[...webhookIds]}::uuid[], ${webhookIds.map((id) => roomOf.get(id) ?? null)}::int[]
        ) as target (webhook_id, room)
        cross join lateral (
          select webhook_id, failing_since, status = 'enabled' and coalesce(paused_until <= ${now}, true) as is_open
          from webhooks where webhooks.webhook_id = target.webhook_id and deleted_at is null limit 1
        ) as w
        cross join lateral (
          select coalesce(target.room, case when w.failing_since is null then ${roomOfOthers}::int else ${roomOfFailing}::int end) as size
        ) as room
        cross join lateral (${dueOf(now)}) as one
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
  return rows.map((row) => notificationOf(row, now));
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
            where w.is_open and f.webhook_id = w.webhook_id and f.status = 'pending' and f.attempts_made = 0
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
        where w.is_open and a.webhook_id = w.webhook_id and a.status = 'pending' and a.attempts_made > 0
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
