import { cutValue } from '../contract/field-errors.ts';
import { ApiError } from '../domain/errors.ts';
import { optionalPeriod, resolvePeriod } from '../domain/periods.ts';
import type { Clock } from '../domain/time.ts';
import { faultOfWebhookUrl } from '../domain/webhook-url.ts';
import {
  WEBHOOK_EVENTS,
  type WebhookDeliveryStatus,
  type WebhookEvent,
  type WebhookPayload,
} from '../domain/webhooks.ts';
import type { WebhookDeliveryRow, WebhookReplaySelection } from '../store/webhook-rows.ts';
import { created, given, listed, ok } from './replies.ts';
import type { HandlersOf } from './tags.ts';

/** What decides where webhooks may lead. */
export interface WebhookRules {
  clock: Clock;
  /** Whether private addresses, and plain HTTP, are taken. */
  webhookAllowPrivate: boolean;
}

/** The operations of the tag Webhooks. */
export function webhookHandlers({ clock, webhookAllowPrivate }: WebhookRules): HandlersOf<'Webhooks'> {
  const callable = (url: string) => requireCallable(url, webhookAllowPrivate);
  return {
    createWebhook: async ({ path, body, caller }) => {
      const webhook = { url: callable(body.url), events: inOrder(body.events ?? WEBHOOK_EVENTS) };
      return created(await caller.store.webhooks.create(path.account_id, webhook));
    },

    getWebhook: async ({ path, caller }) =>
      ok(await caller.store.webhooks.get(path.account_id, path.webhook_id)),

    updateWebhook: async ({ path, body, caller }) => {
      const [url, events, status] = [given(body.url), given(body.events), given(body.status)];
      const change = {
        url: url === undefined ? undefined : callable(url),
        events: events === undefined ? undefined : inOrder(events),
        status,
      };
      return ok(await caller.store.webhooks.update(path.account_id, path.webhook_id, change));
    },

    deleteWebhook: async ({ path, caller }) =>
      ok(await caller.store.webhooks.delete(path.account_id, path.webhook_id)),

    listWebhooks: async ({ path, query, caller }) =>
      listed(await caller.store.webhooks.list(path.account_id, query), query),

    rotateWebhookSecret: async ({ path, body, caller }) =>
      ok(await caller.store.webhooks.rotateSecret(path.account_id, path.webhook_id, body.overlap_seconds)),

    testWebhook: async ({ path, body, caller }) =>
      ok(entryOf(await caller.store.webhooks.test(path.account_id, path.webhook_id, body.event))),

    listWebhookDeliveries: async ({ path, query, caller }) => {
      const filter = {
        period: optionalPeriod(query, clock),
        statuses: query['statuses[]'],
        events: query['events[]'],
        notification_id: query.notification_id,
        message_id: query.message_id,
      };
      const { account_id, webhook_id } = path;
      const { rows, total } = await caller.store.webhooks.listDeliveries(
        account_id,
        webhook_id,
        filter,
        query,
      );
      return listed({ rows: rows.map(entryOf), total }, query);
    },

    replayWebhook: async ({ path, body, caller }) =>
      ok(await caller.store.webhooks.replay(path.account_id, path.webhook_id, selectionOf(body, clock))),
  };
}

/** Each event once, in the order of the contract. */
function inOrder(events: readonly WebhookEvent[]): WebhookEvent[] {
  return WEBHOOK_EVENTS.filter((event) => events.includes(event));
}

/** The URL, when webhooks may lead there. Throws VALIDATION_ERROR. */
export function requireCallable(url: string, allowPrivate: boolean): string {
  const fault = faultOfWebhookUrl(url, allowPrivate);
  if (fault === undefined) return url;
  const { description, shown } = fault;
  throw new ApiError('VALIDATION_ERROR', description, [
    { field: 'url', value: cutValue(shown), errors: [{ code: 'URL', description }] },
  ]);
}

function entryOf({ payload, ...row }: WebhookDeliveryRow) {
  const body: WebhookPayload = JSON.parse(payload);
  return { ...row, payload: body };
}

interface Replay {
  notification_id?: string | null | undefined;
  period_from?: string | null | undefined;
  period_to?: string | null | undefined;
  statuses?: WebhookDeliveryStatus[] | null | undefined;
}

function selectionOf(body: Replay, clock: Clock): WebhookReplaySelection {
  if (typeof body.notification_id === 'string') return { notificationId: body.notification_id };
  const ends = { period_from: given(body.period_from), period_to: given(body.period_to) };
  return { period: resolvePeriod(ends, clock), statuses: body.statuses ?? ['failed'] };
}
