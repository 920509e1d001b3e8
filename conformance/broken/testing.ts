import { createServer } from 'node:http';
import { type BrokenServer, type BrokenServerOptions, startBrokenServer } from './server.ts';

// For tests of this server: a person with a session and an account, and a receiver of webhooks.

/** A response with its text, and the JSON in it. */
export interface Reply {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  text: string;
  json: { data?: unknown; meta?: unknown };
}

interface CallOptions {
  body?: unknown;
  /** The Authorization header; by default the session's. */
  authorization?: string | undefined;
  /** The body as it is. */
  raw?: string;
}

/** A server with somebody logged in as the owner of its first organisation. */
export interface Stage {
  server: BrokenServer;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  send(...messages: object[]): Promise<Reply>;
  login(tenant?: number): Promise<string>;
  hook(url: string, body: unknown): Promise<void>;
  mailsTo(address: string): Promise<{ raw: string }[]>;
}

/** Starts a server and logs in. `onReply` sees every answer. */
export async function openStage(
  options: BrokenServerOptions = {},
  onReply: (reply: Reply) => void = () => {},
): Promise<Stage> {
  const server = await startBrokenServer(options);
  const { target } = server;
  let session = '';
  const call = async (
    method: string,
    path: string,
    { body, raw, authorization = session }: CallOptions = {},
  ) => {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(target.base_url + path, {
      method,
      headers: { authorization },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const reply = {
      method,
      path,
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : {},
    };
    onReply(reply);
    return reply;
  };
  const login = async (tenant = 0) => {
    const { email, password } = target.tenants[tenant] ?? { email: '', password: '' };
    const reply = await call('POST', '/v1/login', { body: { email, password, grant_type: 'password' } });
    return `Bearer ${JSON.parse(reply.text).access_token}`;
  };
  const hook = async (url: string, body: unknown) => {
    await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  };
  session = await login();
  return {
    server,
    call,
    login,
    hook,
    send: (...messages) => call('POST', '/v1/send_email', { body: messages, authorization: basic(server) }),
    mailsTo: async (address) => {
      const response = await fetch(`${target.hooks.messages}?to=${encodeURIComponent(address)}`);
      const { messages }: { messages: { raw: string }[] } = JSON.parse(await response.text());
      return messages;
    },
  };
}

/** The Authorization header of an account of the first organisation. */
export function basic({ target }: BrokenServer, account = 0): string {
  const { account_id, api_key } = target.tenants[0]?.accounts[account] ?? { account_id: '', api_key: '' };
  return `Basic ${Buffer.from(`${account_id}:${api_key}`).toString('base64')}`;
}

/** A message that is accepted. */
export function message({ target }: BrokenServer, more: object = {}): object {
  return {
    from: { email: target.tenants[0]?.from_email, name: 'Shop' },
    to: [{ email: 'ada@customer.test' }],
    subject: 'Your order',
    body: { text: 'Thank you.', html: '<p>Thank <a href="https://shop.test/a?b=1&amp;c=2">you</a>.</p>' },
    ...more,
  };
}

/** A notification as it arrived. */
export interface Received {
  headers: Record<string, string>;
  body: string;
}

/** Starts a receiver of webhooks. It answers with the statuses given, then 200. */
export async function openReceiver(...statuses: number[]) {
  const received: Received[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
      received.push({ headers: Object.fromEntries(headers), body: Buffer.concat(chunks).toString() });
      response.writeHead(statuses.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = () => {
    receiver.close();
    receiver.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/hook`, received, close };
}

/** What `read` returns, once it is not undefined. */
export async function eventually<T>(read: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 2000; attempt += 1) {
    const value = await read();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('It never happened.');
}
