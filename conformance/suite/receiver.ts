import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Exchange } from '../http/exchange.ts';
import { parsed, valueAt } from './answer.ts';
import type { Registration } from './registration.ts';

/** A request that came to the receiver. */
export interface Delivery {
  /** When it came, in milliseconds of performance.now(). */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: unknown;
  /** What it is answered with. */
  readonly status: number;
  /** Request and answer, for a report. */
  readonly exchange: Exchange;
}

/** How a request is answered; a 3xx leads to `ELSEWHERE`. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long the answer takes; `Infinity`: it never comes. */
  readonly delayMs?: number;
}

/** An address of the receiver that a check has for itself. */
export interface Mailbox {
  readonly url: string;
  /** Every request to it so far, in the order of arrival. */
  readonly requests: readonly Delivery[];
  /** The next requests with this custom_id are answered so, one after the other; those after them with 200. */
  answer(customId: string, ...replies: readonly Reply[]): void;
  /** Every request that nothing else is planned for is answered so from now on. */
  always(reply: Reply): void;
}

/** An HTTP server that the target sends its events to. */
export interface Receiver {
  /** Where the events of this account go from now on; registers it with the target when it is not yet. */
  register(accountId: string): Promise<void>;
  /** What signs the events of a registered account; undefined when nothing does. */
  secretOf(accountId: string): string | undefined;
  /** An address that nobody has been told of yet. */
  mailbox(): Mailbox;
  /** Every request outside of the mailboxes with one of these texts in its body or address, in the order of arrival. */
  mentioning(...texts: readonly string[]): readonly Delivery[];
  /** The next requests outside of the mailboxes with this custom_id are answered with these statuses, one after the other; then 200 again. */
  answer(customId: string, ...statuses: readonly number[]): void;
  /** Every request so far. */
  readonly all: readonly Delivery[];
  /** Where the target is to reach it. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Stands in the address that a redirect leads to. */
export const ELSEWHERE = '/elsewhere/';

const MAILBOX = '/mailboxes/';
const LARGEST_BODY = 1024 * 1024;
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const FINE: Reply = { status: 200 };

/** Opens the receiver on the machine of the suite, where the target reaches it under the name `host`. */
export async function openReceiver(host: string, registration: Registration): Promise<Receiver> {
  const all: Delivery[] = [];
  const planned = new Map<string, number[]>();
  const secrets = new Map<string, Promise<string | undefined>>();
  const known = new Map<string, string | undefined>();
  const mailboxes = new Map<string, OwnMailbox>();
  const replyTo = (path: string, json: unknown): Reply => {
    if (path.startsWith(MAILBOX)) return mailboxes.get(path)?.next(customIdOf(json)) ?? FINE;
    const status = planned.get(customIdOf(json))?.shift();
    return status === undefined ? FINE : { status };
  };
  const server = createServer((request, response) => {
    read(request).then(
      (come) => {
        const reply = replyTo(come.path, come.json);
        all.push({ ...come, status: reply.status, exchange: exchangeOf(come, reply, origin) });
        respond(response, reply, come.json);
      },
      () => response.destroy(),
    );
  });
  // A connection that is closed just as it is used again would look like a failed attempt.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK.has(host) ? host : undefined, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    all,
    origin,
    mentioning: (...texts) =>
      all.filter(
        ({ text, path }) =>
          !path.startsWith(MAILBOX) && texts.some((part) => text.includes(part) || path.includes(part)),
      ),
    answer: (customId, ...statuses) => planned.set(customId, [...statuses]),
    mailbox() {
      const path = `${MAILBOX}${mailboxes.size + 1}`;
      const own = new OwnMailbox(`${origin}${path}`, () => all.filter((one) => one.path === path));
      mailboxes.set(path, own);
      return own;
    },
    async register(accountId) {
      const registered =
        secrets.get(accountId) ?? registration.register(accountId, `${origin}/events/${accountId}`);
      secrets.set(accountId, registered);
      known.set(accountId, await registered);
    },
    secretOf: (accountId) => known.get(accountId),
    async close() {
      await registration.withdraw();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

class OwnMailbox implements Mailbox {
  readonly url: string;
  readonly #requests: () => readonly Delivery[];
  readonly #planned = new Map<string, readonly Reply[]>();
  #otherwise = FINE;

  constructor(url: string, requests: () => readonly Delivery[]) {
    this.url = url;
    this.#requests = requests;
  }

  get requests(): readonly Delivery[] {
    return this.#requests();
  }

  answer(customId: string, ...replies: readonly Reply[]): void {
    this.#planned.set(customId, replies);
  }

  always(reply: Reply): void {
    this.#otherwise = reply;
  }

  next(customId: string): Reply {
    const [first, ...others] = this.#planned.get(customId) ?? [];
    this.#planned.set(customId, others);
    return first ?? this.#otherwise;
  }
}

function customIdOf(json: unknown): string {
  return String(valueAt(json, 'custom_id'));
}

type Come = Omit<Delivery, 'status' | 'exchange'>;

async function read(request: IncomingMessage): Promise<Come> {
  const at = performance.now();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= LARGEST_BODY) chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([key, value]) => [key, [value].flat().join(', ')]),
  );
  const { method = '', url: path = '' } = request;
  return { at, method, path, headers, text, json: parsed(text) };
}

function exchangeOf({ method, path, headers, text, json }: Come, reply: Reply, origin: string): Exchange {
  const isAnswered = Number.isFinite(reply.delayMs ?? 0);
  return {
    operation: undefined,
    request: { method, path, headers, body: text === '' ? undefined : Buffer.from(text) },
    response: isAnswered ? { status: reply.status, headers: headersOf(reply, json), text: '' } : undefined,
    fault: isAnswered ? undefined : 'The suite did not answer, to see what comes of it.',
    receivedAt: origin,
  };
}

function headersOf({ status, headers = {} }: Reply, json: unknown): Record<string, string> {
  const isRedirect = status >= 300 && status < 400;
  return isRedirect
    ? { ...headers, location: `${ELSEWHERE}${encodeURIComponent(customIdOf(json))}` }
    : headers;
}

function respond(response: ServerResponse, reply: Reply, json: unknown): void {
  const { status, delayMs = 0 } = reply;
  const end = () => {
    response.writeHead(status, headersOf(reply, json)).end();
  };
  if (delayMs === 0) end();
  else if (Number.isFinite(delayMs)) setTimeout(end, delayMs).unref();
}
