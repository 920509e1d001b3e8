import { describe, expect, it } from 'vitest';
import type { DnsZone } from '../testing/dns-server.ts';
import type { Transport } from './mail.ts';
import { mail, peer, transportFor } from './testing.ts';

// A provider whose hosts have a name for each customer, on one real SMTP server.

const mx = (...hosts: string[]) => hosts.map((host, index) => ({ mx: host, priority: 10 * (index + 1) }));
const to = (transport: Transport, recipient: string) => transport.send(mail({ recipient }));
const DELIVERED = { event: 'delivery', retry: false };

describe('the limits of a provider', () => {
  it('hold for all of its hosts together', async () => {
    const server = await peer({}, '127.0.0.2');
    const zone: DnsZone = {};
    for (const tenant of ['a', 'b', 'c', 'd', 'e']) {
      zone[`${tenant}.example`] = mx(`${tenant}-example.mx.orange.fr`);
      zone[`${tenant}-example.mx.orange.fr`] = [{ a: '127.0.0.2' }];
    }
    const transport = await transportFor(zone, server.port, { limits: { connections: 50, waiting: 100 } });
    const attempts = await Promise.all(
      Array.from({ length: 40 }, (_, i) => to(transport, `u${i}@${'abcde'[i % 5]}.example`)),
    );
    expect(attempts.map(({ verdict }) => verdict)).toEqual(Array(40).fill(DELIVERED));
    expect(server.mostAtOnce()).toBeLessThanOrEqual(4);
    expect(server.received).toHaveLength(40);
  });

  it('count idle connections to its other hosts, too', async () => {
    const held: (() => void)[] = [];
    const server = await peer(
      {
        onRcptTo: ({ address }, _session, done) => {
          if (address.endsWith('@a.example')) done();
          else held.push(() => done());
        },
      },
      '127.0.0.2',
    );
    const zone: DnsZone = {};
    for (const tenant of ['a', 'b']) {
      zone[`${tenant}.example`] = mx(`${tenant}-example.mx.orange.fr`);
      zone[`${tenant}-example.mx.orange.fr`] = [{ a: '127.0.0.2' }];
    }
    const transport = await transportFor(zone, server.port, { limits: { connections: 50, waiting: 100 } });
    const three = (domain: string) =>
      Promise.all(['u', 'v', 'w'].map((user) => to(transport, `${user}@${domain}`)));
    // Once it has answered, it gets more than one connection.
    await to(transport, 'first@a.example');
    await three('a.example');
    expect(server.atOnce()).toBe(3);
    const others = three('b.example');
    await expect.poll(() => held.length).toBe(3);
    await expect.poll(() => server.atOnce()).toBe(3);
    for (const release of held) release();
    expect((await others).map(({ verdict }) => verdict)).toEqual(Array(3).fill(DELIVERED));
  });
});
