import type { Duplex } from 'node:stream';

/** What can be wrong before there is a request that the application could see. */
export type ProtocolFault = 'unknown-endpoint' | 'malformed' | 'header-overflow' | 'timeout';

/** What stands below the status of an answer to such a fault. */
export interface FaultText {
  contentType: string;
  body: string;
}

const UNKNOWN_ENDPOINT = new Set(['HPE_INVALID_METHOD', 'HPE_INVALID_URL']);

const ANSWERS: Readonly<Record<ProtocolFault, { status: string; code: string; description: string }>> = {
  'unknown-endpoint': {
    status: '404 Not Found',
    code: 'ENDPOINT_NOT_FOUND',
    description: 'there is no such endpoint',
  },
  malformed: {
    status: '400 Bad Request',
    code: 'INVALID_JSON',
    description: 'the request is not valid HTTP',
  },
  'header-overflow': {
    status: '400 Bad Request',
    code: 'INVALID_JSON',
    description: 'the headers of the request are too long',
  },
  timeout: {
    status: '400 Bad Request',
    code: 'INVALID_JSON',
    description: 'the request did not come to its end',
  },
};

/** The fault behind an error of the HTTP parser; undefined when the connection itself has failed and nothing can be answered. */
export function faultOf(error: NodeJS.ErrnoException & { rawPacket?: unknown }): ProtocolFault | undefined {
  const { code = '' } = error;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'timeout';
  if (code === 'HPE_HEADER_OVERFLOW')
    return isEndlessUrl(error.rawPacket) ? 'unknown-endpoint' : 'header-overflow';
  if (UNKNOWN_ENDPOINT.has(code)) return 'unknown-endpoint';
  return code.startsWith('HPE_') ? 'malformed' : undefined;
}

/** What the API says of a fault: an error of the contract. */
export function contractText(fault: ProtocolFault): FaultText {
  const { code, description } = ANSWERS[fault];
  const data = { code, errors: [{ code, description }] };
  return {
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({ data, meta: { rq_time: '0.0000s' } }),
  };
}

/** What a listener for people says of a fault. */
export function plainText(fault: ProtocolFault): FaultText {
  return { contentType: 'text/plain; charset=utf-8', body: `${ANSWERS[fault].description}\n` };
}

/** Writes an answer to a connection on which there is no request, and closes it, reading on a moment so that it arrives. */
export function answerEarly(
  socket: Duplex,
  fault: ProtocolFault,
  { contentType, body }: FaultText,
  lingerMs: number,
): void {
  // Every further packet of the same sender is another fault; the answer to the first one must get out.
  if (answered.has(socket)) return;
  answered.add(socket);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.on('error', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${ANSWERS[fault].status}`,
      `Date: ${new Date().toUTCString()}`,
      `Content-Type: ${contentType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

const answered = new WeakSet<Duplex>();

// The parser does not say whether the URL or a header ran over 128 kB, and shows only the last packet. When that one begins with a method
// and holds no second space, it was the URL; otherwise a header is likelier.
const ENDLESS_URL = /^[A-Z]+ \S+$/;
const SAMPLE_BYTES = 4096;

function isEndlessUrl(packet: unknown): boolean {
  return Buffer.isBuffer(packet) && ENDLESS_URL.test(packet.toString('latin1', 0, SAMPLE_BYTES));
}
