import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { startApi } from '../testing.ts';
import { visit } from '../tracking/testing.ts';
import { createDocsSite, isForDocs } from './site.ts';

const parent = await mkdtemp(join(tmpdir(), 'sendspec-docs-site-'));
const folder = join(parent, 'site');
const faults: unknown[] = [];
const site = createDocsSite(folder, (_what, error) => faults.push(error));
const server = createServer((request, response) => {
  if (isForDocs(request)) site(request, response);
  else response.writeHead(418).end();
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const { port } = server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}`;
afterAll(async () => {
  server.close();
  await rm(parent, { recursive: true, force: true });
});

const NO_PAGE = 'There is no such page in the documentation.\n';
const PAGES = {
  'index.html': '<!doctype html><title>Docs</title>',
  'openapi.json': '{}',
  '.hidden': 'a secret',
  'assets/style.css': 'body {}',
  'assets/site.js': 'void 0;',
  'assets/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
};

async function build(): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(parent, 'outside.html'), 'a secret');
  for (const [name, content] of Object.entries(PAGES)) await writeFile(join(folder, name), content);
}

test('before the site is built, one line says how; then it is there without a restart', async () => {
  const before = await visit(`${url}/docs/`);
  expect([before.status, before.headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8']);
  expect(before.text).toBe('The documentation has not been built yet: run "npm run docs".\n');
  await build();
  expect((await visit(`${url}/docs/`)).text).toBe(PAGES['index.html']);
});

test('each file has its type, is not sniffed, framed, or kept without asking', async () => {
  const types = {
    '': 'text/html; charset=utf-8',
    'index.html': 'text/html; charset=utf-8',
    'openapi.json': 'application/json; charset=utf-8',
    'assets/style.css': 'text/css; charset=utf-8',
    'assets/site.js': 'text/javascript; charset=utf-8',
    'assets/icon.svg': 'image/svg+xml',
  };
  for (const [name, type] of Object.entries(types)) {
    const { status, headers } = await visit(`${url}/docs/${name}?a=b`);
    expect([name, status, headers['content-type']]).toEqual([name, 200, type]);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toBe("frame-ancestors 'none'");
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers).not.toHaveProperty('x-powered-by');
  }
});

test('what has not changed is not sent again', async () => {
  const { headers } = await visit(`${url}/docs/assets/style.css`);
  const again = await visit(`${url}/docs/assets/style.css`, { headers: { 'if-none-match': headers.etag } });
  expect([again.status, again.text]).toEqual([304, '']);
});

test('who takes gzip gets the compressed copy of the build, with an ETag of its own; everybody else, and where there is none, the file', async () => {
  await writeFile(join(folder, 'assets/site.js.gz'), gzipSync(PAGES['assets/site.js']));
  const ask = (accept: string, more = {}) =>
    visit(`${url}/docs/assets/site.js`, { headers: { 'accept-encoding': accept, ...more } });
  const whole = await ask('identity');
  expect([whole.text, whole.headers['content-encoding']]).toEqual([PAGES['assets/site.js'], undefined]);
  const short = await ask('gzip, deflate, br');
  expect([short.status, short.headers['content-encoding']]).toEqual([200, 'gzip']);
  expect(short.headers['content-type']).toBe(whole.headers['content-type']);
  expect(short.headers['content-length']).not.toBe(whole.headers['content-length']);
  expect(short.headers.etag).not.toBe(whole.headers.etag);
  for (const { headers } of [whole, short]) {
    expect([headers.vary, headers['cache-control']]).toEqual(['Accept-Encoding', 'no-cache']);
  }
  expect((await ask('gzip', { 'if-none-match': short.headers.etag })).status).toBe(304);
  expect((await ask('gzip;q=0')).headers).not.toHaveProperty('content-encoding');
  const none = await visit(`${url}/docs/assets/style.css`, { headers: { 'accept-encoding': 'gzip' } });
  expect([none.text, none.headers['content-encoding']]).toEqual([PAGES['assets/style.css'], undefined]);
});

test('a part that the compressed copy does not have is not sent from the file under the name of the copy', async () => {
  const ask = (more: Record<string, string>) =>
    visit(`${url}/docs/assets/site.js`, { headers: { 'accept-encoding': 'gzip', ...more } });
  await writeFile(join(folder, 'assets/site.js'), 'void 0;'.repeat(100));
  const beyond = await ask({ range: 'bytes=500-' });
  expect([beyond.status, beyond.headers['content-encoding']]).toEqual([416, undefined]);
  expect(beyond.headers['content-range']).toMatch(/^bytes \*\/\d+$/);
  const { headers } = await visit(`${url}/docs/assets/site.js`);
  const changed = await ask({ 'if-match': headers.etag ?? '' });
  expect([changed.status, changed.headers['content-encoding'], changed.headers.etag]).toEqual([
    412,
    undefined,
    undefined,
  ]);
  const nowhere = await visit(`${url}/docs/assets/style.css`, { headers: { range: 'bytes=500-' } });
  expect([nowhere.status, nowhere.headers['content-range']]).toEqual([416, 'bytes */7']);
});

test('a wrong name beside the pages gets the page that says so', async () => {
  await writeFile(join(folder, '404.html'), '<!doctype html><title>Lost</title>');
  const lost = await visit(`${url}/docs/nothing.html`);
  expect([lost.status, lost.headers['content-type'], lost.text]).toEqual([
    404,
    'text/html; charset=utf-8',
    '<!doctype html><title>Lost</title>',
  ]);
  expect((await visit(`${url}/docs/a/nothing.html`)).text).toBe(NO_PAGE);
  await rm(join(folder, '404.html'));
});

test('the site is a folder: its address gets a slash', async () => {
  for (const [path, location] of [
    ['/docs', '/docs/'],
    ['/docs?a=b', '/docs/?a=b'],
    ['/docs/assets', '/docs/assets/'],
  ]) {
    const { status, headers } = await visit(url + path);
    expect([status, headers.location]).toEqual([301, location]);
  }
});

test('HEAD is answered without a body, and nothing can be written', async () => {
  const head = await visit(`${url}/docs/`, { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
  expect(head.headers['content-length']).toBe(String(PAGES['index.html'].length));
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    const { status, headers } = await visit(`${url}/docs/index.html`, { method, body: 'x' });
    expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD']);
  }
});

test('only what is for the site comes here', async () => {
  for (const path of ['/', '/docs2', '/documents', '/o/docs', '/x/docs/', '//docs/', '/%64ocs/']) {
    expect([path, (await visit(url + path)).status]).toEqual([path, 418]);
  }
});

test('no path leads out of the folder, to what is hidden, or to another site', async () => {
  const paths = [
    '/docs/../outside.html',
    '/docs/%2e%2e/outside.html',
    '/docs/..%2foutside.html',
    '/docs/..%5coutside.html',
    '/docs/assets/../../outside.html',
    '/docs/....//outside.html',
    '/docs/%00',
    '/docs/index.html%00.css',
    '/docs/%',
    '/docs/%ff%fe',
    '/docs/.hidden',
    '/docs/%2ehidden',
    '/docs/assets/%2e%2e/.hidden',
    '/docs//etc/passwd',
    '/docs/C:/Windows/win.ini',
    `/docs/${'a'.repeat(5000)}`,
    `/docs/${'a/'.repeat(2000)}`,
    '/docs//example.com/',
    '/docs/nothing.html',
    '/docs/constructor',
  ];
  for (const path of paths) {
    const { status, headers, text: body } = await visit(url + path);
    expect([path, status, body]).toEqual([path, 404, NO_PAGE]);
    expect(headers).not.toHaveProperty('location');
  }
  expect(faults).toEqual([]);
});

test('a redirect stays on the site, however the address is written', async () => {
  for (const path of [
    '/docs//example.com/%2f..',
    '/docs///example.com/..',
    '/docs/%5c%5cexample.com/%2e%2e',
  ]) {
    const { status, headers } = await visit(url + path);
    expect([301, 404]).toContain(status);
    if (status === 301) expect(headers.location).toMatch(/^\/docs\//);
  }
});

test('a body that nobody asked for is not waited for', async () => {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write('GET /docs/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\nx');
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toMatch(/\r\nConnection: close\r\n/i);
});

test('the web listener of the service shows the site, and tracks as before', async () => {
  const api = await startApi();
  try {
    const { status, text: body } = await visit(`${api.webUrl}/docs/`);
    expect([200, 503]).toContain(status);
    expect(body).toContain(status === 200 ? '<title>sendspec documentation</title>' : 'npm run docs');
    expect((await visit(`${api.webUrl}/o/x`)).text).toContain('Nothing here');
  } finally {
    await api.close();
  }
});
