import { sql, type Transaction } from 'kysely';
import type { Timestamp } from '../../domain/time.ts';
import { patienceEndsBefore } from '../../domain/webhook-schedule.ts';
import { afterAttempt, type WebhookState } from '../../domain/webhook-state.ts';
import type { Schema } from '../schema.ts';
import type { StoreParts } from '../scope.ts';
import { storableJson } from '../storable.ts';
import type { NotificationOutcome, StatusChange } from '../webhook-rows.ts';

const MOST_ATTEMPTS = 20;

/**
 * Writes what came of attempts: first the webhooks are locked in the order of their ids, then their notifications in the order of
 * their sequence, as everybody does who changes several, so that nobody waits in a circle. Returns the webhooks whose status that changes.
 */
export async function recordOutcomes(
  { clock }: StoreParts,
  tx: Transaction<Schema>,
  outcomes: readonly NotificationOutcome[],
): Promise<StatusChange[]> {
  const now = clock.now();
  const before = await lockWebhooks(tx, outcomes);
  for (const round of roundsOf(outcomes)) await recordAttempts(tx, round, now);
  const after = statesAfter(before, outcomes, now);
  await writeStates(tx, after);
  const changes = after.flatMap((webhook) => changeOf(webhook, before.get(webhook.webhook_id)));
  const recovered = changes.filter(({ status }) => status === 'enabled').map(({ webhookId }) => webhookId);
  await giveUpOld(tx, recovered, now);
  return changes;
}

type LockedWebhook = WebhookState & { webhook_id: string; account_id: string };

/** At most one change: of the status that it had to the one that it has. */
function changeOf(after: LockedWebhook, before: LockedWebhook | undefined): StatusChange[] {
  const [last] = after.status_changes;
  if (last === undefined || after.status === before?.status) return [];
  return [
    { webhookId: after.webhook_id, accountId: after.account_id, status: after.status, reason: last.reason },
  ];
}

async function lockWebhooks(
  tx: Transaction<Schema>,
  outcomes: readonly NotificationOutcome[],
): Promise<Map<string, LockedWebhook>> {
  const ids = [...new Set(outcomes.map(({ webhookId }) => webhookId))];
  const { rows } = await sql<LockedWebhook>`
    select webhook_id, account_id, url, status, status_changes, failing_since, paused_until, updated_at from webhooks
    where webhook_id = any(${ids}::uuid[]) and deleted_at is null
    order by webhook_id for no key update`.execute(tx);
  return new Map(rows.map((row) => [row.webhook_id, row]));
}

/** Each notification once in a round: an UPDATE changes a row once. Twice comes what was taken again while it was on its way. */
function roundsOf(outcomes: readonly NotificationOutcome[]): NotificationOutcome[][] {
  const rounds: NotificationOutcome[][] = [];
  const seen = new Map<number, number>();
  for (const outcome of outcomes) {
    const round = seen.get(outcome.sequence) ?? 0;
    seen.set(outcome.sequence, round + 1);
    const others = rounds[round];
    if (others === undefined) rounds.push([outcome]);
    else others.push(outcome);
  }
  return rounds;
}

// What arrived has arrived. A failure counts for the attempt that it was: of what was replayed, or taken over by another process,
// in the meantime it is only kept in the log; a replay that waited for it goes on now.
async function recordAttempts(
  tx: Transaction<Schema>,
  outcomes: readonly NotificationOutcome[],
  now: Timestamp,
): Promise<void> {
  const column = <Value>(read: (outcome: NotificationOutcome) => Value) => outcomes.map(read);
  await sql`
    with outcome (sequence, taken_at, status, next_attempt_at, attempt) as (
      select * from unnest(
        ${column(({ sequence }) => sequence)}::bigint[],
        ${column(({ takenAt }) => takenAt)}::timestamptz[],
        ${column(({ status }) => status)}::text[],
        ${column(({ nextAttemptAt }) => nextAttemptAt)}::timestamptz[],
        ${column(({ attempt }) => storableJson(attempt))}::jsonb[]
      )
    ), locked as materialized (
      select d.sequence, d.status, d.taken_at, d.attempts_made from webhook_deliveries d
      where d.sequence in (select sequence from outcome) order by d.sequence for update
    ), judged as materialized (
      select o.*, d.status = 'pending' and o.status = 'delivered' as is_delivered,
        d.status = 'pending' and o.status <> 'delivered' and d.taken_at = o.taken_at as is_current,
        d.status = 'pending' and d.taken_at is null and d.attempts_made = 0 as is_replayed
      from locked d join outcome o using (sequence)
    )
    update webhook_deliveries d set
      status = case when is_delivered or is_current then j.status else d.status end,
      attempts_made = case when is_delivered or is_current then d.attempts_made + 1 else d.attempts_made end,
      next_attempt_at = case when is_delivered then null when is_current then j.next_attempt_at
        when is_replayed then least(d.next_attempt_at, ${now}) else d.next_attempt_at end,
      taken_at = case when is_delivered or is_current then null else d.taken_at end,
      attempts = jsonb_build_array(j.attempt) || (d.attempts - ${MOST_ATTEMPTS - 1}::int),
      recorded_at = ${now}
    from judged j where d.sequence = j.sequence`.execute(tx);
}

/** The webhooks that the outcomes change, as they are afterwards. */
function statesAfter(
  before: ReadonlyMap<string, LockedWebhook>,
  outcomes: readonly NotificationOutcome[],
  now: Timestamp,
): LockedWebhook[] {
  const after = new Map<string, LockedWebhook>(before);
  for (const outcome of outcomes) {
    const state = after.get(outcome.webhookId);
    if (state !== undefined) after.set(outcome.webhookId, { ...state, ...afterAttempt(state, outcome, now) });
  }
  return [...after.values()].filter((state) => !isSame(state, before.get(state.webhook_id)));
}

function isSame(one: WebhookState, other: WebhookState | undefined): boolean {
  return (
    one.status === other?.status &&
    one.failing_since === other.failing_since &&
    one.paused_until === other.paused_until
  );
}

async function writeStates(tx: Transaction<Schema>, states: readonly LockedWebhook[]): Promise<void> {
  if (states.length === 0) return;
  const column = <Value>(read: (state: LockedWebhook) => Value) => states.map(read);
  await sql`
    update webhooks w set status = s.status, status_changes = s.status_changes, failing_since = s.failing_since,
      paused_until = s.paused_until, updated_at = s.updated_at
    from unnest(
      ${column(({ webhook_id }) => webhook_id)}::uuid[],
      ${column(({ status }) => status)}::text[],
      ${column(({ status_changes }) => JSON.stringify(status_changes))}::jsonb[],
      ${column(({ failing_since }) => failing_since)}::timestamptz[],
      ${column(({ paused_until }) => paused_until)}::timestamptz[],
      ${column(({ updated_at }) => updated_at)}::timestamptz[]
    ) as s (webhook_id, status, status_changes, failing_since, paused_until, updated_at)
    where w.webhook_id = s.webhook_id`.execute(tx);
}

/** What has waited for too long ends as failed, as it does when somebody enables the webhook. */
async function giveUpOld(
  tx: Transaction<Schema>,
  webhookIds: readonly string[],
  now: Timestamp,
): Promise<void> {
  if (webhookIds.length === 0) return;
  await sql`
    with old as materialized (
      select sequence from webhook_deliveries
      where webhook_id = any(${webhookIds}::uuid[]) and status = 'pending' and created_at < ${patienceEndsBefore(now)}
      order by sequence for update
    )
    update webhook_deliveries d set status = 'failed', next_attempt_at = null, taken_at = null
    from old where d.sequence = old.sequence`.execute(tx);
}
