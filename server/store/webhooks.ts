import { randomUUIDv7 } from 'node:crypto';
import { ApiError } from '../domain/errors.ts';
import { plusMilliseconds, type Timestamp } from '../domain/time.ts';
import { patienceEndsBefore } from '../domain/webhook-schedule.ts';
import { type WebhookState, withStatus, withUrl } from '../domain/webhook-state.ts';
import type { WebhookEvent } from '../domain/webhooks.ts';
import { notFound, requireAllOwn, requireOwn } from './ownership.ts';
import { pageClause, single, toPage } from './page.ts';
import type { Page, PageRequest } from './rows.ts';
import { own, type Scope, type TransactionScope } from './scope.ts';
import { newWebhookSecret } from './secrets.ts';
import { listDeliveries, replay, test } from './webhook-deliveries.ts';
import type { CreatedWebhookRow, WebhookChange, WebhookRow, WebhookSecretRow } from './webhook-rows.ts';
import type { WebhookSecretEntry } from './webhook-schema.ts';
import type { WebhookStore } from './webhook-store.ts';

const MOST_WEBHOOKS = 100;
const MOST_SECRETS = 5;
const SECOND_MS = 1000;

const missing = () => notFound('webhook');

/** Webhooks of the accounts of one organisation. */
export function webhookStore(scope: Scope): WebhookStore {
  return {
    create: (accountId, webhook) => create(scope, accountId, webhook),
    get: async (accountId, webhookId) => {
      await requireWebhook(scope, accountId, webhookId);
      const rows = await scope.rows<WebhookRow>`
        select webhook_id, account_id, url, events, status, failing_since, status_changes, created_at, updated_at from webhooks
        where organisation_id = ${own} and account_id = ${accountId} and webhook_id = ${webhookId} and deleted_at is null`;
      return single(rows, missing);
    },
    update: (accountId, webhookId, change) => update(scope, accountId, webhookId, change),
    delete: (accountId, webhookId) => remove(scope, accountId, webhookId),
    list: (accountId, page) => list(scope, accountId, page),
    rotateSecret: (accountId, webhookId, overlapSeconds) =>
      rotateSecret(scope, accountId, webhookId, overlapSeconds),
    test: (accountId, webhookId, event) => test(scope, accountId, webhookId, event),
    listDeliveries: (accountId, webhookId, filter, page) =>
      listDeliveries(scope, accountId, webhookId, filter, page),
    replay: (accountId, webhookId, selection) => replay(scope, accountId, webhookId, selection),
  };
}

function requireWebhook(scope: Scope, accountId: string, webhookId: string): Promise<void> {
  return requireAllOwn(scope, [
    { kind: 'account', ids: [accountId] },
    { kind: 'webhook', ids: [webhookId] },
  ]);
}

// The lock on the account lets the count be true until the new one is written, and keeps the account from being deleted; mail
// can be accepted beside it.
async function create(
  scope: Scope,
  accountId: string,
  { url, events }: { url: string; events: WebhookEvent[] },
): Promise<CreatedWebhookRow> {
  await requireOwn(scope, 'account', [accountId]);
  const secret = newWebhookSecret();
  return await scope.transaction(async (tx) => {
    const accounts = await tx.rows`
      select from accounts where organisation_id = ${own} and account_id = ${accountId} and deleted_at is null
      for no key update`;
    single(accounts, () => notFound('account'));
    const [counted] = await tx.rows<{ total: number }>`
      select count(*) as total from webhooks
      where organisation_id = ${own} and account_id = ${accountId} and deleted_at is null`;
    if ((counted?.total ?? 0) >= MOST_WEBHOOKS) throw tooMany();
    const now = tx.clock.now();
    const changes = [{ changed_at: now, status: 'enabled', reason: 'created' }];
    const rows = await tx.rows<WebhookRow>`
      insert into webhooks (
        organisation_id, webhook_id, account_id, url, events, status, secrets, status_changes, created_at, updated_at
      )
      values (
        ${own}, ${randomUUIDv7()}, ${accountId}, ${url}, ${events}::text[], 'enabled',
        ${JSON.stringify([{ secret, expires_at: null }])}::jsonb, ${JSON.stringify(changes)}::jsonb, ${now}, ${now}
      )
      returning webhook_id, account_id, url, events, status, failing_since, status_changes, created_at, updated_at`;
    return { ...single(rows, missing), secret };
  });
}

function tooMany(): ApiError {
  return new ApiError(
    'WEBHOOK_LIMIT_REACHED',
    `an account has at most ${MOST_WEBHOOKS} webhooks: delete one first`,
  );
}

async function list(scope: Scope, accountId: string, page: PageRequest): Promise<Page<WebhookRow>> {
  await requireOwn(scope, 'account', [accountId]);
  const rows = await scope.rows<WebhookRow>`
    select webhook_id, account_id, url, events, status, failing_since, status_changes, created_at, updated_at from webhooks
    where organisation_id = ${own} and account_id = ${accountId} and deleted_at is null
    order by created_at desc, webhook_id desc ${pageClause(page)}`;
  const counted = await scope.rows<{ total: number }>`
    select count(*) as total from webhooks
    where organisation_id = ${own} and account_id = ${accountId} and deleted_at is null`;
  return toPage(rows, counted);
}

async function update(
  scope: Scope,
  accountId: string,
  webhookId: string,
  change: WebhookChange,
): Promise<WebhookRow> {
  await requireWebhook(scope, accountId, webhookId);
  return await scope.transaction(async (tx) => {
    const before = await lock(tx, accountId, webhookId);
    const now = tx.clock.now();
    const { events = before.events, url = before.url, status = before.status } = change;
    const isSameEvents = events.join() === before.events.join();
    const listening = isSameEvents ? before : { ...before, events, updated_at: now };
    const after = withStatus(withUrl(listening, url, now), status, 'requested', now);
    if (before.status === 'disabled' && after.status === 'enabled') await giveUpOld(tx, webhookId, now);
    return await write(tx, webhookId, { ...after, events });
  });
}

type LockedWebhook = WebhookState & { events: WebhookEvent[]; secrets: WebhookSecretEntry[] };

// Of no key: an event that is being recorded for the webhook need not wait.
async function lock(tx: TransactionScope, accountId: string, webhookId: string): Promise<LockedWebhook> {
  const rows = await tx.rows<LockedWebhook>`
    select url, events, status, secrets, status_changes, failing_since, paused_until, updated_at from webhooks
    where organisation_id = ${own} and account_id = ${accountId} and webhook_id = ${webhookId} and deleted_at is null
    for no key update`;
  return single(rows, missing);
}

async function write(
  tx: TransactionScope,
  webhookId: string,
  state: WebhookState & { events: WebhookEvent[] },
): Promise<WebhookRow> {
  const rows = await tx.rows<WebhookRow>`
    with target as (select webhook_id as id from webhooks where organisation_id = ${own} and webhook_id = ${webhookId})
    update webhooks set url = ${state.url}, events = ${state.events}::text[], status = ${state.status},
      status_changes = ${JSON.stringify(state.status_changes)}::jsonb, failing_since = ${state.failing_since},
      paused_until = ${state.paused_until}, updated_at = ${state.updated_at}
    from target where webhook_id = target.id
    returning webhook_id, account_id, url, events, status, failing_since, status_changes, created_at, updated_at`;
  return single(rows, missing);
}

/** What has waited for too long ends as failed: an answer weeks later is a flood, not a notification. */
async function giveUpOld(tx: TransactionScope, webhookId: string, now: Timestamp): Promise<void> {
  await tx.rows`
    with old as materialized (
      select sequence from webhook_deliveries
      where organisation_id = ${own} and webhook_id = ${webhookId} and status = 'pending'
        and created_at < ${patienceEndsBefore(now)}
      order by sequence for update
    )
    update webhook_deliveries d set status = 'failed', next_attempt_at = null, taken_at = null from old where d.sequence = old.sequence`;
}

// Locked by a statement of its own: one that locks and changes may wait in a circle with whoever waits for the same webhook.
async function remove(scope: Scope, accountId: string, webhookId: string): Promise<WebhookRow> {
  await requireWebhook(scope, accountId, webhookId);
  return await scope.transaction(async (tx) => {
    await lock(tx, accountId, webhookId);
    const rows = await tx.rows<WebhookRow>`
      with target as (select webhook_id as id from webhooks where organisation_id = ${own} and webhook_id = ${webhookId})
      update webhooks set deleted_at = ${tx.clock.now()} from target where webhook_id = target.id
      returning webhook_id, account_id, url, events, status, failing_since, status_changes, created_at, updated_at`;
    return single(rows, missing);
  });
}

async function rotateSecret(
  scope: Scope,
  accountId: string,
  webhookId: string,
  overlapSeconds: number,
): Promise<WebhookSecretRow> {
  await requireWebhook(scope, accountId, webhookId);
  const secret = newWebhookSecret();
  return await scope.transaction(async (tx) => {
    const { secrets } = await lock(tx, accountId, webhookId);
    const now = tx.clock.now();
    const previous = overlapSeconds === 0 ? [] : stillValid(secrets, now, overlapSeconds);
    if (previous.length >= MOST_SECRETS) throw rotatedRecently();
    const next: WebhookSecretEntry[] = [{ secret, expires_at: null }, ...previous];
    await tx.rows`
      with target as (select webhook_id as id from webhooks where organisation_id = ${own} and webhook_id = ${webhookId})
      update webhooks set secrets = ${JSON.stringify(next)}::jsonb from target where webhook_id = target.id`;
    const ends = previous.map(({ expires_at }) => expires_at).toSorted();
    return { webhook_id: webhookId.toLowerCase(), secret, previous_secrets_expire_at: ends.at(-1) ?? null };
  });
}

/** The secrets that are valid now, each until the end of the overlap at most. */
function stillValid(
  secrets: readonly WebhookSecretEntry[],
  now: Timestamp,
  overlapSeconds: number,
): { secret: string; expires_at: Timestamp }[] {
  const end = plusMilliseconds(now, overlapSeconds * SECOND_MS);
  return secrets
    .map(({ secret, expires_at }) => ({
      secret,
      expires_at: expires_at !== null && expires_at < end ? expires_at : end,
    }))
    .filter(({ expires_at }) => expires_at > now);
}

function rotatedRecently(): ApiError {
  return new ApiError(
    'SECRET_ROTATED_RECENTLY',
    'five secrets are valid already: wait until one ends, or rotate with overlap_seconds 0',
  );
}
