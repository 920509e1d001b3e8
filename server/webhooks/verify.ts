import { Webhook } from 'standardwebhooks';
import type { WebhookPayload } from '../../generated/types.ts';

export type { WebhookPayload };

/** Headers as Node, Express, Fastify, Lambda or the Fetch API hand them over; names in any letter case. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Why a request was not taken for a notification, and what to answer it with. */
const ANSWERS = {
  missing_header: 400,
  repeated_header: 400,
  malformed_timestamp: 400,
  too_old: 400,
  too_new: 400,
  no_matching_signature: 400,
  invalid_json: 400,
  invalid_payload: 400,
  // Genuine, and nothing that repeating it would change.
  unknown_event: 202,
  // The receiver's own faults: once they are mended, a repetition succeeds.
  misconfigured_secret: 500,
  body_not_raw: 500,
} as const;

export type WebhookVerificationReason = keyof typeof ANSWERS;

/** The request is not a notification that can be used: `reason` says why, and the message what to do about it. */
export class WebhookVerificationError extends Error {
  readonly reason: WebhookVerificationReason;
  /** The HTTP status to answer with, so that the service repeats what may succeed later, and nothing else is lost or repeated for days. */
  readonly status: number;

  constructor(reason: WebhookVerificationReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WebhookVerificationError';
    this.reason = reason;
    this.status = ANSWERS[reason];
  }
}

type Event = WebhookPayload['event'];
type PayloadOf<E extends Event> = Extract<WebhookPayload, { event: E }>;
type CommonField = keyof PayloadOf<'message.delivery'>;

const COMMON_FIELDS: Record<CommonField, true> = {
  account_id: true,
  custom_id: true,
  event: true,
  from_email: true,
  message_id: true,
  received_at: true,
  recipient_email: true,
};

const EXTRA_FIELDS: { [E in Event]: Record<Exclude<keyof PayloadOf<E>, CommonField>, true> } = {
  'message.delivery': {},
  'message.hard_bounce': {},
  'message.soft_bounce': {},
  'message.spam_complaint': {},
  'message.unsubscribe': { list_id: true },
  'message.open': { user_agent: true, user_ip: true },
  'message.click': { user_agent: true, user_ip: true, tracking_url_destination: true },
};

// What Standard Webhooks allows clocks to differ.
const TOLERANCE_SECONDS = 5 * 60;

/**
 * Checks that a request is a notification of the service, unchanged and recent, and returns its payload: one of seven, told
 * apart by `event`. Standard Webhooks 1.0 has the signature: HMAC-SHA256 of `id.timestamp.body`.
 *
 * ```ts
 * import { verifyWebhook, webhookId, WebhookVerificationError } from 'sendspec/webhooks';
 *
 * export async function receive(request: Request): Promise<Response> {
 *   try {
 *     const payload = verifyWebhook(request.headers, await request.text(), process.env.WEBHOOK_SECRET ?? '');
 *     if (payload.event === 'message.click') console.log(webhookId(request.headers), payload.tracking_url_destination);
 *     return new Response('ok');
 *   } catch (error) {
 *     if (error instanceof WebhookVerificationError) return new Response(error.message, { status: error.status });
 *     throw error;
 *   }
 * }
 * ```
 *
 * A notification may come twice: {@link webhookId} tells. An event that this version does not know is refused as `unknown_event`
 * only after its signature has proven right; answer it with a 2xx, as `status` says, or it is repeated for days.
 *
 * @param headers those of the request: Node's, a Fetch `Headers`, or a plain object.
 * @param body the raw body as it came, in bytes or text, before anything has parsed it.
 * @param secrets the `whsec_...` secret of the webhook; while it rotates, the old and the new one.
 * @throws {WebhookVerificationError} in every other case.
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer,
  secrets: string | readonly string[],
): WebhookPayload {
  const verifiers = verifiersOf(secrets);
  const signed = {
    'webhook-id': webhookId(headers),
    'webhook-timestamp': timestampOf(headers),
    'webhook-signature': headerOf(headers, 'webhook-signature', ' '),
  };
  const text = textOf(body);
  if (!verifiers.some((verifier) => matches(verifier, text, signed))) {
    throw mismatch(Number(signed['webhook-timestamp']));
  }
  return payloadOf(text);
}

/**
 * The `webhook-id` of a request: the same on every repetition of a notification, so that one that was dealt with can be
 * recognised. Trust it only after {@link verifyWebhook}.
 *
 * @throws {WebhookVerificationError} when there is none, or more than one.
 */
export function webhookId(headers: WebhookHeaders): string {
  return headerOf(headers, 'webhook-id');
}

function verifiersOf(secrets: string | readonly string[]): Webhook[] {
  const list: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  if (list.length === 0) throw misconfigured('No secret was given');
  return list.map((secret, index) => {
    const which = list.length === 1 ? 'The secret' : `Secret ${index + 1} of ${list.length}`;
    const trimmed = typeof secret === 'string' ? secret.trim() : '';
    if (trimmed === '') throw misconfigured(`${which} is empty`);
    if (!trimmed.startsWith('whsec_')) throw misconfigured(`${which} does not begin with whsec_`);
    try {
      return new Webhook(trimmed);
    } catch {
      throw misconfigured(`${which} is not whsec_ and a key in Base64`);
    }
  });
}

function misconfigured(what: string): WebhookVerificationError {
  const advice =
    'pass the secret that was shown when the webhook was created or its secret rotated, as it is.';
  return new WebhookVerificationError('misconfigured_secret', `${what}: ${advice}`);
}

/** A header's value. Several are joined where the header is a list; where they contradict each other they are refused. */
function headerOf(headers: WebhookHeaders, name: string, separator?: string): string {
  const values = valuesOf(headers, name).filter((value) => value !== '');
  if (values.length === 0) {
    throw new WebhookVerificationError(
      'missing_header',
      `The header ${name} is missing: the request is not from the service, or something in between has removed it.`,
    );
  }
  if (values.length > 1 && separator === undefined) {
    throw new WebhookVerificationError(
      'repeated_header',
      `The header ${name} came ${values.length} times: the service sends it once, so look at what stands in between.`,
    );
  }
  return values.join(separator);
}

function valuesOf(headers: WebhookHeaders, name: string): readonly string[] {
  if (typeof headers.get === 'function') {
    return [headers.get(name) ?? []].flat();
  }
  return Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? (value ?? []) : []));
}

function timestampOf(headers: WebhookHeaders): string {
  const timestamp = headerOf(headers, 'webhook-timestamp');
  if (/^\d{1,12}$/.test(timestamp)) return timestamp;
  throw new WebhookVerificationError(
    'malformed_timestamp',
    'The header webhook-timestamp is not a number of seconds since 1970: the request is not from the service.',
  );
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (!isBinary(body)) {
    throw new WebhookVerificationError(
      'body_not_raw',
      'The body is neither text nor bytes: pass the raw body, as it was before a parser made an object of it ' +
        '(express.raw({ type: "application/json" }), request.text()).',
    );
  }
  try {
    // A byte order mark is signed like every other character.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch (cause) {
    throw new WebhookVerificationError(
      'invalid_json',
      'The body is not UTF-8: it is not from the service, or was changed on its way.',
      { cause },
    );
  }
}

function isBinary(body: unknown): body is Uint8Array<ArrayBuffer> | ArrayBuffer {
  return typeof body === 'object' && body !== null && 'byteLength' in body;
}

function matches(verifier: Webhook, text: string, headers: Record<string, string>): boolean {
  try {
    verifier.verify(text, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

function mismatch(timestamp: number): WebhookVerificationError {
  const age = Math.floor(Date.now() / 1000) - timestamp;
  if (Math.abs(age) <= TOLERANCE_SECONDS) {
    return new WebhookVerificationError(
      'no_matching_signature',
      'No signature matches: check that the secret is this webhook’s own (after a rotation, pass the old and the new one), and ' +
        'that the body is passed as it came, byte for byte. Otherwise the request is not from the service.',
    );
  }
  const reason = age > 0 ? 'too_old' : 'too_new';
  const distance = `${Math.abs(age)} seconds in the ${age > 0 ? 'past' : 'future'}`;
  return new WebhookVerificationError(
    reason,
    `The request was signed ${distance}, more than ${TOLERANCE_SECONDS}: check the clock of this machine; if it is right, ` +
      'somebody replays an old request.',
  );
}

function payloadOf(text: string): WebhookPayload {
  const payload = parse(text);
  if (typeof payload !== 'object' || payload === null || !('event' in payload)) {
    throw invalidPayload('it is not an object with an event');
  }
  const { event } = payload;
  if (typeof event !== 'string') throw invalidPayload('its event is not a string');
  if (!isKnown(event)) {
    throw new WebhookVerificationError(
      'unknown_event',
      `The event ${JSON.stringify(event.slice(0, 100))} is not known to this version of sendspec: answer with a 2xx to let it pass, and update ` +
        'the package to use it.',
    );
  }
  if (!isPayload(event, payload)) throw invalidPayload(`a field of ${event} is missing, or not a string`);
  return payload;
}

function parse(text: string): unknown {
  try {
    // An own property of that name would turn into a prototype when somebody copies the payload.
    return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value));
  } catch (cause) {
    throw new WebhookVerificationError(
      'invalid_json',
      'The signature is right, yet the body is not JSON: tell those who run the service.',
      { cause },
    );
  }
}

function isKnown(event: string): event is Event {
  return Object.hasOwn(EXTRA_FIELDS, event);
}

function isPayload(event: Event, payload: object): payload is WebhookPayload {
  const fields = new Map(Object.entries(payload));
  const expected = [...Object.keys(COMMON_FIELDS), ...Object.keys(EXTRA_FIELDS[event])];
  return expected.every((field) => typeof fields.get(field) === 'string');
}

function invalidPayload(what: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'invalid_payload',
    `The signature is right, yet the body is no notification: ${what}. Tell those who run the service.`,
  );
}
