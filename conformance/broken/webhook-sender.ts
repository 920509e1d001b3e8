import { DAY, later, MILLISECOND, type Micros } from './clock.ts';
import type { Attempt, Notification, StatusReason, Webhook, World } from './state.ts';
import { post, urlOf } from './webhook-request.ts';

// Sends what is due, and judges what came of it. Times are those of the clock that can be moved.

const FIRST_RETRY_MS = 100;
// Times of attempts are told in seconds: what is wrong with them shows when the next one is not in the same.
const FIRST_RETRY_OF_ANOTHER_SECOND_MS = 2_100;
const FIRST_RETRY_LATE_MS = 6_000;
const LATE: Micros = 3_000n * MILLISECOND;
const MOST_TRIES = 10;
const GONE = 410;
/** So long may everything fail, and so long is kept what waits for its webhook. */
export const PATIENCE: Micros = 5n * DAY;

/** Sends a notification as soon as it is due, if its webhook may be told at all. */
export function send(world: World, webhook: Webhook, notification: Notification): void {
  const due = dueAt(world, webhook, notification);
  if (due === undefined) return;
  const milliseconds = Number((due - world.clock.now()) / MILLISECOND);
  // What comes first is begun before anything else can happen, so that it cannot be overtaken.
  if (milliseconds <= 0 && isNext(world, notification)) void attempt(world, webhook, notification);
  else if (milliseconds > 0) world.later(milliseconds + 1, () => send(world, webhook, notification));
}

/** Looks for what has become due: the clock was moved. */
export function sendWhatIsDue(world: World): void {
  for (const notification of world.notifications.values()) {
    const webhook = world.webhooks.get(notification.webhook_id);
    if (webhook !== undefined) send(world, webhook, notification);
  }
}

/** When it is to be tried; undefined when it is not, or not now. */
function dueAt(world: World, webhook: Webhook, notification: Notification): Micros | undefined {
  const { status, next_attempt_at, is_being_sent, webhook_id, is_test } = notification;
  const isKnown =
    world.webhooks.has(webhook_id) ||
    world.formerWebhooks.has(webhook_id) ||
    world.has('webhook-operations.deleted-still-sent');
  const isDeaf =
    webhook.status === 'disabled' && !is_test && !world.has('webhook-operations.disabled-still-sent');
  const waits = status === 'pending' && !is_being_sent && !world.stopped.aborted;
  if (!isKnown || isDeaf || !waits || next_attempt_at === null) return undefined;
  const isLate = world.varies('webhooks-late') && notification.attempts.length === 0;
  return later(pausedUntil(world, webhook), next_attempt_at + (isLate ? LATE : 0n));
}

function pausedUntil(world: World, webhook: Webhook): Micros {
  return world.has('webhooks.retry-after-for-one-only') ? 0n : webhook.paused_until;
}

/** Whether nothing that happened before to the same message is still to be told of for the first time. */
function isNext(world: World, notification: Notification): boolean {
  const { attempts, message_id, webhook_id, created_at } = notification;
  if (attempts.length > 0 || message_id === null || world.has('webhooks.out-of-order')) return true;
  return ![...world.notifications.values()].some(
    (one) =>
      one.message_id === message_id &&
      one.webhook_id === webhook_id &&
      one.created_at < created_at &&
      one.attempts.length === 0 &&
      one.status === 'pending',
  );
}

async function attempt(world: World, webhook: Webhook, notification: Notification): Promise<void> {
  notification.is_being_sent = true;
  const isHeldUp = world.has('webhooks.out-of-order') && notification.event === 'message.delivery';
  if (isHeldUp) await wait(world, 120);
  if (world.varies('webhooks-shuffled') && notification.attempts.length === 0)
    await wait(world, Math.random() * 80);
  const attempted_at = world.clock.now();
  const started = performance.now();
  const url = urlOf(world, webhook, notification);
  const { status_code, response, retryAfter } = await post(world, webhook, notification);
  notification.is_being_sent = false;
  const duration_ms = Math.round(performance.now() - started);
  const result = resultOf(world, status_code, response);
  notification.attempts.push({ attempted_at, url, duration_ms, status_code, result, response });
  notification.tries += 1;
  conclude(world, webhook, notification, result, retryAfter);
  send(world, webhook, notification);
  sendFollowing(world, webhook, notification);
}

function sendFollowing(world: World, webhook: Webhook, { message_id }: Notification): void {
  if (message_id === null) return;
  for (const one of world.notifications.values())
    if (one.message_id === message_id && one.webhook_id === webhook.webhook_id) send(world, webhook, one);
}

function resultOf(world: World, status: number | null, response: string): Attempt['result'] {
  const isTimeout =
    response.startsWith('TimeoutError') && !world.has('webhook-log.timeout-called-unreachable');
  if (status === null) return isTimeout ? 'timed_out' : 'unreachable';
  const isRedirect = status >= 300 && status < 400;
  if (isRedirect) return world.has('webhooks.redirect-is-success') ? 'delivered' : 'redirected';
  if (status === GONE) return 'gone';
  if (status !== 200 && world.has('webhooks.only-200-is-success')) return 'rejected';
  return status >= 200 && status < 300 ? 'delivered' : 'rejected';
}

/** What follows from an attempt for the notification and its webhook. */
function conclude(
  world: World,
  webhook: Webhook,
  notification: Notification,
  result: Attempt['result'],
  retryAfter: Micros,
): void {
  const now = world.clock.now();
  const isDelivered = result === 'delivered';
  const isEnough = isDelivered && !(world.has('webhooks.repeated-after-success') && notification.tries < 2);
  const isOver = isEnough || !isRepeated(world, notification);
  notification.status = isOver ? (isDelivered ? 'delivered' : 'failed') : 'pending';
  notification.next_attempt_at = isOver ? null : now + pauseAfter(world, notification.tries);
  const isWell = isDelivered && !world.has('webhook-operations.failing-since-kept');
  webhook.failing_since = isWell ? null : (webhook.failing_since ?? (isDelivered ? null : now));
  if (isDelivered) recover(world, webhook, notification);
  if (retryAfter > 0n && !world.has('webhooks.retry-after-ignored'))
    pause(webhook, notification, now + retryAfter);
  if (result === 'gone' && !world.has('webhooks.gone-not-disabled')) disable(world, webhook, 'gone');
  const hasFailedForLong = webhook.failing_since !== null && now - webhook.failing_since >= PATIENCE;
  if (hasFailedForLong && !world.has('webhooks.failing-not-disabled')) disable(world, webhook, 'failing');
  if (webhook.status === 'disabled') notification.next_attempt_at = null;
}

function isRepeated(world: World, { is_test, tries }: Notification): boolean {
  if (is_test) return world.has('webhook-operations.test-repeated') && tries < MOST_TRIES;
  return tries < MOST_TRIES && !world.has('webhooks.not-retried');
}

function pauseAfter(world: World, tries: number): Micros {
  return BigInt(firstRetryMs(world) * 2 ** (tries - 1)) * MILLISECOND;
}

function firstRetryMs(world: World): number {
  if (world.varies('webhooks-late')) return FIRST_RETRY_LATE_MS;
  const isAboutTime =
    world.has('webhooks.timestamp-of-the-first-attempt') || world.has('webhooks.repetition-signed-as-before');
  return isAboutTime ? FIRST_RETRY_OF_ANOTHER_SECOND_MS : FIRST_RETRY_MS;
}

function pause(webhook: Webhook, notification: Notification, until: Micros): void {
  webhook.paused_until = until;
  const next = notification.next_attempt_at;
  if (next !== null && next < until) notification.next_attempt_at = until;
}

/** A test that arrives enables what the server itself had disabled. */
function recover(world: World, webhook: Webhook, { is_test }: Notification): void {
  const reason = webhook.status_changes.at(-1)?.reason;
  const isOwn = reason === 'gone' || reason === 'failing' || world.has('webhook-operations.test-enables-any');
  if (!is_test || webhook.status === 'enabled' || !isOwn) return;
  if (!world.has('webhook-operations.test-does-not-enable')) enable(world, webhook, 'recovered');
}

/** Stops sending. What waits is kept. */
export function disable(world: World, webhook: Webhook, reason: StatusReason): void {
  if (webhook.status === 'disabled') return;
  change(world, webhook, 'disabled', reason);
  for (const one of world.notifications.values())
    if (one.webhook_id === webhook.webhook_id) one.next_attempt_at = null;
}

/** Sends again, and what has waited for no more than five days. */
export function enable(world: World, webhook: Webhook, reason: StatusReason): void {
  if (webhook.status === 'enabled') return;
  change(world, webhook, 'enabled', reason);
  webhook.failing_since = null;
  webhook.paused_until = 0n;
  const now = world.clock.now();
  for (const one of world.notifications.values()) {
    if (one.webhook_id !== webhook.webhook_id || one.status !== 'pending') continue;
    const isOld = now - one.created_at > PATIENCE && !world.has('webhook-operations.enabling-sends-all');
    one.status = isOld ? 'failed' : 'pending';
    one.next_attempt_at = isOld ? null : now;
    send(world, webhook, one);
  }
}

function change(world: World, webhook: Webhook, status: Webhook['status'], reason: StatusReason): void {
  const now = world.clock.now();
  webhook.status = status;
  webhook.updated_at = now;
  const told = world.has('webhook-operations.reason-wrong') ? 'requested' : reason;
  webhook.status_changes.push({ changed_at: now, status, reason: told });
}

function wait(world: World, milliseconds: number): Promise<void> {
  return new Promise((resolve) => world.later(milliseconds, resolve));
}
