import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openResolver } from '../dns/resolver.ts';
import { acceptAll, createTenant, openTestStore, type TestStore, testMessage } from '../store/testing.ts';
import { startDnsServer } from '../testing/dns-server.ts';
import { createSigner } from './signer.ts';
import { open, peer } from './testing.ts';
import { createWorker } from './worker.ts';

// A worker with real mail hosts, one of which greets nobody: what becomes of the mail for all others.

let parts: TestStore;
beforeAll(async () => {
  parts = await openTestStore();
});
afterAll(() => parts.close());

/** A host that takes connections and says nothing. */
async function mute(host: string, port: number): Promise<{ sockets: Set<Socket>; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.listen(port, host);
  await once(server, 'listening');
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { sockets, close };
}

test('a dead destination with many messages, all of them older, holds up nobody else', async () => {
  const quick = await peer({}, '127.0.0.3');
  const dead = await mute('127.0.0.2', quick.port);
  const dns = await startDnsServer({
    'dead.example': [{ mx: 'mx.dead.example', priority: 10 }],
    'mx.dead.example': [{ a: '127.0.0.2' }],
    'quick.example': [{ mx: 'mx.quick.example', priority: 10 }],
    'mx.quick.example': [{ a: '127.0.0.3' }],
  });
  const tenant = await createTenant(parts.store, 'sender.test');
  const messagesTo = (domain: string, count: number) =>
    Array.from({ length: count }, (_, index) =>
      testMessage({
        from: { email: 'hello@sender.test', name: null },
        to: { email: `u${index}@${domain}`, name: null },
      }),
    );
  const stuck = await acceptAll(tenant, messagesTo('dead.example', 60));
  await acceptAll(tenant, messagesTo('quick.example', 20));

  const concurrency = 8;
  const resolver = openResolver({ servers: [dns.address], timeoutMs: 1000, tries: 1 });
  const transport = open({
    route: { mode: 'mx', resolver, port: quick.port, allowPrivateAddresses: true },
    mailHostname: 'mail.sendspec.test',
    concurrency,
    timeouts: { connectMs: 60_000 },
  });
  const faults: unknown[] = [];
  const worker = createWorker({
    queue: parts.queue,
    store: parts.store.delivery,
    transport,
    clock: parts.clock,
    identity: { key: 'a key', webUrl: 'https://links.sendspec.test', mailHostname: 'mail.sendspec.test' },
    sign: createSigner((id) => parts.store.delivery.signingKey(id)),
    observer: { deliveryFinished: () => {}, fault: (...fault) => faults.push(fault) },
    idleMs: 20,
    concurrency,
  });
  worker.start();
  try {
    await expect.poll(() => quick.received.length).toBe(20);
    expect(dead.sockets.size).toBeLessThanOrEqual(concurrency / 4);
    await expect.poll(async () => (await parts.queue.depth()).waiting).toBeGreaterThan(40);
    // What was delivered has left the queue, and nothing else has.
    await expect
      .poll(async () => Object.values(await parts.queue.depth()).reduce((sum, count) => sum + count))
      .toBe(stuck.length);
    const events = await tenant.store.messages.listEvents(stuck[59] ?? '', { limit: 10, offset: 0 });
    expect(events.rows.map(({ type }) => type)).toEqual(['new']);
  } finally {
    await worker.stop(0);
    dead.close();
    dns.close();
  }
  expect(faults).toEqual([]);
  expect(await parts.queue.depth()).toMatchObject({ active: 0 });
});
