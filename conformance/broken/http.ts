import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { OperationId } from '../../generated/operations.ts';
import { alter } from './alter.ts';
import type { Answer } from './call.ts';
import type { RateLimit } from './rate-limit.ts';
import { type Request, route } from './router.ts';
import type { World } from './state.ts';
import { vary } from './vary.ts';

const HEADER_BYTES = 65_536;
const LONGEST_URL = 16_384;
const MINUTE_MS = 60_000;

/** How the API is served. */
export interface Listening {
  prefix: string;
  tls: { cert: string; key: string } | undefined;
}

/** The API as a server that does not listen yet. */
export function createApi(world: World, limits: RateLimit, { prefix, tls }: Listening): Server {
  const listener: RequestListener = (request, response) =>
    void answer(world, limits, prefix, request, response);
  const options = { maxHeaderSize: HEADER_BYTES, requireHostHeader: false, requestTimeout: MINUTE_MS };
  const server =
    tls === undefined ? createServer(options, listener) : createTlsServer({ ...options, ...tls }, listener);
  // Node would answer these by itself, with statuses that are not in the list.
  server.on('checkExpectation', listener);
  server.on('connect', (_request, socket) => endWith(socket, 404, 'ENDPOINT_NOT_FOUND'));
  server.on('clientError', (error: Error & { code?: string; rawPacket?: Buffer }, socket) => {
    const [start = ''] = (error.rawPacket?.toString('latin1') ?? '').split('\r\n', 1);
    // The last packet of a long header is a long line too, but does not begin with a method.
    const isLongUrl = start.length > LONGEST_URL && /^[A-Z]+ \//.test(start);
    const isEndpoint = error.code === 'HPE_INVALID_METHOD' || isLongUrl;
    if (isEndpoint) endWith(socket, 404, 'ENDPOINT_NOT_FOUND');
    else endWith(socket, 400, 'INVALID_JSON');
  });
  return server;
}

function endWith(socket: Duplex, status: number, code: string): void {
  if (!socket.writable) return;
  const body = JSON.stringify({
    data: { code, errors: [{ code, description: 'malformed' }] },
    meta: { rq_time: '0.0001s' },
  });
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

async function answer(
  world: World,
  limits: RateLimit,
  prefix: string,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const started = performance.now();
  const { answer: raw, match } = await route(world, limits, toRequest(incoming, prefix));
  const operationId = match?.operationId;
  const timed = stampTime(raw, operationId, performance.now() - started);
  const altered = alter(world, operationId, timed);
  const { answer: final, delayMs } = vary(world, altered);
  if (delayMs > 0) await new Promise<void>((resolve) => world.later(delayMs, resolve));
  write(world, incoming, response, final);
}

function toRequest(incoming: IncomingMessage, prefix: string): Request {
  const { method = '', url = '', headers, socket } = incoming;
  let body: Promise<Buffer | undefined> | undefined;
  return {
    method,
    // Outside of the prefix there is nothing.
    url: url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : '',
    authorization: headers.authorization ?? '',
    contentType: headers['content-type'] ?? '',
    client: socket.remoteAddress ?? '',
    readBody: (most) => {
      body ??= readBody(incoming, most);
      return body;
    },
  };
}

async function readBody(incoming: IncomingMessage, most: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
  }
  return size > most ? undefined : Buffer.concat(chunks);
}

/** Operations whose meta has no time, or that have no meta. */
const UNTIMED: readonly (OperationId | undefined)[] = ['sendEmail', 'login', 'refreshToken'];

function stampTime(answer: Answer, operationId: OperationId | undefined, elapsedMs: number): Answer {
  const { body, status } = answer;
  const isTimed = status >= 400 || !UNTIMED.includes(operationId);
  if (!isTimed || typeof body !== 'object' || body === null) return answer;
  const rq_time = `${(elapsedMs / 1000).toFixed(4)}s`;
  return { ...answer, body: { ...body, meta: { ...Reflect.get(body, 'meta'), rq_time } } };
}

function write(
  world: World,
  incoming: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Answer,
): void {
  const text =
    body === undefined
      ? ''
      : typeof body === 'string' && headers?.['content-type']
        ? body
        : JSON.stringify(body);
  const isZipped = world.varies('gzip') && /\bgzip\b/.test(String(incoming.headers['accept-encoding'] ?? ''));
  const bytes = isZipped ? gzipSync(text) : Buffer.from(text);
  const isEmpty = incoming.method === 'HEAD' || status === 204;
  const isUnread = !incoming.complete;
  response.writeHead(status, {
    ...(status === 204 ? {} : { 'content-type': 'application/json' }),
    ...headers,
    ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
    ...(world.varies('chunked') || isEmpty ? {} : { 'content-length': bytes.length }),
    ...(isUnread ? { connection: 'close' } : {}),
  });
  if (isEmpty) {
    response.end();
    return;
  }
  const half = world.varies('chunked') ? bytes.length / 2 : 0;
  if (half > 0) response.write(bytes.subarray(0, half));
  response.end(bytes.subarray(half));
}
