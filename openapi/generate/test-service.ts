import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Call {
  method: string;
  url: URL;
  authorization: string | undefined;
  body: unknown;
}

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** A local HTTP server that records every call and answers as told: the other end of the client under test. */
export async function startService(answer: (call: Call) => Answer | Promise<Answer> | undefined) {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    void serve(request, response).catch((error: Error) => response.destroy(error));
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = (await collect(request.setEncoding('utf8'))).join('');
    const call: Call = {
      method: request.method ?? '',
      url: new URL(request.url ?? '', 'http://service.test'),
      authorization: request.headers.authorization,
      body: text ? JSON.parse(text) : undefined,
    };
    calls.push(call);
    const { status, body, headers } = (await answer(call)) ?? refusal(404, 'ENDPOINT_NOT_FOUND');
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
    response.end(isText ? body : JSON.stringify(body));
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    calls,
    callsOf: (path: string) => calls.filter(({ url }) => url.pathname === path),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Everything that an async iterable yields. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const meta = { rq_time: '0.0003s' };

export function success(data: unknown, more: object = {}): Answer {
  return { status: 200, body: { data, meta: { ...meta, ...more } } };
}

export function refusal(
  status: number,
  code: string,
  errors: unknown[] = [{ code, description: 'No.' }],
): Answer {
  return { status, body: { data: { code, errors }, meta } };
}

export function token(access: string, refresh: string): Answer {
  const body = { token_type: 'Bearer', expires_in: 3600, access_token: access, refresh_token: refresh };
  return { status: 200, body };
}
