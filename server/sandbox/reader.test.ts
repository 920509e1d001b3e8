import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createReader, type Reader } from './reader.ts';

const ID = '0198c5d0-1111-7222-8333-444455556666';
const WEB = 'https://links.example.com';
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A mail as the service writes it. */
function mailOf({ html = '', list = '' }): Uint8Array {
  const head = `Message-ID: <${ID}@demo.test>\r\n${list}Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n`;
  const encoded = html.replaceAll('=', '=3D').replace(/(.{60})/g, '$1=\r\n');
  return Buffer.from(`${head}\r\n${encoded}\r\n`);
}

/** A web listener that answers with these statuses, one after the other, and the last one from then on. */
async function listenerWith(statuses: number[]) {
  const requests: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      requests.push(`${request.method} ${request.headers.host} ${request.url} ${body}`.trim());
      response.writeHead(statuses.length > 1 ? (statuses.shift() ?? 0) : (statuses[0] ?? 0)).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return { requests, port: (server.address() as AddressInfo).port };
}

function readerOf(port: number, raw: () => Uint8Array | undefined) {
  const faults: string[] = [];
  const reader = createReader({
    inbox: {
      captured: async ({ to = '' }) => {
        const mail = raw();
        return mail === undefined ? [] : [{ from: '', to: [to], received_at: '', raw: mail }];
      },
    },
    webUrl: WEB,
    web: { host: '127.0.0.1', port, ca: undefined },
    complain: async () => {},
    fault: (what) => faults.push(what),
    retryMs: 1,
  });
  closers.push(() => reader.stop());
  return { reader, faults };
}

const deliver = (reader: Reader, email: string) =>
  reader.delivered({ messageId: ID, to: { email, name: null } });
const HTML = `<p><img src="https://shop.test/a.gif"><a href="https://shop.test/">x</a><a href="${WEB}/c/abc-_1/ZZZ">y</a><a href="${WEB}/c/second/x">z</a><img src="${WEB}/o/pixel-_1" alt=""></p>`;
const LIST = `List-Unsubscribe: <mailto:u-1@bounces.example.com>,\r\n <${WEB}/u/token-_1>\r\n`;

test.each([
  ['open@simulator.test', 'GET links.example.com /o/pixel-_1'],
  ['Open+tag@Simulator.TEST', 'GET links.example.com /o/pixel-_1'],
  ['click@simulator.test', 'GET links.example.com /c/abc-_1/ZZZ'],
  ['unsubscribe+a+b@simulator.test', 'POST links.example.com /u/token-_1 List-Unsubscribe=One-Click'],
])('%s uses what stands in the mail', async (address, expected) => {
  const { requests, port } = await listenerWith([200]);
  const { reader, faults } = readerOf(port, () => mailOf({ html: HTML, list: LIST }));
  deliver(reader, address);
  await expect.poll(() => requests).toEqual([expected]);
  await reader.stop();
  expect(faults).toEqual([]);
});

test('nobody else does anything, and a mail without anything to use stays unused', async () => {
  const { requests, port } = await listenerWith([200]);
  let looked = 0;
  const { reader, faults } = readerOf(port, () => {
    looked++;
    return mailOf({ html: '<p><a href="https://shop.test/c/x">x</a></p>' });
  });
  for (const name of [
    'delivery@simulator.test',
    'open@simulator.test.example',
    'constructor@simulator.test',
    'opener@simulator.test',
  ])
    deliver(reader, name);
  expect(looked).toBe(0);
  for (const name of ['open', 'click', 'unsubscribe']) deliver(reader, `${name}@simulator.test`);
  await expect.poll(() => looked).toBe(3);
  await reader.stop();
  expect([requests, faults]).toEqual([[], []]);
});

test('it tries again, a few times', async () => {
  const { requests, port } = await listenerWith([503, 503, 200]);
  const { reader, faults } = readerOf(port, () => mailOf({ html: HTML }));
  deliver(reader, 'open@simulator.test');
  await expect.poll(() => requests).toHaveLength(3);
  await reader.stop();
  expect(faults).toEqual([]);
  const lost = readerOf(port, () => undefined);
  deliver(lost.reader, 'open@simulator.test');
  await expect.poll(() => lost.faults).toEqual([`The simulator could not open message ${ID}.`]);
});

/** How many there are once no more arrive of those that were on their way. */
async function settled(requests: readonly unknown[]): Promise<number> {
  let before = -1;
  while (requests.length !== before) {
    before = requests.length;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return before;
}

test('stopping is quick and quiet', async () => {
  const { requests, port } = await listenerWith([503]);
  const { reader, faults } = readerOf(port, () => mailOf({ html: HTML }));
  for (let count = 0; count < 100; count++) deliver(reader, 'open@simulator.test');
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  await reader.stop();
  const length = await settled(requests);
  deliver(reader, 'open@simulator.test');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([requests.length, faults.length <= 1]).toEqual([length, true]);
});
