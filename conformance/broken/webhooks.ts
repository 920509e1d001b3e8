import { createHmac, randomUUID } from 'node:crypto';
import { stamp } from './clock.ts';
import type { Message, MessageEvent, World } from './state.ts';
import { variedJson } from './vary.ts';

const FIRST_RETRY_MS = 100;
const MOST_ATTEMPTS = 8;
const TIMEOUT_MS = 15_000;
const GONE = 410;
/** What was still to be told of a message, so that its events arrive in order. */
const queues = new WeakMap<Message, Promise<void>>();

/** Tells the account's webhook of an event, after what came before it for the same message. */
export function notify(world: World, message: Message, event: MessageEvent, destination = ''): void {
  const url = urlFor(world, message);
  const isAnnounced = event.type !== 'new' || world.has('webhooks.sent-for-new');
  if (url === undefined || !isAnnounced || isSwallowed(world, event)) return;
  const payload = payloadOf(world, message, event, destination);
  const times = world.has('webhooks.sent-twice') ? 2 : 1;
  for (let time = 0; time < times; time += 1) {
    const before =
      queues.get(message) ?? wait(world, world.varies('webhooks-shuffled') ? Math.random() * 80 : 0);
    queues.set(
      message,
      before.then(() => deliver(world, message, url, payload)),
    );
  }
}

function urlFor(world: World, { account_id }: Message): string | undefined {
  if (world.has('webhooks.to-any-account')) return [...world.webhookUrls.values()].at(-1);
  return world.webhookUrls.get(account_id);
}

function isSwallowed(world: World, { type }: MessageEvent): boolean {
  return world.has('webhooks.never-sent') || (type !== 'new' && world.has(`webhooks.not-for-${type}`));
}

function payloadOf(
  world: World,
  message: Message,
  event: MessageEvent,
  destination: string,
): Record<string, unknown> {
  const { type, received_at, details } = event;
  const payload: Record<string, unknown> = {
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
  if (world.has('webhooks.account-id-missing')) delete payload.account_id;
  if (world.has('webhooks.from-email-missing')) delete payload.from_email;
  if (world.has('webhooks.wrapped-in-data')) return { data: payload };
  return payload;
}

/** Repeats the request until it is answered with a 2xx. */
async function deliver(
  world: World,
  message: Message,
  url: string,
  payload: Record<string, unknown>,
): Promise<void> {
  const body = JSON.stringify(world.has('webhooks.in-an-array') ? [payload] : variedJson(world, payload));
  const id = `msg_${randomUUID()}`;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    if (attempt > 0) await wait(world, FIRST_RETRY_MS * 2 ** (attempt - 1));
    if (world.stopped.aborted || world.webhookUrls.get(message.account_id) === undefined) return;
    const attemptId = world.has('webhooks.new-id-on-retry') ? `msg_${randomUUID()}` : id;
    const isRepeatChanged = attempt > 0 && world.has('webhooks.retry-loses-body');
    const status = await post(world, url, attemptId, isRepeatChanged ? '{}' : body);
    if (status >= 200 && status < 300) return;
    if (status === GONE) world.webhookUrls.delete(message.account_id);
    if (world.has('webhooks.not-retried')) return;
    if (world.has('webhooks.redirect-is-success') && status >= 300 && status < 400) return;
  }
}

/** The status of the answer, 0 when there was none. */
async function post(world: World, url: string, id: string, body: string): Promise<number> {
  const signal = AbortSignal.any([world.stopped, AbortSignal.timeout(TIMEOUT_MS)]);
  const contentType = world.has('webhooks.content-type-wrong')
    ? 'application/x-www-form-urlencoded'
    : 'application/json';
  const request = {
    method: world.has('webhooks.put') ? 'PUT' : 'POST',
    headers: { 'content-type': contentType, ...signatureHeaders(world, id, body) },
    body,
    redirect: 'manual',
    signal,
  } as const;
  return await fetch(url, request).then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    () => 0,
  );
}

/** The headers of Standard Webhooks. The time is that of the receiver's clock, not the one that can be moved. */
function signatureHeaders(world: World, id: string, body: string): Record<string, string> {
  if (world.webhookSecret === null) return {};
  const age = world.has('webhooks.timestamp-stale') ? 3600 : 0;
  const timestamp = String(Math.floor(Date.now() / 1000) - age);
  const key = Buffer.from(world.webhookSecret.replace(/^whsec_/, ''), 'base64');
  const signed = world.has('webhooks.signature-of-body-only') ? body : `${id}.${timestamp}.${body}`;
  const right = createHmac('sha256', key).update(signed).digest('base64');
  const signature = world.has('webhooks.signature-wrong') ? Buffer.alloc(32).toString('base64') : right;
  if (world.has('webhooks.signature-missing')) return { 'webhook-id': id, 'webhook-timestamp': timestamp };
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

function wait(world: World, milliseconds: number): Promise<void> {
  return new Promise((resolve) => world.later(milliseconds, resolve));
}
