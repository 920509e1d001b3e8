import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createHealth, type HealthCheck } from './health.ts';
import { createOperationsListener, type OperationsEndpoints } from './listener.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(parts: { checks?: Record<string, HealthCheck>; extra?: OperationsEndpoints } = {}) {
  const health = createHealth(parts.checks ?? {});
  const log: string[] = [];
  const logger = createLogger('info', { write: (line) => log.push(line) });
  const listener = createOperationsListener({
    health,
    metrics: createMetrics(),
    logger,
    extra: parts.extra ?? {},
  });
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { health, log, port, call: (path: string, init: Call = {}) => call(port, path, init) };
}

interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

function call(port: number, path: string, { method = 'GET', headers = {}, body }: Call) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const outgoing = request({ port, host: '127.0.0.1', path, method, headers, agent: false }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
    );
  });
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}

const echo: OperationsEndpoints = {
  'POST /echo': async ({ json }) => ({ status: 200, body: await json() }),
  'GET /boom': () => Promise.reject(new Error('secret ss_key_abc')),
};

test('a living process is healthy while it starts, runs and stops', async () => {
  const { health, call } = await serve();
  expect((await call('/healthz')).status).toBe(200);
  health.enter('stopping');
  expect((await call('/healthz')).status).toBe(200);
});

test('it is ready between start and stop, when every check passes', async () => {
  let fault: string | undefined;
  const { health, call } = await serve({
    checks: {
      database: async () => fault,
      queue: () => (fault === undefined ? Promise.resolve(undefined) : Promise.reject(new Error('gone'))),
    },
  });
  expect(await call('/readyz')).toMatchObject({ status: 503, text: expect.stringContaining('starting') });
  health.enter('ready');
  expect(await call('/readyz')).toEqual({ status: 200, text: '{"status":"ready"}' });
  fault = 'refuses connections';
  const broken = await call('/readyz');
  expect(broken.status).toBe(503);
  expect(JSON.parse(broken.text).reasons).toEqual([
    'database: refuses connections',
    'queue: does not answer',
  ]);
  fault = undefined;
  health.enter('stopping');
  expect(await call('/readyz')).toMatchObject({ status: 503, text: expect.stringContaining('stopping') });
});

test('a check that hangs is a failed one', async () => {
  const { health, call } = await serve({ checks: { database: () => new Promise(() => {}) } });
  health.enter('ready');
  expect(await call('/readyz')).toMatchObject({
    status: 503,
    text: expect.stringContaining('database: no answer'),
  });
});

test('metrics are served in the text format', async () => {
  const { call } = await serve();
  const { status, text } = await call('/metrics');
  expect(status).toBe(200);
  expect(text).toContain('# TYPE sendspec_http_requests_total counter');
});

test.each([
  ['a name that a page pointed here', { host: 'evil.example:9090' }],
  ['a name that only begins well', { host: 'localhost.evil.example' }],
  ['another address', { host: '192.168.0.7:9090' }],
  ['a foreign origin', { origin: 'https://evil.example' }],
  ['a foreign local origin', { origin: 'http://localhost:3000' }],
  ['an opaque origin', { origin: 'null' }],
  ['a cross-site load', { 'sec-fetch-site': 'cross-site' }],
  ['a same-site load', { 'sec-fetch-site': 'same-site' }],
])('a browser is refused: %s', async (_name, headers: Record<string, string>) => {
  const { call } = await serve({ extra: echo });
  expect((await call('/metrics', { headers })).status).toBe(403);
  expect((await call('/echo', { method: 'POST', headers, body: '{}' })).status).toBe(403);
});

test.each([
  [{ host: 'localhost:9090' }],
  [{ host: '[::1]:9090' }],
  [{ host: '127.0.0.1' }],
  [{ host: 'localhost:9090', origin: 'http://localhost:9090' }],
  [{ 'sec-fetch-site': 'none' }],
])('the operator is served: %o', async (headers: Record<string, string>) => {
  const { call } = await serve();
  expect((await call('/healthz', { headers })).status).toBe(200);
});

test('bad input has a clear answer', async () => {
  const { call } = await serve({ extra: echo });
  expect(await call('/echo', { method: 'POST', body: '{' })).toMatchObject({ status: 400 });
  expect(await call('/echo', { method: 'POST' })).toMatchObject({ status: 400 });
  expect(await call('/echo', { method: 'POST', body: Buffer.alloc(70_000, 0x20) })).toMatchObject({
    status: 413,
  });
  expect(await call('/echo', { method: 'GET' })).toMatchObject({ status: 405 });
  expect(await call('/nothing')).toMatchObject({
    status: 404,
    text: expect.stringContaining('GET /metrics'),
  });
  expect(await call('//')).toMatchObject({ status: 404 });
  expect(await call('/__proto__')).toMatchObject({ status: 404 });
});

test('an inner failure is logged without its secrets, and told without details', async () => {
  const { call, log } = await serve({ extra: echo });
  const { status, text } = await call('/boom');
  expect(status).toBe(500);
  expect(text).not.toContain('ss_key');
  expect(log.join()).toContain('operations request failed');
  expect(log.join()).not.toContain('ss_key_abc');
});

test('a client that leaves in the middle of its body does no harm', async () => {
  const { call, port } = await serve({ extra: echo });
  const socket = connect(port, '127.0.0.1');
  socket.write('POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"a"');
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.destroy();
  expect((await call('/healthz')).status).toBe(200);
});
