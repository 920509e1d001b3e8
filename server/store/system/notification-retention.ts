import { sql } from 'kysely';
import { MILLISECONDS_PER_HOUR, plusMilliseconds, type Timestamp } from '../../domain/time.ts';
import { patienceEndsBefore } from '../../domain/webhook-schedule.ts';
import type { StoreParts } from '../scope.ts';

/**
 * Deletes up to `limit` notifications that were made before the moment, or whose webhook is deleted, and deleted webhooks without
 * any; returns how many went. What still waits stays until it is delivered or given up.
 */
export async function purgeNotifications(
  parts: StoreParts,
  before: Timestamp,
  limit: number,
): Promise<number> {
  const ofDeleted = await purgeOfDeleted(parts, limit);
  if (ofDeleted > 0) return ofDeleted;
  return (await purgeOld(parts, before, limit)) + (await purgeWebhooks(parts, limit));
}

async function purgeOfDeleted({ db }: StoreParts, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where sequence in (
      select d.sequence from webhooks w join webhook_deliveries d using (webhook_id)
      where w.deleted_at is not null limit ${limit} for update of d skip locked
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}

async function purgeOld({ db }: StoreParts, before: Timestamp, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where sequence in (
      select sequence from webhook_deliveries
      where status = any('{delivered,failed}') and created_at < ${before} limit ${limit} for update skip locked
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}

// An hour later: a transaction that records an event may have read the webhook before it was deleted, and a notification of it that
// finds no webhook any more would take the event down with it.
async function purgeWebhooks({ db, clock }: StoreParts, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhooks where webhook_id in (
      select w.webhook_id from webhooks w
      where w.deleted_at < ${plusMilliseconds(clock.now(), -MILLISECONDS_PER_HOUR)}
        and not exists (select from webhook_deliveries d where d.webhook_id = w.webhook_id)
      limit ${limit} for update skip locked
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/**
 * Ends as failed up to `limit` notifications that have waited for a disabled webhook for too long, so that little is left to do
 * when it is enabled; returns how many.
 */
export async function giveUpNotifications({ db, clock }: StoreParts, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with old as materialized (
      select d.sequence from webhook_deliveries d join webhooks w using (webhook_id)
      where d.status = 'pending' and d.created_at < ${patienceEndsBefore(clock.now())} and w.status = 'disabled'
        and d.message_id is not null
      limit ${limit} for update of d skip locked
    )
    update webhook_deliveries d set status = 'failed', next_attempt_at = null, taken_at = null
    from old where d.sequence = old.sequence`.execute(db);
  return Number(numAffectedRows ?? 0);
}
