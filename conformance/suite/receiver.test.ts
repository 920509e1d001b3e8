import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openReceiver, type Receiver } from './receiver.ts';

// Servers are written in many languages: the receiver takes what any HTTP client sends.

let receiver: Receiver;
let socket: Socket;

beforeEach(async () => {
  const registration = { register: () => Promise.resolve('secret'), withdraw: () => Promise.resolve() };
  receiver = await openReceiver('127.0.0.1', registration);
  socket = connect(Number(new URL(receiver.origin).port), '127.0.0.1');
  await once(socket, 'connect');
});
afterEach(async () => {
  socket.destroy();
  await receiver.close();
});

const BODY = '{"custom_id":"order-1","event":"message.open"}';

async function said(...lines: string[]): Promise<string> {
  socket.write(lines.join('\r\n'));
  const [answer]: Buffer[] = await once(socket, 'data');
  return String(answer);
}

test.each([
  ['HTTP/1.0 without a host', ['POST /events/a HTTP/1.0', `CONTENT-LENGTH: ${BODY.length}`, '', BODY]],
  [
    'chunks',
    [
      'POST /events/a HTTP/1.1',
      'host: x',
      'Transfer-Encoding: chunked',
      '',
      '1',
      '{',
      '2d',
      BODY.slice(1),
      '0',
      '',
      '',
    ],
  ],
  [
    'an offer of HTTP/2',
    [
      'POST /events/a HTTP/1.1',
      'Host: x',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAEAAEAAAAIAAAAA',
      `Content-Length: ${BODY.length}`,
      '',
      BODY,
    ],
  ],
])('takes %s', async (_name, lines) => {
  expect(await said(...lines)).toMatch(/^HTTP\/1\.1 200 /);
  expect(receiver.all).toMatchObject([{ method: 'POST', path: '/events/a', text: BODY, status: 200 }]);
});

test('tells a client that wants to know before it sends its body to go on', async () => {
  const head = [
    'POST /events/a HTTP/1.1',
    'Host: x',
    'Expect: 100-continue',
    `Content-Length: ${BODY.length}`,
  ];
  expect(await said(...head, '', '')).toMatch(/^HTTP\/1\.1 100 /);
  expect(await said(BODY)).toMatch(/^HTTP\/1\.1 200 /);
});

test('promises no end to a connection that is kept: closed at the wrong moment it looks like a failed attempt', async () => {
  const answer = await said('POST /events/a HTTP/1.1', 'Host: x', `Content-Length: ${BODY.length}`, '', BODY);
  expect(answer).toMatch(/connection: keep-alive/i);
  expect(answer).not.toMatch(/timeout=/i);
});

test('keeps what came and how it was answered, for a report', async () => {
  receiver.answer('order-1', 302);
  await said('POST /events/a HTTP/1.1', 'Host: x', `Content-Length: ${BODY.length}`, '', BODY);
  const [{ exchange } = { exchange: undefined }] = receiver.all;
  expect(exchange).toMatchObject({
    receivedAt: receiver.origin,
    request: { method: 'POST', path: '/events/a', headers: { host: 'x' } },
    response: { status: 302, headers: { location: '/elsewhere/order-1' } },
  });
  expect(exchange?.request.body?.toString()).toBe(BODY);
});
