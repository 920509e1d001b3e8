import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, type ServerOptions as TlsOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { reportMalformed } from './body.ts';
import { answerEarly, contractText, type FaultText, faultOf, type ProtocolFault } from './protocol-faults.ts';

/** How patient the listener is; the defaults suit the open internet. */
export interface ListenerOptions {
  /** Certificate and key; without them the listener speaks plain HTTP. */
  tls?: TlsOptions | undefined;
  headersTimeoutMs?: number;
  /** How often connections are looked at for their time-outs. */
  checkEveryMs?: number;
  /** What to say of what is no request; an error of the contract unless told otherwise. */
  faultText?: (fault: ProtocolFault) => FaultText;
}

// More than the application lets pass (32 kB each of URL and headers), so that it sees both and can tell which of the two was too long.
// Not more than that: the parser copies what it has at every packet, and a sender of single bytes makes it copy often.
const MAX_HEADER_BYTES = 131_072;
const HEADERS_TIMEOUT_MS = 15_000;
const CHECK_EVERY_MS = 5_000;
// Longer than the application waits for a body; it only ends what the application has lost sight of.
const REQUEST_TIMEOUT_MS = 330_000;
const IDLE_TIMEOUT_MS = 65_000;
// A client that takes nothing of its answer for so long has gone.
const SOCKET_TIMEOUT_MS = 120_000;
const LINGER_MS = 2_000;

/**
 * An HTTP or HTTPS server for the application on which Node itself never answers: its own 400, 408, 413, 417, 431, and what it does
 * with Upgrade, CONNECT and Expect, are replaced by answers of the contract.
 */
export function createListener(app: RequestListener, options: ListenerOptions = {}): Server {
  const settings: ServerOptions = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: options.checkEveryMs ?? CHECK_EVERY_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    requireHostHeader: false,
    insecureHTTPParser: false,
  };
  const server: Server = options.tls
    ? createHttpsServer({ ...settings, ...options.tls })
    : createHttpServer(settings);
  server.timeout = SOCKET_TIMEOUT_MS;
  const faultText = options.faultText ?? contractText;
  const refuse = (socket: Duplex, fault: ProtocolFault) =>
    answerEarly(socket, fault, faultText(fault), LINGER_MS);

  // The request that a connection is busy with, so that a fault in its body is answered in its turn and not in between.
  const latest = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>();
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, { request, response });
    app(request, response);
  };
  server.on('request', serve);
  // The application says 100 Continue once it knows the caller and wants the body; other expectations are ignored (RFC 9110, section 10.1.1).
  server.on('checkContinue', serve);
  server.on('checkExpectation', serve);
  server.on('connect', (_request, socket) => refuse(socket, 'unknown-endpoint'));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const current = latest.get(socket);
    if (current !== undefined && !current.request.complete) {
      // The headers were fine and the application has the request: whoever reads the body is told.
      reportMalformed(current.request);
      breakAfter(current.response, socket);
      return;
    }
    const fault = faultOf(error);
    if (fault === undefined) {
      socket.destroy();
      return;
    }
    if (current !== undefined && !current.response.writableFinished) {
      current.response.once('finish', () => refuse(socket, fault));
      return;
    }
    refuse(socket, fault);
  });
  return server;
}

/** Closes the connection of a malformed request once it has its answer, at the latest after a moment. */
function breakAfter(response: ServerResponse, socket: Duplex): void {
  response.shouldKeepAlive = false;
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  response.once('finish', () => {
    clearTimeout(timer);
    socket.end();
  });
}
