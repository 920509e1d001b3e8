import type { Generated } from 'kysely';
import type { Timestamp } from '../domain/time.ts';
import type {
  WebhookAttempt,
  WebhookDeliveryStatus,
  WebhookEvent,
  WebhookStatus,
  WebhookStatusChange,
} from '../domain/webhooks.ts';
import type { Json, OrganisationId } from './column-types.ts';

/** What signs the requests of a webhook; the one without an end is the current one. */
export interface WebhookSecretEntry {
  secret: string;
  expires_at: Timestamp | null;
}

export interface WebhooksTable {
  webhook_id: string;
  organisation_id: OrganisationId;
  account_id: string;
  url: string;
  events: WebhookEvent[];
  status: WebhookStatus;
  /** Newest first. */
  secrets: Json<WebhookSecretEntry[]>;
  /** Newest first. */
  status_changes: Json<WebhookStatusChange[]>;
  /** When the first attempt failed after which none has succeeded. */
  failing_since: Timestamp | null;
  /** The receiver has asked for nothing before this moment. */
  paused_until: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  deleted_at: Timestamp | null;
}

export interface WebhookDeliveriesTable {
  /** The order in which events were recorded. */
  sequence: Generated<number>;
  webhook_id: string;
  organisation_id: OrganisationId;
  /** The id of the event, the same for every webhook. */
  notification_id: string;
  event: WebhookEvent;
  /** Null for a test. */
  message_id: string | null;
  /** The body as it is sent. */
  payload: string;
  status: WebhookDeliveryStatus;
  /** Since it was made, or replayed. */
  attempts_made: number;
  /** A process that sends it moves this moment on, so that another one takes over should it die. */
  next_attempt_at: Timestamp | null;
  /** Since when a process sends it; null when none does, or when it was replayed meanwhile. */
  taken_at: Timestamp | null;
  replayed_at: Timestamp | null;
  /** Newest first. */
  attempts: Json<WebhookAttempt[]>;
  /** When the last attempt was recorded. */
  recorded_at: Timestamp | null;
  created_at: Timestamp;
}
