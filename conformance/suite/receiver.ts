import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Target } from '../target/target.ts';
import { parsed, valueAt } from './answer.ts';
import { createHooks } from './hooks.ts';

/** A request that came to the receiver. */
export interface Delivery {
  /** When it came, in milliseconds of performance.now(). */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: unknown;
  /** What it was answered with. */
  readonly status: number;
}

/** An HTTP server that the target sends its events to. */
export interface Receiver {
  /** Where the events of this account go from now on; registers it with the target when it is not yet. */
  register(accountId: string): Promise<void>;
  /** Every request with one of these texts in its body or address, in the order of arrival. */
  mentioning(...texts: readonly string[]): readonly Delivery[];
  /** Requests whose custom_id is this are answered so, one status after the other; then 200 again. A 3xx leads to `ELSEWHERE`. */
  answer(customId: string, statuses: readonly number[]): void;
  /** Every request so far. */
  readonly all: readonly Delivery[];
  close(): Promise<void>;
}

/** Stands in the address that a redirect leads to. */
export const ELSEWHERE = '/elsewhere/';

const LARGEST_BODY = 1024 * 1024;
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** Opens the receiver on the machine of the suite, where `webhooks.listen_host` says that the target reaches it. */
export async function openReceiver(target: Target): Promise<Receiver> {
  const host = target.webhooks?.listen_host ?? '127.0.0.1';
  const all: Delivery[] = [];
  const planned = new Map<string, number[]>();
  const registered = new Map<string, Promise<void>>();
  const server = createServer((request, response) => {
    receive(request, response, planned).then(
      (delivery) => all.push(delivery),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK.has(host) ? host : undefined, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    all,
    mentioning: (...texts) =>
      all.filter(({ text, path }) => texts.some((part) => text.includes(part) || path.includes(part))),
    answer: (customId, statuses) => planned.set(customId, [...statuses]),
    register(accountId) {
      const known = registered.get(accountId);
      if (known !== undefined) return known;
      const url = `http://${name}:${port}/events/${accountId}`;
      const done = createHooks(target).setWebhookUrl(accountId, url);
      registered.set(accountId, done);
      return done;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  planned: Map<string, number[]>,
): Promise<Delivery> {
  const at = performance.now();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= LARGEST_BODY) chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const json = parsed(text);
  const customId = String(valueAt(json, 'custom_id'));
  const status = planned.get(customId)?.shift() ?? 200;
  const isRedirect = status >= 300 && status < 400;
  response
    .writeHead(status, isRedirect ? { location: `${ELSEWHERE}${encodeURIComponent(customId)}` } : {})
    .end();
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([key, value]) => [key, [value].flat().join(', ')]),
  );
  return { at, method: request.method ?? '', path: request.url ?? '', headers, text, json, status };
}
