import { createHmac, randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { DAY, type Micros, SECOND } from './clock.ts';
import type { Notification, Webhook, World } from './state.ts';

// A webhook request: what it says, how it is signed, by which client it is sent, and what was answered.

const TIMEOUT_MS = 15_000;
const IMPATIENT_MS = 500;
const LONGEST_PAUSE: Micros = DAY;
const LONGEST_SHOWN = 1000;
const TEMPORARY_REDIRECT = 307;

/** The answer of a receiver; no status when there was none. */
export interface Reply {
  status_code: number | null;
  response: string;
  retryAfter: Micros;
}

interface Outgoing {
  method: string;
  headers: Record<string, string>;
  body: string;
}
interface Incoming {
  status: number;
  body: string;
  header(name: string): string | undefined;
}
type Client = (url: string, outgoing: Outgoing, signal: AbortSignal) => Promise<Incoming>;

/** Where the next attempt goes. */
export function urlOf(world: World, webhook: Webhook, { attempts }: Notification): string {
  const first = attempts[0]?.url ?? webhook.url;
  return world.has('webhook-operations.waiting-go-to-old-url') ? first : webhook.url;
}

/** Sends a notification once. Never throws: no answer is an answer too. */
export async function post(world: World, webhook: Webhook, notification: Notification): Promise<Reply> {
  const signal = AbortSignal.any([
    world.stopped,
    AbortSignal.timeout(world.has('webhooks.impatient') ? IMPATIENT_MS : TIMEOUT_MS),
  ]);
  const url = urlOf(world, webhook, notification);
  const outgoing = outgoingFor(world, webhook, notification);
  const client = world.varies('webhooks-of-another-client') ? byAnotherClient : byFetch;
  const answers = Array.from({ length: isSentTwice(world, notification) ? 2 : 1 }, () =>
    client(url, outgoing, signal).then(async (answer) => {
      const elsewhere = redirection(world, url, answer);
      if (elsewhere !== undefined) await client(elsewhere, outgoing, signal);
      return answer;
    }),
  );
  const [first = Promise.reject(new TypeError('One request is made at least.'))] = answers;
  const replies = await Promise.allSettled([first, ...answers.slice(1)]);
  const [reply] = replies;
  return reply.status === 'fulfilled' ? replyOf(reply.value) : noReply(reply.reason);
}

/** What promises to send at least once may do so twice: here one in three, told by its id. */
function isSentTwice(world: World, { notification_id: id }: Notification): boolean {
  return world.varies('webhooks-twice') && Number.parseInt(id.slice(0, 4), 16) % 3 === 0;
}

function replyOf({ status, body, header }: Incoming): Reply {
  const asked = BigInt(Number(header('retry-after') ?? 0) || 0) * SECOND;
  return {
    status_code: status,
    response: body.slice(0, LONGEST_SHOWN),
    retryAfter: asked > LONGEST_PAUSE ? LONGEST_PAUSE : asked,
  };
}

function noReply(reason: unknown): Reply {
  return { status_code: null, response: String(reason), retryAfter: 0n };
}

const byFetch: Client = async (url, outgoing, signal) => {
  const answer = await fetch(url, { ...outgoing, redirect: 'manual', signal });
  return {
    status: answer.status,
    body: await answer.text(),
    header: (name) => answer.headers.get(name) ?? undefined,
  };
};

/** As the HTTP clients of other languages do it. */
const byAnotherClient: Client = (url, { method, headers, body }, signal) =>
  new Promise((resolve, reject) => {
    const shouting = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
    const offer = {
      Connection: 'Upgrade, HTTP2-Settings',
      Upgrade: 'h2c',
      'HTTP2-Settings': 'AAEAAEAAAAIAAAAA',
    };
    const options = { method, signal, agent: false, headers: { ...Object.fromEntries(shouting), ...offer } };
    const outgoing = httpRequest(url, options, (incoming) => {
      const { statusCode: status = 0, headers: received } = incoming;
      const header = (name: string) => [received[name]].flat()[0];
      text(incoming).then((content) => resolve({ status, body: content, header }), reject);
    });
    outgoing.once('error', (error) => reject(signal.aborted ? signal.reason : error));
    // Written in two parts, it goes out in chunks.
    outgoing.write(body.slice(0, 1));
    outgoing.end(body.slice(1));
  });

/** Where to a redirect is followed, as it should not be. */
function redirection(world: World, url: string, { status, header }: Incoming): string | undefined {
  const location = header('location');
  const isFollowed = status === TEMPORARY_REDIRECT && world.has('webhooks.redirect-followed');
  return isFollowed && location !== undefined ? new URL(location, url).href : undefined;
}

function outgoingFor(world: World, webhook: Webhook, notification: Notification): Outgoing {
  const isRepeat = notification.attempts.length > 0;
  const compact = isRepeat && world.has('webhooks.retry-loses-body') ? '{}' : notification.body;
  const contentType = world.has('webhooks.content-type-wrong')
    ? 'application/x-www-form-urlencoded'
    : 'application/json';
  return {
    method: world.has('webhooks.put') ? 'PUT' : 'POST',
    headers: { 'content-type': contentType, ...signatureHeaders(world, webhook, notification, compact) },
    body: world.has('webhooks.signature-of-another-form')
      ? JSON.stringify(JSON.parse(compact), undefined, 2)
      : compact,
  };
}

function idOf(world: World, webhook: Webhook, notification: Notification): string {
  const { notification_id, message_id, attempts } = notification;
  if (attempts.length > 0 && world.has('webhooks.new-id-on-retry')) return randomUUID();
  if (world.has('webhooks.id-of-the-message')) return message_id ?? notification_id;
  const isOfHook = webhook.secrets[0]?.value === world.webhookSecret;
  return world.varies('webhook-ids-of-its-own') && isOfHook
    ? `msg_${notification_id.replaceAll('-', '')}`
    : notification_id;
}

/** The headers of Standard Webhooks. The time is that of the receiver's clock, not the one that can be moved. */
function signatureHeaders(
  world: World,
  webhook: Webhook,
  notification: Notification,
  body: string,
): Record<string, string> {
  if (webhook.secrets.length === 0) return {};
  const id = idOf(world, webhook, notification);
  const now = timestampNow(world);
  notification.first_timestamp ??= now;
  const first = notification.first_timestamp;
  const timestamp = world.has('webhooks.timestamp-of-the-first-attempt') ? first : now;
  const named = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (world.has('webhooks.signature-missing')) return named;
  const moment = world.has('webhooks.repetition-signed-as-before') ? first : timestamp;
  const signed = world.has('webhooks.signature-of-body-only') ? body : `${id}.${moment}.${body}`;
  const signatures = validSecrets(world, webhook).map(
    (secret) => `v1,${signatureUnder(world, secret, signed)}`,
  );
  return { ...named, 'webhook-signature': signatures.join(' ') };
}

function timestampNow(world: World): string {
  const age = world.has('webhooks.timestamp-stale') ? 3_600_000 : 0;
  const milliseconds = Date.now() - age;
  return String(
    world.has('webhooks.timestamp-in-milliseconds') ? milliseconds : Math.floor(milliseconds / 1000),
  );
}

function signatureUnder(world: World, secret: string, signed: string): string {
  if (world.has('webhooks.signature-wrong')) return Buffer.alloc(32).toString('base64');
  const key = world.has('webhooks.signed-with-the-text')
    ? Buffer.from(secret)
    : Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(signed).digest('base64');
}

/** The secrets that sign now, newest first. */
export function validSecrets(world: World, { secrets }: Webhook): string[] {
  const now = world.clock.now();
  const isOver = (expires_at: Micros | null) =>
    expires_at !== null && expires_at <= now && !world.has('webhook-operations.old-secret-never-ends');
  return secrets.filter(({ expires_at }) => !isOver(expires_at)).map(({ value }) => value);
}
