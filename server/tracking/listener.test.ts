import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { MessageEvent } from '../domain/events.ts';
import { SystemClock } from '../domain/time.ts';
import { closeWebServer, listen } from '../http/listen.ts';
import { createListener } from '../http/listener.ts';
import { createTracking, type TrackingParts } from './listener.ts';
import { visit } from './testing.ts';
import { clickPath, openPath, unsubscribePath } from './tokens.ts';

// What the front door cannot show: a database that is away, and clients that take their time.

const KEY = 'a key of the test';
const ID = '0198c5d0-1111-7222-8333-444455556666';
const SHOP = 'https://shop.demo.test/';
const BODY = 'List-Unsubscribe=One-Click';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start(change: Partial<TrackingParts> = {}) {
  const events: MessageEvent[] = [];
  const faults: string[] = [];
  const requests: string[] = [];
  const away = () => Promise.reject(new Error('the database is away'));
  const tracking = createTracking({
    key: KEY,
    clock: new SystemClock(),
    store: { subscription: away, recordEvents: away },
    recorder: { add: (event) => void events.push(event) },
    trustProxy: false,
    observer: {
      webRequestFinished: (...seen) => void requests.push(seen.join(' ')),
      fault: (what) => void faults.push(what),
    },
    ...change,
  });
  const server = createListener(tracking);
  const name = { what: 'the test', portSetting: 'SENDSPEC_WEB_PORT' };
  const port = await listen(server, { host: '127.0.0.1', port: 0 }, name);
  closers.push(() => closeWebServer(server, 0));
  return { url: `http://127.0.0.1:${port}`, port, events, faults, requests };
}

test('pixels and redirects need no database', async () => {
  const { url, events, faults, requests } = await start();
  expect((await visit(url + openPath(ID, KEY))).status).toBe(200);
  expect((await visit(url + clickPath(ID, SHOP, KEY))).headers.location).toBe(SHOP);
  expect((await visit(`${url}/x`, { method: 'HEAD' })).status).toBe(404);
  expect(events.map(({ type, messageId }) => [type, messageId])).toEqual([
    ['open', ID],
    ['click', ID],
  ]);
  expect(faults).toEqual([]);
  expect(requests).toEqual(['open 200 false', 'click 302 false', 'unknown 404 true']);
});

test('without a database nobody is told that he is unsubscribed', async () => {
  const { url, faults } = await start();
  const path = unsubscribePath(ID, KEY);
  for (const options of [{}, { method: 'POST', body: BODY }]) {
    const { status, headers, text } = await visit(url + path, options);
    expect([status, headers['retry-after']]).toEqual([503, '60']);
    expect(text).toContain('nothing was changed');
    expect(text).not.toContain('database');
  }
  expect(faults).toHaveLength(2);
});

test('a client that leaves in the middle of its form does no harm', async () => {
  const { port, url, faults } = await start();
  for (const leave of ['destroy', 'resetAndDestroy'] as const) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `POST ${unsubscribePath(ID, KEY)} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 26\r\n\r\nList-`,
    );
    await once(socket, 'data');
    socket[leave]();
    await once(socket, 'close');
  }
  expect((await visit(url + openPath(ID, KEY))).status).toBe(200);
  expect(faults).toEqual([]);
});

test('a body that nobody asked for is not waited for', async () => {
  const { port } = await start();
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let answer = '';
  socket.on('data', (text) => {
    answer += text;
  });
  socket.write(`GET ${openPath(ID, KEY)} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\nx`);
  await expect.poll(() => answer).toContain('GIF89a');
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*Connection: close\r\n/i);
  socket.destroy();
});
