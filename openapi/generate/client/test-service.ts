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

export type Service = Awaited<ReturnType<typeof startService>>;

export const accountId = '6f1c2b9e-3a44-4a0e-9a51-0d6f3b1c7e21';
export const account = { account_id: accountId, name: 'Shop', status: 'active', type: 'transactional' };
/** What getAccount takes. */
export const getAccount = { path: { account_id: accountId } };

/** A local HTTP server that records every call and answers as told: the other end of the client under test. An answer that throws resets the connection. */
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

/** A promise that lets go of everybody who waits for it when `open` is called. */
export function gate(): { passed: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
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

export const credentials = { email: 'owner@demo.test', password: 'correct horse battery staple' };
export const expired = refusal(401, 'INVALID_CREDENTIALS');

/** Answers as a service that knows one valid token at a time, and hands out token-1, token-2, ... */
export function answerWithTokens(refresh: 'works' | 'refused' = 'works'): (call: Call) => Answer {
  let issued = 0;
  const next = () => {
    issued += 1;
    return token(`token-${issued}`, `refresh-${issued}`);
  };
  return ({ url, authorization, body }) => {
    if (url.pathname === '/v1/login') {
      const { password } = body as typeof credentials;
      return password === credentials.password ? next() : expired;
    }
    if (url.pathname === '/v1/token/refresh') return refresh === 'refused' ? expired : next();
    if (authorization !== `Bearer token-${issued}` || issued === 0) return expired;
    return success(url.pathname === '/v1/logout' ? 'OK' : account);
  };
}
