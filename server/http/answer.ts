import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { announcesBody } from './body.ts';

export type Headers = Readonly<Record<string, string | number>>;

/** How long, and for how many bytes, a body that nobody wants is still read after its answer, so that its sender gets to see the answer. */
export interface LingerLimits {
  ms: number;
  bytes: number;
}

export const LINGER: LingerLimits = { ms: 2_000, bytes: 64 * 2 ** 20 };
// Rather than read a longer one to its end, the connection is given up.
const SHORT_BODY = 65_536;

// Answers hold personal data and tokens, and are what they say they are.
const ALWAYS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** Sends a complete answer. */
export function sendWhole(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Headers,
  payload: string | Uint8Array,
  linger: LingerLimits,
): void {
  const all = { ...ALWAYS, ...headers, 'Content-Length': Buffer.byteLength(payload) };
  if (!hasUnreadBody(request)) {
    response.writeHead(status, all).end(payload);
    return;
  }
  const keepable = isShort(request);
  response.writeHead(status, keepable ? all : { ...all, Connection: 'close' });
  response.write(payload);
  discardRest(request, response, linger);
}

/** Sends an answer piece by piece. When the pieces end in an error, or the client leaves, the connection is broken off and the error thrown. */
export async function sendPieces(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Headers,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const unread = hasUnreadBody(request);
  response.writeHead(status, { ...ALWAYS, ...headers, ...(unread ? { Connection: 'close' } : {}) });
  await pipeline(pieces, response);
}

/** Whether a part of the body is still to come, or to be read. */
function hasUnreadBody(request: IncomingMessage): boolean {
  return announcesBody(request) && !request.readableEnded;
}

function isShort(request: IncomingMessage): boolean {
  const { 'content-length': length, expect } = request.headers;
  return length !== undefined && Number(length) <= SHORT_BODY && expect === undefined;
}

/**
 * The answer is out, but its end waits: were the connection closed while the client is still writing, the client's system would throw
 * the answer away unread. When the body has ended the connection can be used again; when it goes on for too long it is closed.
 */
function discardRest(request: IncomingMessage, response: ServerResponse, limits: LingerLimits): void {
  let bytes = 0;
  const timer = setTimeout(giveUp, limits.ms);
  request.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > limits.bytes) giveUp();
  });
  request.once('end', () => finish());
  request.once('close', () => finish());
  request.on('error', () => finish());
  request.resume();

  function finish(): void {
    clearTimeout(timer);
    response.end();
  }
  function giveUp(): void {
    finish();
    request.socket.destroySoon();
  }
}
