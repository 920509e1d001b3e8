import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type ReceivedResponse, type SentRequest, TransportFault } from './exchange.ts';

export interface ConnectionOptions {
  /** Address of the server, with its path prefix. */
  baseUrl: string;
  /** Certificate authority to trust, PEM. */
  ca: string | undefined;
  /** How long a response may take from its request to its last byte, in milliseconds. */
  timeoutMs?: number;
}

/** Sends requests to one server. */
export interface Connection {
  /** Sends one request. @throws TransportFault when no whole response comes back. */
  send(request: SentRequest): Promise<ReceivedResponse>;
  close(): void;
}

const TIMEOUT_MS = 30_000;
const MOST_SOCKETS = 32;
const LARGEST_BODY = 64 * 1024 * 1024;

/** Opens keep-alive connections to the server as they are needed. */
export function openConnection({ baseUrl, ca, timeoutMs = TIMEOUT_MS }: ConnectionOptions): Connection {
  const url = new URL(baseUrl);
  const isSecure = url.protocol === 'https:';
  const pool = { keepAlive: true, maxSockets: MOST_SOCKETS };
  const agent = isSecure
    ? new HttpsAgent({ ...pool, ...(ca === undefined ? {} : { ca }) })
    : new HttpAgent(pool);
  const open = isSecure ? httpsRequest : httpRequest;
  const exchange = (sent: SentRequest): Promise<ReceivedResponse> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = url;
      const host = hostname.replace(/^\[|\]$/g, '');
      const request = open({
        agent,
        host,
        port,
        method: sent.method,
        path: sent.path,
        headers: { ...sent.headers },
      });
      const timer = setTimeout(() => {
        request.destroy(
          new TransportFault('timeout', `no whole response within ${timeoutMs / 1000} seconds`),
        );
      }, timeoutMs);
      receive(request)
        .then(resolve, (error: unknown) => reject(asFault(error, request)))
        .finally(() => clearTimeout(timer));
      request.end(sent.body);
    });
  return {
    async send(sent) {
      try {
        return await exchange(sent);
      } catch (error) {
        // The server may close a connection at rest just when it is used again (RFC 9112, 9.3.1); that is nobody's fault.
        if (!(error instanceof IdleClose)) throw error;
        return await exchange(sent);
      }
    },
    close: () => agent.destroy(),
  };
}

class IdleClose extends TransportFault {}

function receive(request: ClientRequest): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      collect(response, request).then(resolve, reject);
    });
  });
}

async function collect(response: IncomingMessage, request: ClientRequest): Promise<ReceivedResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > LARGEST_BODY) {
        const fault = new TransportFault(
          'too_large',
          `the response is larger than ${LARGEST_BODY / 1024 / 1024} MB`,
        );
        request.destroy(fault);
        throw fault;
      }
    }
  } catch (error) {
    if (error instanceof TransportFault) throw error;
    throw new TransportFault(
      'broken',
      `the connection broke after ${size} bytes of the body of a ${response.statusCode}`,
    );
  }
  return {
    status: response.statusCode ?? 0,
    headers: headersOf(response),
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')] as const);
  return Object.fromEntries(entries);
}

const TLS_CODE = /CERT|TLS|SSL|SELF_SIGNED|ISSUER|VERIFY|ALTNAME/;

function asFault(error: unknown, request: ClientRequest): TransportFault {
  if (error instanceof TransportFault) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message || code : String(error);
  if (request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE'))
    return new IdleClose('broken', message);
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EHOSTUNREACH')
    return new TransportFault('refused', `nothing answers there (${message})`);
  if (TLS_CODE.test(code)) return new TransportFault('tls', `the TLS connection failed: ${message}`);
  if (code.startsWith('HPE_')) return new TransportFault('broken', `what came back is not HTTP (${message})`);
  return new TransportFault('broken', `the connection broke before a response came (${message})`);
}
