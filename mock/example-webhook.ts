import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { ContractDocument } from '../server/contract/document.ts';
import { readVersion } from '../server/version.ts';
import { documentedOperations, notificationExamples, readBundle } from './document.ts';
import { valueAt } from './json.ts';

/** Which example is sent where. */
export interface ExampleWebhookOptions {
  /** The address of the receiver. */
  url: string;
  /** `whsec_` and the Base64 form of 24 to 64 bytes; by default the secret that the mock shows when an endpoint is created. */
  secret?: string;
}

/** A notification that was sent, and what its receiver answered. */
export interface SentWebhook {
  /** `webhook-id` */
  id: string;
  payload: unknown;
  secret: string;
  /** The status of the answer. */
  status: number;
  /** The beginning of the body of the answer. */
  body: string;
}

/** A notification that cannot be sent: what is wrong, and what to do. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

const TIMEOUT_MS = 15_000;
const MOST_SHOWN = 2_000;
// Node's words for TLS certificates that it does not trust, from OpenSSL and its own.
const CERTIFICATE = /certificate/i;
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const LEAST_SECRET_BYTES = 24;
const MOST_SECRET_BYTES = 64;

/** The events whose notifications can be sent. */
export function webhookEvents(): string[] {
  return [...notificationExamples(readDocument()).keys()];
}

/**
 * Posts the contract's example of a notification, signed as the service signs (Standard Webhooks 1.0.0), once and without retries.
 * @throws WebhookError for an unknown event, an address that is none, a malformed secret, and a receiver that does not answer.
 */
export async function sendExampleWebhook(
  event: string,
  options: ExampleWebhookOptions,
): Promise<SentWebhook> {
  const document = readDocument();
  const examples = notificationExamples(document);
  const [example] = examples.get(event) ?? [];
  if (example === undefined) {
    throw new WebhookError(`There is no event ${event}. The events are ${[...examples.keys()].join(', ')}.`);
  }
  const url = readUrl(options.url);
  const secret = checkedSecret(options.secret ?? exampleSecret(document));
  const id = randomUUID();
  const payload = JSON.stringify(example.value);
  const now = new Date();
  const headers = {
    'content-type': 'application/json',
    'user-agent': `sendspec/${await readVersion()}`,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, payload),
  };
  const { status, body } = await post(url, headers, payload);
  return { id, payload: example.value, secret, status, body };
}

async function post(
  url: URL,
  headers: Record<string, string>,
  body: string,
): Promise<{ status: number; body: string }> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    // The service does not follow redirects either.
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    return { status: response.status, body: await beginningOf(response) };
  } catch (error) {
    throw new WebhookError(explained(url, error), { cause: error });
  }
}

function explained({ href }: URL, error: unknown): string {
  const reason = reasonOf(error);
  if (CERTIFICATE.test(reason)) {
    return `${href} has a certificate that is not trusted here (${reason}). Name the authority that vouches for it: NODE_EXTRA_CA_CERTS=ca.pem`;
  }
  return `Nobody answers at ${href} (${reason}). Is the receiver running, and is this its address?`;
}

/** A receiver may answer without end; what is shown is short. */
async function beginningOf({ body }: Response): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    if (text.length >= MOST_SHOWN) break;
  }
  return text.slice(0, MOST_SHOWN);
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && url.username + url.password !== '') {
    throw new WebhookError("The address must not hold a user name or a password: no webhook's may.");
  }
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new WebhookError(`${text} is no address to post to. Give one such as http://127.0.0.1:3000/hooks.`);
}

function checkedSecret(secret: string): string {
  const [, encoded = ''] = SECRET.exec(secret) ?? [];
  const { length } = Buffer.from(encoded, 'base64');
  if (length >= LEAST_SECRET_BYTES && length <= MOST_SECRET_BYTES) return secret;
  throw new WebhookError('The secret has to be whsec_ and the Base64 form of 24 to 64 bytes.');
}

/** The secret of the example of a created endpoint, so that a receiver which was set up against the mock knows it. */
function exampleSecret(document: ContractDocument): string {
  const answers = documentedOperations(document).get('createWebhook')?.answers ?? [];
  const secret = valueAt(answers[0]?.examples[0]?.value, 'data', 'secret');
  if (typeof secret !== 'string') throw new WebhookError('The contract shows no secret; give one.');
  return secret;
}

function readDocument(): ContractDocument {
  return JSON.parse(readBundle());
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
