import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Health } from './health.ts';
import type { Logger } from './logger.ts';
import type { MetricsRegistry } from './metrics.ts';

/** What an endpoint of this listener is given. */
interface OperationsRequest {
  query: URLSearchParams;
  /** The body as JSON. Throws OperationsError when there is none, or too much of it. */
  json(): Promise<unknown>;
}

export interface OperationsReply {
  status: number;
  body: unknown;
  /** JSON unless said otherwise; then the body is sent as it is. */
  contentType?: string;
}

type OperationsEndpoint = (request: OperationsRequest) => Promise<OperationsReply>;
/** Endpoints by method and path, such as `GET /healthz`. */
export type OperationsEndpoints = Readonly<Record<string, OperationsEndpoint>>;

/** A request that cannot be served, with what to do instead. */
export class OperationsError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const MAX_BODY_BYTES = 64 * 1024;
const OWN_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The listener for operators: `/healthz`, `/readyz`, `/metrics` and, in the sandbox, its inbox and clock.
 * It belongs on loopback and asks nobody for a password, so pages in a browser of the same machine are kept out.
 */
export function createOperationsListener(options: {
  health: Health;
  metrics: MetricsRegistry;
  logger: Logger;
  extra?: OperationsEndpoints;
}): RequestListener {
  const endpoints = new Map(
    Object.entries({ ...monitoring(options.health, options.metrics), ...options.extra }),
  );
  return (request, response) => {
    answer(endpoints, request)
      .catch((error: unknown) => failure(error, options.logger))
      .then((reply) => send(response, reply))
      .catch((error: unknown) => options.logger.error({ err: error }, 'operations listener failed'));
  };
}

function monitoring(health: Health, metrics: MetricsRegistry): OperationsEndpoints {
  return {
    'GET /healthz': async () => ({ status: 200, body: { status: 'ok' } }),
    'GET /readyz': async () => {
      const reasons = await health.reasons();
      return reasons.length === 0
        ? { status: 200, body: { status: 'ready' } }
        : { status: 503, body: { status: 'not ready', reasons } };
    },
    'GET /metrics': async () => {
      const { contentType, text } = await metrics.render();
      return { status: 200, body: text, contentType };
    },
  };
}

async function answer(
  endpoints: ReadonlyMap<string, OperationsEndpoint>,
  request: IncomingMessage,
): Promise<OperationsReply> {
  refuseBrowsers(request);
  const url = URL.parse(request.url ?? '/', 'http://localhost');
  if (url === null) throw new OperationsError(404, 'There is nothing at this address.');
  const endpoint = endpoints.get(`${request.method} ${url.pathname}`);
  if (endpoint === undefined) throw nothingHere(endpoints, url.pathname);
  return await endpoint({ query: url.searchParams, json: () => readJson(request) });
}

function nothingHere(endpoints: ReadonlyMap<string, OperationsEndpoint>, path: string): OperationsError {
  const other = [...endpoints.keys()].find((key) => key.endsWith(` ${path}`));
  if (other !== undefined) return new OperationsError(405, `Only ${other} is served.`);
  return new OperationsError(
    404,
    `There is nothing at this address. Served are: ${[...endpoints.keys()].join(', ')}.`,
  );
}

/**
 * Keeps out what a web page makes a browser send: to a name of the page's own that it has pointed at this machine
 * (DNS rebinding, visible in Host), or straight across origins (visible in Origin and Sec-Fetch-Site).
 */
function refuseBrowsers({ headers }: IncomingMessage): void {
  const name = headers.host?.replace(/:\d+$/, '').toLowerCase();
  if (name !== undefined && !OWN_NAMES.has(name)) {
    throw new OperationsError(403, 'This listener is reached as localhost or 127.0.0.1 only.');
  }
  const site = headers['sec-fetch-site'];
  const isForeign = site !== undefined && site !== 'none' && site !== 'same-origin';
  if (isForeign || (headers.origin !== undefined && headers.origin !== `http://${headers.host}`)) {
    throw new OperationsError(403, 'Web pages of other origins may not use this listener.');
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new OperationsError(413, 'The body is too large.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new OperationsError(400, 'The body is not JSON.');
  }
}

function failure(error: unknown, logger: Logger): OperationsReply {
  if (error instanceof OperationsError) return { status: error.status, body: { error: error.message } };
  logger.error({ err: error }, 'operations request failed');
  return { status: 500, body: { error: 'Internal error; see the log.' } };
}

function send(response: ServerResponse, { status, body, contentType }: OperationsReply): void {
  const content = contentType === undefined ? JSON.stringify(body) : String(body);
  const isCut = status === 413;
  response.writeHead(status, {
    'content-type': contentType ?? 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(content),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(isCut ? { connection: 'close' } : {}),
  });
  response.end(content);
}
