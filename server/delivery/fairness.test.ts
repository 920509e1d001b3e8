import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openResolver } from '../dns/resolver.ts';
import { acceptAll, createTenant, openTestStore, type TestStore, testMessage } from '../store/testing.ts';
import { type DnsZone, startDnsServer } from '../testing/dns-server.ts';
import { createSigner } from './signer.ts';
import { open, peer } from './testing.ts';
import { createWorker } from './worker.ts';

// A worker with real mail hosts, some of which greet nobody: what becomes of the mail for all others.

let parts: TestStore;
// What the dead hosts of one test keep in the queue would be before the mails of the next.
beforeEach(async () => {
  parts = await openTestStore();
});
afterEach(() => parts.close());

/** Hosts that take connections and say nothing, one at each address. */
async function mute(
  hosts: readonly string[],
  port: number,
): Promise<{ sockets: Set<Socket>; close(): void }> {
  const sockets = new Set<Socket>();
  const servers = hosts.map((host) =>
    createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
    }).listen(port, host),
  );
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
  };
  return { sockets, close };
}

/** A worker that delivers to the mail hosts of the zone. */
async function delivering(
  zone: DnsZone,
  port: number,
  timeouts: { connectMs?: number; crowdedConnectMs?: number },
) {
  const dns = await startDnsServer(zone);
  const resolver = openResolver({ servers: [dns.address], timeoutMs: 1000, tries: 1 });
  const transport = open({
    route: { mode: 'mx', resolver, port, allowPrivateAddresses: true },
    mailHostname: 'mail.sendspec.test',
    concurrency: CONCURRENCY,
    timeouts: { connectMs: 300_000, crowdedConnectMs: 300_000, attemptMs: 300_000, ...timeouts },
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
    concurrency: CONCURRENCY,
  });
  worker.start();
  const stop = async () => {
    await worker.stop(0);
    dns.close();
    expect(faults).toEqual([]);
    expect(await parts.queue.depth()).toMatchObject({ active: 0 });
  };
  return { worker, stop };
}

const CONCURRENCY = 8;

/** Somebody who sends to addresses of these domains, in this order. */
async function sender() {
  const tenant = await createTenant(parts.store, 'sender.test');
  const send = (domains: readonly string[]) =>
    acceptAll(
      tenant,
      domains.map((name, index) =>
        testMessage({
          from: { email: 'hello@sender.test', name: null },
          to: { email: `u${index}@${name}`, name: null },
        }),
      ),
    );
  const typesOf = async (id = '') =>
    (await tenant.store.messages.listEvents(id, { limit: 10, offset: 0 })).rows.map(({ type }) => type);
  return { send, typesOf };
}

const QUICK: DnsZone = {
  'quick.example': [{ mx: 'mx.quick.example', priority: 10 }],
  'mx.quick.example': [{ a: '127.0.0.3' }],
};
const DEAD = Array.from({ length: 300 }, (_, index) => `dead-${index}.example`);

const deadAddress = (index: number) => `127.0.${1 + Math.floor(index / 200)}.${1 + (index % 200)}`;
const DEAD_ADDRESSES = DEAD.map((_, index) => deadAddress(index));

/** Each of the dead domains, with a mail host of its own. */
const DEAD_ZONE: DnsZone = Object.fromEntries(
  DEAD.flatMap((domain, index) => [
    [domain, [{ mx: `mx.${domain}`, priority: 10 }]],
    [`mx.${domain}`, [{ a: deadAddress(index) }]],
  ]),
);

test('a dead destination with many messages, all of them older, holds up nobody else', async () => {
  const quick = await peer({}, '127.0.0.3');
  const dead = await mute(['127.0.0.2'], quick.port);
  const { send, typesOf } = await sender();
  const stuck = await send(new Array(60).fill('dead.example'));
  await send(new Array(20).fill('quick.example'));
  const zone = {
    ...QUICK,
    'dead.example': [{ mx: 'mx.dead.example', priority: 10 }],
    'mx.dead.example': [{ a: '127.0.0.2' }],
  };
  const { stop } = await delivering(zone, quick.port, {});
  try {
    await expect.poll(() => quick.received.length).toBe(20);
    expect(dead.sockets.size).toBe(1);
    await expect.poll(async () => (await parts.queue.depth()).waiting).toBeGreaterThan(40);
    // What was delivered has left the queue, and nothing else has.
    await expect
      .poll(async () => Object.values(await parts.queue.depth()).reduce((sum, count) => sum + count))
      .toBe(stuck.length);
    expect(await typesOf(stuck[59])).toEqual(['new']);
  } finally {
    await stop();
    dead.close();
  }
});

test('hundreds of dead destinations do not hold up one that answers', async () => {
  const quick = await peer({}, '127.0.0.3');
  const dead = await mute(DEAD_ADDRESSES, quick.port);
  const { send } = await sender();
  const { worker, stop } = await delivering({ ...QUICK, ...DEAD_ZONE }, quick.port, {});
  try {
    await send(['quick.example']);
    await expect.poll(() => quick.received.length).toBe(1);
    await send(DEAD);
    worker.wake();
    await expect.poll(() => dead.sockets.size).toBe(CONCURRENCY / 2);
    await send(new Array(40).fill('quick.example'));
    worker.wake();
    await expect.poll(() => quick.received.length).toBe(41);
    // Each of those that were knocked at hangs, and nobody else was knocked at.
    expect([...dead.sockets].filter(({ readyState }) => readyState === 'open')).toHaveLength(CONCURRENCY / 2);
    expect(dead.sockets.size).toBe(CONCURRENCY / 2);
  } finally {
    await stop();
    dead.close();
  }
});

test('nor one that nothing is known of yet: who has knocked in vain for long makes way', async () => {
  const quick = await peer({}, '127.0.0.3');
  const dead = await mute(DEAD_ADDRESSES, quick.port);
  const { send, typesOf } = await sender();
  const stuck = await send(DEAD.slice(0, 10));
  await send(['quick.example']);
  const { stop } = await delivering({ ...QUICK, ...DEAD_ZONE }, quick.port, { crowdedConnectMs: 1000 });
  try {
    await expect.poll(() => quick.received.length).toBe(1);
    expect([...dead.sockets].some(({ readyState }) => readyState === 'open')).toBe(true);
    // Which is an attempt as any other, to be repeated by the schedule.
    await expect.poll(() => Promise.all(stuck.map(typesOf))).toContainEqual(['soft_bounce', 'new']);
  } finally {
    await stop();
    dead.close();
  }
});
