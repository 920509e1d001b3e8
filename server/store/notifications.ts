import { sql, type Transaction } from 'kysely';
import type { WebhookEvent, WebhookPayload } from '../domain/webhooks.ts';
import type { OrganisationId } from './column-types.ts';
import type { Schema } from './schema.ts';
import { storableJson } from './storable.ts';

/** An event that the webhooks of its account may want to hear of. */
export interface NewNotification {
  id: string;
  organisationId: OrganisationId;
  payload: WebhookPayload;
}

/**
 * Writes a notification for each webhook that wants to hear of the event, due at once, within the caller's transaction: recorded and
 * not sent cannot happen. Disabled webhooks get theirs too, for the time when they are enabled again. Returns how many were due.
 */
export async function insertNotifications(
  tx: Transaction<Schema>,
  notifications: readonly NewNotification[],
): Promise<number> {
  if (notifications.length === 0) return 0;
  const webhooks = await webhooksOf(tx, notifications);
  const rows = notifications.flatMap((notification) =>
    (webhooks.get(notification.payload.account_id) ?? [])
      .filter(({ events }) => events.includes(notification.payload.event))
      .map(({ webhook_id }) => ({ webhook_id, ...notification })),
  );
  if (rows.length === 0) return 0;
  const column = <Value>(read: (row: (typeof rows)[number]) => Value) => rows.map(read);
  await sql`
    insert into webhook_deliveries (
      webhook_id, organisation_id, notification_id, event, message_id, payload, created_at, next_attempt_at
    )
    select webhook_id, organisation_id, notification_id, event, message_id, payload, created_at, created_at
    from unnest(
      ${column(({ webhook_id }) => webhook_id)}::uuid[],
      ${column(({ organisationId }) => organisationId)}::uuid[],
      ${column(({ id }) => id)}::uuid[],
      ${column(({ payload }) => payload.event)}::text[],
      ${column(({ payload }) => payload.message_id)}::uuid[],
      ${column(({ payload }) => storableJson(payload))}::text[],
      ${column(({ payload }) => payload.received_at)}::timestamptz[]
    ) with ordinality as s (webhook_id, organisation_id, notification_id, event, message_id, payload, created_at, position)
    order by position
    on conflict do nothing`.execute(tx);
  return rows.length;
}

interface Listener {
  webhook_id: string;
  events: WebhookEvent[];
}

async function webhooksOf(
  tx: Transaction<Schema>,
  notifications: readonly NewNotification[],
): Promise<Map<string, Listener[]>> {
  const accountIds = new Set(notifications.map(({ payload }) => payload.account_id));
  const { rows } = await sql<Listener & { account_id: string }>`
    select account_id, webhook_id, events from webhooks
    where account_id = any(${[...accountIds]}::uuid[]) and deleted_at is null`.execute(tx);
  return Map.groupBy(rows, ({ account_id }) => account_id);
}
