import { randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { ApiError } from '../domain/errors.ts';
import { plusMilliseconds, type Timestamp } from '../domain/time.ts';
import { testPayload } from '../domain/webhook-test.ts';
import type { WebhookEvent, WebhookStatus } from '../domain/webhooks.ts';
import { type NamedIds, notFound, requireAllOwn } from './ownership.ts';
import { andAlso, pageClause, single, toPage } from './page.ts';
import type { Page, PageRequest } from './rows.ts';
import { own, type Scope, type TransactionScope } from './scope.ts';
import type { WebhookDeliveryFilter, WebhookDeliveryRow, WebhookReplaySelection } from './webhook-rows.ts';

const MOST_REPLAYED = 10_000;
// What was replayed for less long than that comes after what was not: in the last hour, and if nothing else is left, in the last minutes.
const REPLAYED_LATELY_MS = [3_600_000, 300_000];

function requireWebhook(
  scope: Scope,
  accountId: string,
  webhookId: string,
  others: readonly NamedIds[] = [],
): Promise<void> {
  return requireAllOwn(scope, [
    { kind: 'account', ids: [accountId] },
    { kind: 'webhook', ids: [webhookId] },
    ...others,
  ]);
}

/** How the webhook of the account stands; in a transaction, with `for no key update`, until its end. */
async function statusOf(
  scope: Scope,
  accountId: string,
  webhookId: string,
  lock: RawBuilder<unknown> = sql``,
): Promise<WebhookStatus> {
  const rows = await scope.rows<{ status: WebhookStatus }>`
    select status from webhooks
    where organisation_id = ${own} and account_id = ${accountId} and webhook_id = ${webhookId} and deleted_at is null ${lock}`;
  return single(rows, () => notFound('webhook')).status;
}

const LOCKED = sql`for no key update`;

// While it is being sent, when that began; nothing while the webhook is disabled, unless it is a test.
const NEXT_ATTEMPT = sql`
  case when d.status <> 'pending' or (w.status = 'disabled' and d.message_id is not null) then null
    else coalesce(d.taken_at, d.next_attempt_at) end`;

const ENTRY = sql`
  d.notification_id, d.webhook_id, w.account_id, d.event, d.message_id, d.message_id is null as is_test, d.status, d.created_at,
  ${NEXT_ATTEMPT} as next_attempt_at, d.payload, d.attempts`;

/** Makes a test of this event, due at once. */
export async function test(
  scope: Scope,
  accountId: string,
  webhookId: string,
  event: WebhookEvent,
): Promise<WebhookDeliveryRow> {
  await requireWebhook(scope, accountId, webhookId);
  return await scope.transaction(async (tx) => {
    await statusOf(tx, accountId, webhookId, LOCKED);
    const now = tx.clock.now();
    const payload = testPayload(event, {
      accountId: accountId.toLowerCase(),
      messageId: randomUUIDv7(),
      now,
    });
    const notificationId = randomUUIDv7();
    await tx.rows`
      insert into webhook_deliveries (
        organisation_id, webhook_id, notification_id, event, payload, created_at, next_attempt_at
      ) values (${own}, ${webhookId}, ${notificationId}, ${event}, ${JSON.stringify(payload)}, ${now}, ${now})`;
    const rows = await tx.rows<WebhookDeliveryRow>`
      with d as (
        select * from webhook_deliveries
        where organisation_id = ${own} and webhook_id = ${webhookId} and notification_id = ${notificationId}
      )
      select ${ENTRY} from d join webhooks w using (webhook_id)`;
    return single(rows, () => notFound('notification'));
  });
}

/** A page of the delivery log, newest first. */
export async function listDeliveries(
  scope: Scope,
  accountId: string,
  webhookId: string,
  filter: WebhookDeliveryFilter,
  page: PageRequest,
): Promise<Page<WebhookDeliveryRow>> {
  await requireWebhook(scope, accountId, webhookId, searchedIds(filter));
  await statusOf(scope, accountId, webhookId);
  const conditions = andAlso(conditionsOf(filter));
  const rows = await scope.rows<WebhookDeliveryRow>`
    with d as (
      select * from webhook_deliveries d where d.organisation_id = ${own} and d.webhook_id = ${webhookId} ${conditions}
      order by d.sequence desc ${pageClause(page)}
    )
    select ${ENTRY} from d join webhooks w using (webhook_id) order by d.sequence desc`;
  const counted = await scope.rows<{ total: number }>`
    select count(*) as total from webhook_deliveries d
    where d.organisation_id = ${own} and d.webhook_id = ${webhookId} ${conditions}`;
  return toPage(rows, counted);
}

function searchedIds({ message_id, notification_id }: WebhookDeliveryFilter): NamedIds[] {
  return [
    { kind: 'message', ids: message_id === undefined ? [] : [message_id], mayBeMissing: true },
    { kind: 'notification', ids: notification_id === undefined ? [] : [notification_id], mayBeMissing: true },
  ];
}

function conditionsOf(filter: WebhookDeliveryFilter): (RawBuilder<unknown> | undefined)[] {
  const { period, statuses = [], events = [], notification_id, message_id } = filter;
  return [
    period && sql`d.created_at between ${period.from} and ${period.to}`,
    statuses.length > 0 ? sql`d.status = any(${statuses}::text[])` : undefined,
    events.length > 0 ? sql`d.event = any(${events}::text[])` : undefined,
    notification_id === undefined ? undefined : sql`d.notification_id = ${notification_id}`,
    message_id === undefined ? undefined : sql`d.message_id = ${message_id}`,
  ];
}

/** Puts notifications on their way again, with the whole schedule before them. */
export async function replay(
  scope: Scope,
  accountId: string,
  webhookId: string,
  selection: WebhookReplaySelection,
): Promise<{ replayed: number; remaining: number }> {
  await requireWebhook(scope, accountId, webhookId);
  const named = 'notificationId' in selection ? [selection.notificationId] : [];
  await requireAllOwn(scope, [{ kind: 'notification', ids: named, mayBeMissing: true }]);
  return await scope.transaction(async (tx) => {
    const status = await statusOf(tx, accountId, webhookId, LOCKED);
    if ('notificationId' in selection) await requireNotification(tx, webhookId, selection.notificationId);
    if (status === 'disabled') {
      throw new ApiError('WEBHOOK_DISABLED', 'the webhook is disabled: enable it first');
    }
    const now = tx.clock.now();
    const chosen = await choose(tx, webhookId, selection, now);
    return { replayed: await sendAgain(tx, webhookId, chosen.condition, now), remaining: chosen.remaining };
  });
}

async function requireNotification(
  tx: TransactionScope,
  webhookId: string,
  notificationId: string,
): Promise<void> {
  const rows = await tx.rows`
    select from webhook_deliveries
    where organisation_id = ${own} and webhook_id = ${webhookId} and notification_id = ${notificationId}`;
  single(rows, () => new ApiError('NOTIFICATION_NOT_FOUND', 'the webhook has no such notification'));
}

interface Choice {
  condition: RawBuilder<unknown>;
  /** How many are left when as many as a call takes are done. */
  remaining: number;
}

// What is on its way for its first attempt need not be put there again. And what was replayed a while ago comes after everything
// that was not, so that calling until nothing remains ends, although what was replayed may have been delivered meanwhile; when all of
// it was replayed minutes ago, a call takes what it can, and nothing remains.
async function choose(
  tx: TransactionScope,
  webhookId: string,
  selection: WebhookReplaySelection,
  now: Timestamp,
): Promise<Choice> {
  const waits = sql`(status = 'pending' and attempts_made = 0)`;
  if ('notificationId' in selection) {
    const condition = sql`notification_id = ${selection.notificationId}`;
    return { condition, remaining: 0 };
  }
  const { period, statuses } = selection;
  const named = sql`not ${waits} and created_at between ${period.from} and ${period.to}
    and status = any(${[...statuses]}::text[])`;
  for (const lately of REPLAYED_LATELY_MS) {
    const condition = sql`${named} and (replayed_at is null or replayed_at < ${plusMilliseconds(now, -lately)})`;
    const total = await count(tx, webhookId, condition);
    if (total > 0) return { condition, remaining: Math.max(0, total - MOST_REPLAYED) };
  }
  return { condition: named, remaining: 0 };
}

async function count(
  tx: TransactionScope,
  webhookId: string,
  condition: RawBuilder<unknown>,
): Promise<number> {
  const [counted] = await tx.rows<{ total: number }>`
    select count(*) as total from webhook_deliveries
    where organisation_id = ${own} and webhook_id = ${webhookId} and ${condition}`;
  return counted?.total ?? 0;
}

// What is being sent at this moment is not sent twice: it counts as the first attempt of the replay when it arrives, and
// otherwise the next one follows at once.
async function sendAgain(
  tx: TransactionScope,
  webhookId: string,
  condition: RawBuilder<unknown>,
  now: Timestamp,
): Promise<number> {
  const rows = await tx.rows`
    with chosen as materialized (
      select sequence from webhook_deliveries
      where organisation_id = ${own} and webhook_id = ${webhookId} and ${condition}
      order by sequence limit ${MOST_REPLAYED} for update
    )
    update webhook_deliveries d set status = 'pending', attempts_made = 0, replayed_at = ${now}, taken_at = null,
      next_attempt_at = case when d.taken_at is not null and d.next_attempt_at > ${now} then d.next_attempt_at else ${now} end
    from chosen where d.sequence = chosen.sequence
    returning d.sequence`;
  return rows.length;
}
