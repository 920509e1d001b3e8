import { describe, expect, it } from 'vitest';
import type { DnsAnswer, DnsResolver, MxRecord } from '../dns/resolver.ts';
import { findRoute } from './mx.ts';
import { LATER, mail, open, peer, politely, resolverOf, scripted, selfSigned } from './testing.ts';

describe('the mail hosts of a domain', () => {
  const mx = (...hosts: [string, number][]) =>
    resolverOf({ ok: true, values: hosts.map(([exchange, priority]) => ({ exchange, priority })) });
  const hosts = async (resolver: DnsResolver, random = () => 0) => {
    const route = await findRoute(resolver, 'example.com', 'mx2.sendspec.test', random);
    return route.ok ? route.hosts : route.fault.status;
  };

  it('come best first, each once, in lower case and without the dot', async () => {
    const resolver = mx(
      ['c.example.com', 30],
      ['A.example.com.', 10],
      ['b.example.com', 20],
      ['a.example.com', 30],
    );
    expect(await hosts(resolver)).toEqual(['a.example.com', 'b.example.com', 'c.example.com']);
  });

  it('share the load when they are equally good', async () => {
    const keys = [0.9, 0.1, 0.5];
    const random = () => keys.shift() ?? 0;
    expect(await hosts(mx(['a.x', 10], ['b.x', 10], ['c.x', 10]), random)).toEqual(['b.x', 'c.x', 'a.x']);
  });

  it('are only those that are better than ourselves', async () => {
    const others: [string, number][] = [
      ['mx1.x', 10],
      ['mx3.x', 20],
      ['mx4.x', 30],
    ];
    expect(await hosts(mx(...others, ['MX2.sendspec.test.', 20]))).toEqual(['mx1.x']);
    expect(await hosts(mx(['mx2.sendspec.test', 5], ...others))).toBe('5.4.6');
  });

  it('are never more than a few', async () => {
    expect(
      await hosts(mx(...Array.from({ length: 500 }, (_, i): [string, number] => [`h${i}.x`, i]))),
    ).toHaveLength(10);
  });
});

describe('delivering to the mail hosts of a domain', () => {
  const mx = (...hosts: [string, number][]): DnsAnswer<MxRecord> => ({
    ok: true,
    values: hosts.map(([exchange, priority]) => ({ exchange, priority })),
  });
  const via = (resolver: DnsResolver, port: number, allowPrivateAddresses = true) =>
    open({
      route: { mode: 'mx', resolver, port, allowPrivateAddresses },
      mailHostname: 'mail.sendspec.test',
    });

  it('takes the best host, and the next when nobody answers there', async () => {
    const server = await peer({}, '127.0.0.2');
    const resolver = resolverOf(mx(['B.example.com.', 20], ['a.example.com', 10]), {
      'a.example.com': ['127.0.0.9', '127.0.0.8'],
      'b.example.com': ['127.0.0.2'],
    });
    const attempt = await via(resolver, server.port).send(mail());
    expect(attempt).toMatchObject({
      verdict: { event: 'delivery' },
      host: `b.example.com [127.0.0.2]:${server.port}`,
    });
  });

  it('does not ask the next host when the best one refuses the recipient', async () => {
    const best = await scripted(politely({ RCPT: '550 5.1.1 Unknown' }));
    const resolver = resolverOf(mx(['a.example.com', 10], ['b.example.com', 20]), {
      'a.example.com': ['127.0.0.1'],
      'b.example.com': ['127.0.0.1'],
    });
    expect((await via(resolver, best.port).send(mail())).verdict.event).toBe('hard_bounce');
    expect(best.connections()).toBe(1);
  });

  it('takes the domain itself when it has no MX record', async () => {
    const server = await peer();
    const resolver = resolverOf({ ok: false, failure: 'empty' }, { 'example.com': ['127.0.0.1'] });
    expect((await via(resolver, server.port).send(mail())).verdict.event).toBe('delivery');
  });

  it('encrypts without asking who vouches, and goes on in the clear when encryption breaks', async () => {
    const encrypted = await peer({ disabledCommands: [], ...(await selfSigned()) });
    const resolver = resolverOf(mx(['a.example.com', 10]), { 'a.example.com': ['127.0.0.1'] });
    expect((await via(resolver, encrypted.port).send(mail())).verdict.event).toBe('delivery');
    expect(encrypted.received).toMatchObject([{ secure: true }]);
    const broken = await scripted(
      politely({ EHLO: '250-scripted\r\n250 STARTTLS', STARTTLS: '220 Go\r\nthis is not TLS' }),
    );
    expect((await via(resolver, broken.port).send(mail())).verdict.event).toBe('delivery');
    expect(broken.connections()).toBe(2);
  });

  it.each([
    [
      'a domain that does not exist',
      { ok: false, failure: 'missing' },
      '5.1.2',
      { event: 'hard_bounce', retry: false },
    ],
    [
      'a null MX',
      { ok: true, values: [{ exchange: '', priority: 0 }] },
      '5.1.10',
      { event: 'hard_bounce', retry: false },
    ],
    ['a DNS that fails', { ok: false, failure: 'server failure' }, '4.4.3', LATER],
    ['a DNS that is silent', { ok: false, failure: 'timeout' }, '4.4.3', LATER],
    [
      'no MX and no address',
      { ok: false, failure: 'empty' },
      '5.1.2',
      { event: 'hard_bounce', retry: false },
    ],
    [
      'an MX that leads back to us',
      { ok: true, values: [{ exchange: 'mail.sendspec.test', priority: 10 }] },
      '5.4.6',
      { event: 'soft_bounce', retry: false },
    ],
    [
      'an MX that does not exist',
      { ok: true, values: [{ exchange: 'gone.example.com', priority: 10 }] },
      '4.4.4',
      LATER,
    ],
  ] as [string, DnsAnswer<MxRecord>, string, object][])(
    'judges %s',
    async (_case, answer, status, verdict) => {
      const attempt = await via(resolverOf(answer), 25).send(mail());
      expect(attempt).toMatchObject({ verdict, host: '', response: expect.stringContaining(`${status} `) });
    },
  );

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    'fe80::1',
    'fd00::1',
    '64:ff9b::7f00:1',
    '100.64.0.1',
    '0.0.0.0',
    '::',
  ])('never connects to %s, wherever an MX record points', async (address) => {
    const server = await peer();
    const resolver = resolverOf(mx(['a.example.com', 10]), { 'a.example.com': [address] });
    const attempt = await via(resolver, server.port, false).send(mail());
    expect(attempt).toMatchObject({
      verdict: { event: 'soft_bounce', retry: false },
      response: expect.stringMatching(/^5\.4\.4 .*public internet/),
    });
    expect(server.connections()).toBe(0);
  });
});
