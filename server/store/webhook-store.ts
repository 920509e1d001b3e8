import type { Timestamp } from '../domain/time.ts';
import type { WebhookEvent } from '../domain/webhooks.ts';
import type { Page, PageRequest } from './rows.ts';
import type {
  AttemptCursor,
  CreatedWebhookRow,
  DueNotification,
  HeldNotification,
  NotificationOutcome,
  StatusChange,
  WatchedAttempt,
  WebhookChange,
  WebhookDeliveryFilter,
  WebhookDeliveryRow,
  WebhookReplaySelection,
  WebhookRoom,
  WebhookRow,
  WebhookSecretRow,
} from './webhook-rows.ts';

// Errors are those of store.ts.

/** A webhook of another account of the organisation is WEBHOOK_NOT_FOUND. */
export interface WebhookStore {
  /** WEBHOOK_LIMIT_REACHED when the account has as many as it may. */
  create(accountId: string, webhook: { url: string; events: WebhookEvent[] }): Promise<CreatedWebhookRow>;
  get(accountId: string, webhookId: string): Promise<WebhookRow>;
  /** Enabling gives up what has waited for longer than five days. */
  update(accountId: string, webhookId: string, change: WebhookChange): Promise<WebhookRow>;
  /** Nothing more is sent; its log goes later, in steps. */
  delete(accountId: string, webhookId: string): Promise<WebhookRow>;
  list(accountId: string, page: PageRequest): Promise<Page<WebhookRow>>;
  /** SECRET_ROTATED_RECENTLY when as many secrets are valid as may be; with an overlap of 0 the old ones end at once. */
  rotateSecret(accountId: string, webhookId: string, overlapSeconds: number): Promise<WebhookSecretRow>;
  /** Makes a test of this event; a dispatcher sends it, once. */
  test(accountId: string, webhookId: string, event: WebhookEvent): Promise<WebhookDeliveryRow>;
  /** Newest first. */
  listDeliveries(
    accountId: string,
    webhookId: string,
    filter: WebhookDeliveryFilter,
    page: PageRequest,
  ): Promise<Page<WebhookDeliveryRow>>;
  /** NOTIFICATION_NOT_FOUND, WEBHOOK_DISABLED. At most 10,000 at a time, the oldest first. */
  replay(
    accountId: string,
    webhookId: string,
    selection: WebhookReplaySelection,
  ): Promise<{ replayed: number; remaining: number }>;
}

/** What the dispatchers of notifications need, across organisations. */
export interface NotificationStore {
  /**
   * Takes due notifications of enabled webhooks, and due tests: `limit` in all, for each webhook as many as `rooms` says, or
   * `roomOfOthers`, or `roomOfFailing` where the last that was heard is a failure. The first attempts of one message's notifications come in the
   * order of its events. What was taken is due again at `heldUntil`, unless it is recorded or released before: this process may die.
   * Each call looks at those of `rooms` with room, and at some of all other webhooks: `mayBeMore` until all of them were looked at.
   */
  take(request: {
    limit: number;
    rooms: readonly WebhookRoom[];
    roomOfOthers: number;
    roomOfFailing: number;
    heldUntil: Timestamp;
  }): Promise<{ taken: DueNotification[]; mayBeMore: boolean }>;
  /**
   * In one transaction: attempts, what follows from them for the notifications, and the state of their webhooks. Returns which webhooks
   * that has disabled or enabled.
   */
  record(outcomes: readonly NotificationOutcome[]): Promise<StatusChange[]>;
  /** Gives back what was taken and not tried; what is recorded, or was taken over by others, stays as it is. */
  release(held: readonly HeldNotification[]): Promise<void>;
  /** Due now, waiting for later, and held back as the webhook is disabled or paused. */
  depth(): Promise<{ ready: number; waiting: number; held: number }>;
  /** The last attempts of notifications, in the order in which they were recorded, from behind the cursor; of one account, if it is named. */
  attemptsSince(cursor: AttemptCursor, limit: number, accountId?: string): Promise<WatchedAttempt[]>;
}
