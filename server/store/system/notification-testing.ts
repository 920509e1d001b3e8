import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { plusMilliseconds } from '../../domain/time.ts';
import { WEBHOOK_EVENTS, type WebhookDeliveryStatus, type WebhookEvent } from '../../domain/webhooks.ts';
import {
  acceptAll,
  createTenant,
  openTestStore,
  type TestStore,
  type TestTenant,
  testMessage,
} from '../testing.ts';
import type { DueNotification, NotificationOutcome } from '../webhook-rows.ts';

// For tests of what no request can reach: what a dispatcher takes, and what it records.

export const HOOK_URL = 'https://shop.customer.test/hooks';
export const MINUTE = 60_000;

const page = { limit: 100, offset: 0 };
let parts: TestStore;
let tenant: TestTenant;

/** Gives each test of the file a tenant, and a log without notifications. */
export function openNotifications(): void {
  beforeAll(async () => {
    parts = await openTestStore();
  });
  afterAll(() => parts.close());
  beforeEach(async () => {
    await sql`delete from webhook_deliveries`.execute(parts.database.db);
    await sql`delete from webhooks`.execute(parts.database.db);
    // The next look begins at the beginning, wherever the last test has left off.
    await look();
    tenant = await createTenant(parts.store, `n${randomUUIDv7()}.test`);
  });
}

export const opened = () => parts;
export const tenantOf = () => tenant;
export const account = () => tenant.account.account_id;
export const webhooks = () => tenant.store.webhooks;

export async function hook(events: WebhookEvent[] = [...WEBHOOK_EVENTS]): Promise<string> {
  return (await webhooks().create(account(), { url: HOOK_URL, events })).webhook_id;
}

export async function message(): Promise<string> {
  const from = { email: `hello@${tenant.domain.name}`, name: null };
  const [id = ''] = await acceptAll(tenant, [testMessage({ from })]);
  return id;
}

/** Records events of a message, and so writes notifications of them. */
export async function happen(messageId: string, ...types: ('delivery' | 'spam_complaint')[]): Promise<void> {
  for (const type of types) {
    const event = { eventId: randomUUIDv7(), messageId, receivedAt: parts.clock.now() };
    await parts.store.delivery.recordEvents([
      type === 'delivery'
        ? { ...event, type, smtpResponse: '250 OK', smtpLogId: randomUUIDv7() }
        : { ...event, type },
    ]);
  }
}

/** How much is taken: 100 of everything, where nothing else is said. */
export interface Taking {
  limit?: number;
  rooms?: Record<string, number>;
  others?: number;
  failing?: number;
}

/** One look of a dispatcher. */
export const look = (request: Taking = {}) =>
  parts.store.notifications.take({
    limit: request.limit ?? 100,
    rooms: Object.entries(request.rooms ?? {}).map(([webhookId, room]) => ({ webhookId, room })),
    roomOfOthers: request.others ?? 100,
    roomOfFailing: request.failing ?? 100,
    heldUntil: plusMilliseconds(parts.clock.now(), MINUTE),
  });
export const take = async (request?: Taking) => (await look(request)).taken;
export const release = (dues: DueNotification[]) => parts.store.notifications.release(dues);
export const record = (...outcomes: NotificationOutcome[]) => parts.store.notifications.record(outcomes);
export const log = async (webhookId: string) =>
  (await webhooks().listDeliveries(account(), webhookId, {}, page)).rows;
export const replay = (webhookId: string, notificationId: string) =>
  webhooks().replay(account(), webhookId, { notificationId });

export function outcomeOf(
  due: DueNotification,
  status: WebhookDeliveryStatus,
  change: Partial<NotificationOutcome> = {},
): NotificationOutcome {
  const isDelivered = status === 'delivered';
  return {
    sequence: due.sequence,
    webhookId: due.webhookId,
    takenAt: due.takenAt,
    isTest: due.isTest,
    status,
    nextAttemptAt: status === 'pending' ? plusMilliseconds(parts.clock.now(), 5 * MINUTE) : null,
    attempt: {
      attempted_at: parts.clock.now(),
      url: due.url,
      duration_ms: 10,
      status_code: isDelivered ? 200 : 500,
      result: isDelivered ? 'delivered' : 'rejected',
      response: '',
    },
    ...change,
  };
}

/** The same with an answer that says that the endpoint is gone. */
export function goneOf(due: DueNotification, status: WebhookDeliveryStatus): NotificationOutcome {
  const outcome = outcomeOf(due, status);
  return { ...outcome, attempt: { ...outcome.attempt, result: 'gone', status_code: 410 } };
}
