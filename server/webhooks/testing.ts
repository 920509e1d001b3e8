import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { createServer as createRawServer, type Server, type Socket } from 'node:net';

// For tests of what is sent to webhooks: real receivers on loopback.

/** A request as a receiver got it. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Something that listens on loopback. */
export interface Listening {
  port: number;
  close(): Promise<void>;
}

export interface Receiver extends Listening {
  url: string;
  /** All requests so far, in the order in which they were complete. */
  received: Received[];
}

export type Answering = (request: Received, response: ServerResponse) => void;

/** Starts a receiver that answers like this, with 200 by default; with TLS where it is given a certificate. */
export async function startReceiver(answer: Answering = ok, tls?: ServerOptions): Promise<Receiver> {
  const received: Received[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      answer(one, response);
    });
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  const { port, close } = await listenOnLoopback(server);
  return { port, url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hooks`, received, close };
}

/** Starts a server that does with each connection, once something has been read from it, what no HTTP server would. */
export async function startRawReceiver(
  answer: (socket: Socket) => void,
): Promise<Listening & { url: string }> {
  const server = createRawServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  const listening = await listenOnLoopback(server);
  return { ...listening, url: `http://127.0.0.1:${listening.port}/hooks` };
}

function ok(_request: Received, response: ServerResponse): void {
  response.end('ok');
}

async function listenOnLoopback(server: Server): Promise<Listening> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket.once('close', () => open.delete(socket)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of open) socket.destroy();
    await closed;
  };
  return { port: address.port, close };
}
