import { randomUUID } from 'node:crypto';
import type { components } from '../../generated/types.ts';
import { stamp } from './clock.ts';
import {
  known,
  type Message,
  type MessageEvent,
  type Notification,
  newId,
  newSecret,
  type Webhook,
  type World,
} from './state.ts';
import { variedJson } from './vary.ts';
import { send } from './webhook-sender.ts';

type WebhookEvent = components['schemas']['WebhookEvent'];
type Payload = Record<string, unknown>;

/** Everything that a webhook may be told of. */
export const WEBHOOK_EVENTS: readonly WebhookEvent[] = [
  'message.delivery',
  'message.hard_bounce',
  'message.soft_bounce',
  'message.spam_complaint',
  'message.unsubscribe',
  'message.open',
  'message.click',
];

/** A webhook that nobody has been told of yet; unsigned without a secret. */
export function newWebhook(
  world: World,
  account_id: string,
  { url, events, secret }: { url: string; events: readonly WebhookEvent[]; secret: string | null },
): Webhook {
  const now = world.clock.now();
  return {
    webhook_id: newId(),
    organisation_id: known(world.accounts.get(account_id)).organisation_id,
    account_id,
    url,
    events: [...events],
    status: 'enabled',
    secrets: secret === null ? [] : [{ value: secret, expires_at: null }],
    failing_since: null,
    paused_until: 0n,
    status_changes: [{ changed_at: now, status: 'enabled', reason: 'created' }],
    created_at: now,
    updated_at: now,
  };
}

/** A secret in the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${Buffer.from(newSecret(), 'base64url').toString('base64')}`;
}

/** Sends all events of an account to this URL from now on. */
export function registerByHook(world: World, account_id: string, url: string): void {
  const secret = world.webhookSecret;
  const webhook = newWebhook(world, account_id, { url, events: WEBHOOK_EVENTS, secret });
  const [before] = [...world.webhooks.values()].filter(
    (one) => one.account_id === account_id && one.secrets[0]?.value === secret,
  );
  if (before === undefined) world.webhooks.set(webhook.webhook_id, webhook);
  else before.url = url;
}

/** Tells the account's webhooks of an event. */
export function notify(world: World, message: Message, event: MessageEvent, destination = ''): void {
  const isAnnounced = event.type !== 'new' || world.has('webhooks.sent-for-new');
  if (!isAnnounced || isSwallowed(world, event)) return;
  const payload = payloadOf(world, message, event, destination);
  const name = WEBHOOK_EVENTS.find((one) => one === `message.${event.type}`) ?? 'message.delivery';
  const times = world.has('webhooks.sent-twice') ? 2 : 1;
  for (const webhook of webhooksFor(world, message)) {
    if (!isSubscribed(world, webhook, name)) continue;
    const isLost = webhook.status === 'disabled' && world.has('webhook-operations.disabled-loses');
    for (let time = isLost ? times : 0; time < times; time += 1)
      send(world, webhook, addNotification(world, webhook, { event: name, message, payload }));
  }
}

function isSubscribed(world: World, { events }: Webhook, event: WebhookEvent): boolean {
  return events.includes(event) || world.has('webhook-operations.events-ignored');
}

function webhooksFor(world: World, { account_id, organisation_id }: Message): Webhook[] {
  const all = [...world.webhooks.values(), ...world.formerWebhooks.values()];
  if (world.has('webhooks.to-any-account')) return all.slice(-1);
  if (world.has('webhooks.to-the-whole-organisation'))
    return all.filter((one) => one.organisation_id === organisation_id);
  return all.filter((one) => one.account_id === account_id);
}

function isSwallowed(world: World, { type }: MessageEvent): boolean {
  return world.has('webhooks.never-sent') || (type !== 'new' && world.has(`webhooks.not-for-${type}`));
}

/** Writes a notification into the log; it is due at once. */
export function addNotification(
  world: World,
  { webhook_id, organisation_id, account_id, status }: Webhook,
  { event, message, payload }: { event: WebhookEvent; message?: Message; payload: Payload },
): Notification {
  const now = world.clock.now();
  const sent = variedJson(world, payload);
  const isHeard = status === 'enabled' || world.has('webhook-operations.disabled-still-sent');
  const notification: Notification = {
    notification_id: newId(),
    organisation_id,
    webhook_id,
    account_id,
    event,
    message_id: message?.message_id ?? null,
    is_test: message === undefined,
    status: 'pending',
    created_at: now,
    next_attempt_at: isHeard || message === undefined ? now : null,
    body: JSON.stringify(world.has('webhooks.in-an-array') ? [sent] : sent),
    payload,
    attempts: [],
    tries: 0,
    is_being_sent: false,
    first_timestamp: undefined,
  };
  world.notifications.set(notification.notification_id, notification);
  return notification;
}

function payloadOf(world: World, message: Message, event: MessageEvent, destination: string): Payload {
  const { type, received_at, details } = event;
  const payload: Payload = {
    account_id: message.account_id,
    custom_id: world.has('webhooks.custom-id-wrong') ? `x${message.custom_id}` : message.custom_id,
    event: world.has('webhooks.event-without-prefix') ? type : `message.${type}`,
    from_email: message.from_email,
    message_id: world.has('webhooks.message-id-wrong') ? randomUUID() : message.message_id,
    received_at: stamp(received_at),
    recipient_email: world.has('webhooks.recipient-wrong') ? message.from_email : message.recipient_email,
  };
  if (type === 'unsubscribe' && !world.has('webhooks.list-id-missing')) payload.list_id = details.list_id;
  if (type === 'open' || type === 'click') {
    payload.user_agent = details.user_agent;
    if (!world.has('webhooks.user-ip-missing')) payload.user_ip = details.user_ip;
  }
  if (type === 'click' && !world.has('webhooks.destination-missing')) {
    payload.tracking_url_destination = world.has('webhooks.destination-is-tracking-link')
      ? `${world.webUrl}/c/x`
      : destination;
  }
  if (world.has('webhooks.received-at-is-a-number')) payload.received_at = Number(received_at / 1_000_000n);
  if (world.has('webhooks.custom-id-missing')) delete payload.custom_id;
  if (world.has('webhooks.custom-id-null')) payload.custom_id ||= null;
  if (world.has('webhooks.account-id-missing')) delete payload.account_id;
  if (world.has('webhooks.from-email-missing')) delete payload.from_email;
  if (world.has('webhooks.wrapped-in-data')) return { data: payload };
  return payload;
}

const VISIT = { user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Test/1.0', user_ip: '203.0.113.24' };

/** What a test tells: an event of a message that does not exist. */
export function testPayload(world: World, { account_id }: Webhook, event: WebhookEvent): Payload {
  return {
    account_id,
    custom_id: world.has('webhook-operations.test-without-mark') ? '' : 'test',
    event,
    from_email: 'sender@example.com',
    message_id: newId(),
    received_at: stamp(world.clock.now()),
    recipient_email: world.has('webhook-operations.test-names-others')
      ? 'recipient@another-server.test'
      : 'recipient@example.com',
    ...(event === 'message.unsubscribe' ? { list_id: 'news.example.com' } : {}),
    ...(event === 'message.open' || event === 'message.click' ? VISIT : {}),
    ...(event === 'message.click' ? { tracking_url_destination: 'https://www.example.com/' } : {}),
  };
}
