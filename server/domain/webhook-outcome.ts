import { retryAfterMs } from './retry-after.ts';
import type { Timestamp } from './time.ts';
import { nextNotificationAt, pausedUntil } from './webhook-schedule.ts';
import type { WebhookAttempt, WebhookDeliveryStatus } from './webhooks.ts';

type AttemptResult = WebhookAttempt['result'];

/** An attempt, as far as it decides what comes next. */
export interface AttemptFacts {
  result: AttemptResult;
  /** When it was over, by the service's clock. */
  finishedAt: Timestamp;
  /** What its Retry-After says, as it came. */
  retryAfter?: string | undefined;
}

/** The notification that was attempted. */
export interface AttemptedNotification {
  isTest: boolean;
  /** Attempts before this one, since it was made or replayed. */
  attemptsMade: number;
}

/** What follows from an attempt. */
export interface AttemptConsequence {
  status: WebhookDeliveryStatus;
  nextAttemptAt: Timestamp | null;
  /** The receiver wants nothing at all before this moment. */
  pausedUntil?: Timestamp | undefined;
}

/** What an answer with this status means. */
export function resultOf(statusCode: number): AttemptResult {
  if (statusCode >= 200 && statusCode < 300) return 'delivered';
  if (statusCode >= 300 && statusCode < 400) return 'redirected';
  return statusCode === 410 ? 'gone' : 'rejected';
}

/**
 * What follows from an attempt for the notification (DECISIONS, notifications-retries, -retry-after). `random` is a number in [0, 1), `realNowMs`
 * the real time since 1970, which the dates of receivers are held against.
 */
export function consequenceOf(
  notification: AttemptedNotification,
  { result, finishedAt, retryAfter }: AttemptFacts,
  random: number,
  realNowMs: number,
): AttemptConsequence {
  if (result === 'delivered') return { status: 'delivered', nextAttemptAt: null };
  // It would break the contract at every attempt, and says nothing about the receiver.
  if (result === 'invalid_payload') return { status: 'failed', nextAttemptAt: null };
  const askedMs = retryAfter === undefined ? 0 : (retryAfterMs(retryAfter, realNowMs) ?? 0);
  const pause = askedMs > 0 ? pausedUntil(finishedAt, askedMs) : undefined;
  const next = notification.isTest
    ? undefined
    : nextNotificationAt(finishedAt, notification.attemptsMade + 1, random, pause);
  return {
    status: next === undefined ? 'failed' : 'pending',
    nextAttemptAt: next ?? null,
    pausedUntil: pause,
  };
}
