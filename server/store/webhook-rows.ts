import type { Period } from '../domain/periods.ts';
import type { Timestamp } from '../domain/time.ts';
import type {
  WebhookAttempt,
  WebhookDeliveryStatus,
  WebhookEvent,
  WebhookStatus,
  WebhookStatusChange,
} from '../domain/webhooks.ts';

/** A webhook as its account sees it. */
export interface WebhookRow {
  webhook_id: string;
  account_id: string;
  url: string;
  events: WebhookEvent[];
  status: WebhookStatus;
  failing_since: Timestamp | null;
  status_changes: WebhookStatusChange[];
  created_at: Timestamp;
  updated_at: Timestamp;
}

export type CreatedWebhookRow = WebhookRow & { secret: string };

/** What may be changed; what is undefined stays. */
export interface WebhookChange {
  url?: string | undefined;
  events?: WebhookEvent[] | undefined;
  status?: WebhookStatus | undefined;
}

export interface WebhookSecretRow {
  webhook_id: string;
  secret: string;
  previous_secrets_expire_at: Timestamp | null;
}

/** An entry of the delivery log; `payload` is the body as it is sent. */
export interface WebhookDeliveryRow {
  notification_id: string;
  webhook_id: string;
  account_id: string;
  event: WebhookEvent;
  message_id: string | null;
  is_test: boolean;
  status: WebhookDeliveryStatus;
  created_at: Timestamp;
  next_attempt_at: Timestamp | null;
  payload: string;
  attempts: WebhookAttempt[];
}

export interface WebhookDeliveryFilter {
  period?: Period | undefined;
  statuses?: WebhookDeliveryStatus[] | undefined;
  events?: WebhookEvent[] | undefined;
  notification_id?: string | undefined;
  message_id?: string | undefined;
}

/** What is to be sent again: one notification, or those of a period that stand so. */
export type WebhookReplaySelection =
  | { notificationId: string }
  | { period: Period; statuses: readonly WebhookDeliveryStatus[] };

/** A notification that a dispatcher has taken, and what it needs to send it. */
export interface DueNotification {
  sequence: number;
  webhookId: string;
  accountId: string;
  notificationId: string;
  event: WebhookEvent;
  isTest: boolean;
  /** The body, to be sent as it is. */
  payload: string;
  url: string;
  /** Those that are valid now, the newest first. */
  secrets: string[];
  /** When it was taken: what comes of the attempt is recorded with it. */
  takenAt: Timestamp;
  /** Attempts since it was made, or replayed. */
  attemptsMade: number;
  failingSince: Timestamp | null;
}

/** A notification that a dispatcher holds: which, and when it was taken. */
export type HeldNotification = Pick<DueNotification, 'sequence' | 'takenAt'>;

/** How many more notifications a dispatcher takes for a webhook. */
export interface WebhookRoom {
  webhookId: string;
  room: number;
}

/** What came of an attempt, and what follows. */
export interface NotificationOutcome {
  sequence: number;
  webhookId: string;
  /** That of the notification as it was taken: a failure has no say in what was replayed, or taken over by others, meanwhile. */
  takenAt: Timestamp;
  attempt: WebhookAttempt;
  status: WebhookDeliveryStatus;
  nextAttemptAt: Timestamp | null;
  isTest: boolean;
  /** The receiver wants nothing before this moment. */
  pausedUntil?: Timestamp | undefined;
}

/** A webhook that an attempt has disabled, or enabled. */
export interface StatusChange {
  webhookId: string;
  accountId: string;
  status: WebhookStatus;
  reason: WebhookStatusChange['reason'];
}

/** A place in the order in which attempts are recorded. */
export interface AttemptCursor {
  recorded_at: Timestamp;
  /** Of the notification. */
  sequence: number;
}

/** An attempt as an operator watches it. */
export interface WatchedAttempt extends AttemptCursor {
  organisation: string;
  account_id: string;
  account_name: string;
  webhook_id: string;
  notification_id: string;
  event: WebhookEvent;
  status: WebhookDeliveryStatus;
  attempt: WebhookAttempt;
}
