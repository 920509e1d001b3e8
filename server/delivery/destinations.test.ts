import { describe, expect, it } from 'vitest';
import type { DnsZone } from '../testing/dns-server.ts';
import { NotAttempted, type Transport } from './mail.ts';
import { LATER, mail, peer, politely, scripted, transportFor } from './testing.ts';

// Several mail hosts as a domain has them: real SMTP servers on addresses of loopback, named by a real DNS server.

const mx = (...hosts: string[]) => hosts.map((host, index) => ({ mx: host, priority: 10 * (index + 1) }));
const to = (transport: Transport, recipient: string) => transport.send(mail({ recipient }));
const DELIVERED = { event: 'delivery', retry: false };
const putOff = (error: unknown) => (error instanceof NotAttempted ? error.afterMs : 'attempted');
const refusing = (code: number, text: string) => (_: unknown, __: unknown, done: (error: Error) => void) =>
  done(Object.assign(new Error(text), { responseCode: code }));

describe('the next host of a domain', () => {
  const zone: DnsZone = {
    'shop.example': mx('mx1.shop.example', 'mx2.shop.example'),
    'mx1.shop.example': [{ a: '127.0.0.2' }],
    'mx2.shop.example': [{ a: '127.0.0.3' }],
  };

  it.each([
    ['MAIL', '451 4.3.0 Come back later'],
    ['RCPT', '450 4.2.0 Greylisted'],
  ])('is tried after a temporary refusal at %s', async (command, reply) => {
    const second = await peer({}, '127.0.0.3');
    const first = await scripted(politely({ [command]: reply }), '220 first', '127.0.0.2', second.port);
    const transport = await transportFor(zone, second.port);
    expect(await to(transport, 'ann@shop.example')).toMatchObject({
      verdict: DELIVERED,
      host: expect.stringContaining('mx2.shop.example'),
    });
    expect(first.connections()).toBe(1);
  });

  it('is tried when the first greets with a refusal, or is not there', async () => {
    const second = await peer({}, '127.0.0.3');
    const first = await scripted(politely({}), '421 4.3.2 Not now', '127.0.0.2', second.port);
    const transport = await transportFor(zone, second.port);
    expect((await to(transport, 'ann@shop.example')).verdict).toEqual(DELIVERED);
    expect(first.connections()).toBe(1);
    const alone = await transportFor({ ...zone, 'mx1.shop.example': [{ a: '127.0.0.4' }] }, second.port);
    expect((await to(alone, 'ann@shop.example')).verdict).toEqual(DELIVERED);
  });

  it('is left out when it is the one that could not be reached a moment ago, as long as another one can', async () => {
    const second = await peer({}, '127.0.0.3');
    const first = await scripted((_line, socket) => void socket.destroy(), '', '127.0.0.2', second.port);
    const transport = await transportFor(zone, second.port, { timeouts: { connectMs: 300 } });
    for (const user of ['a', 'b', 'c'])
      expect((await to(transport, `${user}@shop.example`)).verdict).toEqual(DELIVERED);
    expect(first.connections()).toBe(1);
  });

  it.each([
    ['DATA', '451 4.3.0 Later'],
    ['.', '451 4.3.0 Later'],
    ['RCPT', '550 5.1.1 Unknown'],
    ['RCPT', '451 4.7.500 Server busy. Please try again later'],
  ])('is not tried after %s was answered with %s', async (command, reply) => {
    const second = await peer({}, '127.0.0.3');
    await scripted(politely({ [command]: reply }), '220 first', '127.0.0.2', second.port);
    const transport = await transportFor(zone, second.port);
    expect(await to(transport, 'ann@shop.example')).toMatchObject({ response: reply });
    expect(second.connections()).toBe(0);
  });

  it('says why the first refused when none takes the mail for now', async () => {
    const second = await scripted(politely({ RCPT: '450 4.2.0 second' }), '220 second', '127.0.0.3');
    await scripted(politely({ RCPT: '450 4.2.0 first' }), '220 first', '127.0.0.2', second.port);
    const transport = await transportFor(zone, second.port);
    expect(await to(transport, 'ann@shop.example')).toMatchObject({
      verdict: LATER,
      response: '450 4.2.0 first',
    });
  });
});

describe('addresses', () => {
  it('are those of the domain itself when it has no MX record, IPv4 and IPv6', async () => {
    const server = await peer({}, '::1');
    const four = await peer({}, '127.0.0.5', server.port);
    const zone: DnsZone = {
      'plain.example': [{ aaaa: '::1' }],
      'dual.example': mx('mx.dual.example'),
      'mx.dual.example': [{ a: '127.0.0.9' }, { aaaa: '::1' }],
      'literal.example': mx('127.0.0.5'),
    };
    const transport = await transportFor(zone, server.port);
    for (const domain of ['plain.example', 'dual.example']) {
      const attempt = await to(transport, `ann@${domain}`);
      expect(attempt).toMatchObject({ verdict: DELIVERED, host: expect.stringContaining('[::1]') });
    }
    expect((await to(transport, 'ann@literal.example')).verdict).toEqual(DELIVERED);
    expect(four.received).toHaveLength(1);
  });

  it('of a domain that takes no mail are not asked', async () => {
    const server = await peer();
    const zone: DnsZone = { 'null.example': [{ mx: '', priority: 0 }, { a: '127.0.0.1' }] };
    const transport = await transportFor(zone, server.port);
    expect(await to(transport, 'ann@null.example')).toMatchObject({ verdict: { event: 'hard_bounce' } });
    expect(server.connections()).toBe(0);
  });
});

describe('a destination that asks to slow down', () => {
  const zone: DnsZone = {
    'busy.example': mx('mx.busy.example'),
    'same.example': mx('mx.busy.example'),
    'mx.busy.example': [{ a: '127.0.0.2' }],
    'free.example': mx('mx.free.example'),
    'mx.free.example': [{ a: '127.0.0.3' }],
  };

  it('is left alone for a while, with all domains that it serves, and nobody else is', async () => {
    const free = await peer({}, '127.0.0.3');
    const busy = await peer(
      { onMailFrom: refusing(421, '4.7.0 Too many messages from you') },
      '127.0.0.2',
      free.port,
    );
    const transport = await transportFor(zone, free.port);
    expect(await to(transport, 'a@busy.example')).toMatchObject({ verdict: LATER });
    expect(transport.putOffMs?.('b@busy.example')).toBeGreaterThan(0);
    const outcomes = ['b@busy.example', 'c@same.example'].map((address) =>
      to(transport, address).catch(putOff),
    );
    for (const outcome of await Promise.all(outcomes)) expect(outcome).toBeGreaterThan(1000);
    expect(busy.connections()).toBe(1);
    expect((await to(transport, 'd@free.example')).verdict).toEqual(DELIVERED);
    expect(transport.putOffMs?.('d@free.example')).toBe(0);
  });

  it('is tried again after the pause, with fewer connections', async () => {
    let calm = false;
    const busy = await peer(
      {
        onMailFrom: (_address, _session, done) =>
          done(calm ? null : Object.assign(new Error('4.7.0 Slow down'), { responseCode: 450 })),
      },
      '127.0.0.2',
    );
    const pauses = { firstPauseMs: 50, longestPauseMs: 50 };
    const transport = await transportFor(zone, busy.port, {
      limits: { ...pauses, connections: 4, waiting: 100 },
    });
    await Promise.allSettled(Array.from({ length: 8 }, (_, i) => to(transport, `a${i}@busy.example`)));
    calm = true;
    await expect.poll(() => transport.putOffMs?.('b@busy.example')).toBe(0);
    const before = busy.received.length;
    const attempts = await Promise.all(
      Array.from({ length: 8 }, (_, i) => to(transport, `b${i}@busy.example`)),
    );
    expect(attempts.map(({ verdict }) => verdict)).toEqual(Array(8).fill(DELIVERED));
    expect(busy.received.length - before).toBe(8);
    expect(busy.atOnce()).toBeLessThanOrEqual(2);
  });

  it('is not one whose recipients have a full mailbox or are greylisted', async () => {
    const server = await peer({ onRcptTo: refusing(452, '4.2.2 The mailbox is full') }, '127.0.0.2');
    const transport = await transportFor(zone, server.port);
    expect(await to(transport, 'a@busy.example')).toMatchObject({ verdict: LATER });
    expect(await to(transport, 'b@busy.example')).toMatchObject({ verdict: LATER });
  });
});

describe('a domain that names hosts of somebody else before its own', () => {
  const zone: DnsZone = {
    'mixed.example': mx('mx.big.example', 'mx.small.test'),
    'mx.big.example': [{ a: '127.0.0.2' }],
    'mx.small.test': [{ a: '127.0.0.3' }],
    'big.example': mx('mx.big.example'),
    'small.example': mx('mx.small.test'),
  };

  it('has only its own slowed down when its own ask for that', async () => {
    let isPicky = true;
    const big = await peer(
      {
        onRcptTo: (_address, _session, done) =>
          done(isPicky ? Object.assign(new Error('4.2.0 Greylisted'), { responseCode: 450 }) : null),
      },
      '127.0.0.2',
    );
    const small = await peer({ onMailFrom: refusing(421, '4.7.0 Too many messages') }, '127.0.0.3', big.port);
    const transport = await transportFor(zone, big.port);
    expect(await to(transport, 'a@mixed.example')).toMatchObject({ verdict: LATER });
    expect(small.connections()).toBe(1);
    expect(await to(transport, 'b@small.example').catch(putOff)).toBeGreaterThan(1000);
    expect(await to(transport, 'c@mixed.example')).toMatchObject({ verdict: LATER });
    expect(small.connections()).toBe(1);
    isPicky = false;
    expect((await to(transport, 'd@big.example')).verdict).toEqual(DELIVERED);
  });

  it('has siblings slowed down together', async () => {
    const second = await peer({ onMailFrom: refusing(421, '4.7.0 Too many messages') }, '127.0.0.3');
    await scripted(politely({ RCPT: '450 4.2.0 Greylisted' }), '220 first', '127.0.0.2', second.port);
    const siblings: DnsZone = {
      'shop.example': mx('mx1.shop.example', 'mx2.shop.example'),
      'mx1.shop.example': [{ a: '127.0.0.2' }],
      'mx2.shop.example': [{ a: '127.0.0.3' }],
    };
    const transport = await transportFor(siblings, second.port);
    expect(await to(transport, 'a@shop.example')).toMatchObject({ verdict: LATER });
    expect(await to(transport, 'b@shop.example').catch(putOff)).toBeGreaterThan(1000);
  });
});

describe('a destination that is slow or dead', () => {
  const zone: DnsZone = {
    'slow.example': mx('mx.slow.example'),
    'mx.slow.example': [{ a: '127.0.0.2' }],
    'quick.example': mx('mx.quick.example'),
    'mx.quick.example': [{ a: '127.0.0.3' }],
  };

  it('has one message at a time that tries it out, and few that wait; what is more is put off', async () => {
    const quick = await peer({}, '127.0.0.3');
    const slow = await scripted(() => undefined, '220 slow', '127.0.0.2', quick.port);
    const transport = await transportFor(zone, quick.port, { concurrency: 8 });
    const outcomes: unknown[] = [];
    for (let index = 0; index < 10; index += 1)
      void to(transport, `s${index}@slow.example`).catch((error: unknown) => outcomes.push(putOff(error)));
    await expect.poll(() => outcomes.length).toBe(7);
    await expect.poll(() => slow.connections()).toBe(1);
    expect(outcomes.every((afterMs) => Number(afterMs) >= 2000)).toBe(true);
    expect((await to(transport, 'ann@quick.example')).verdict).toEqual(DELIVERED);
  });

  it('that nobody answers at is tried out by one message at a time', async () => {
    const quick = await peer({}, '127.0.0.3');
    const transport = await transportFor(zone, quick.port, {
      limits: { firstPauseMs: 50, longestPauseMs: 50 },
    });
    expect(await to(transport, 'a@slow.example')).toMatchObject({ verdict: LATER, host: expect.any(String) });
    expect(await to(transport, 'b@slow.example').catch(putOff)).toBeGreaterThan(1000);
    await expect.poll(() => transport.putOffMs?.('c@slow.example')).toBe(0);
    expect(await to(transport, 'c@slow.example')).toMatchObject({ verdict: LATER });
    expect((await to(transport, 'ann@quick.example')).verdict).toEqual(DELIVERED);
  });
});
