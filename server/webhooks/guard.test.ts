import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openResolver } from '../dns/resolver.ts';
import { createAuthority, createServerCertificate, type KeyedCertificate } from '../http/local-ca.ts';
import { type DnsZone, startDnsServer } from '../testing/dns-server.ts';
import { createGuardedConnector, ForbiddenTarget } from './guard.ts';
import { openLine } from './http-sender.ts';
import { createNameLookup } from './name-lookup.ts';
import { type Receiver, startReceiver } from './testing.ts';

// On loopback there is no public address. Where one is needed, 127.0.0.2 is taken for one; nothing listens there, only at 127.0.0.1.
const TAKEN_FOR_PUBLIC = '127.0.0.2';
const LIMITS = { answerMs: 20_000, bodyMs: 20_000 };
const undos: (() => unknown)[] = [];
let tls: KeyedCertificate;
let zone: DnsZone;
let dns: { address: string; close(): void };
let receiver: Receiver;

beforeAll(async () => {
  tls = await createServerCertificate(await createAuthority(new Date()), new Date());
});
beforeEach(async () => {
  zone = {};
  dns = await startDnsServer(zone);
  receiver = await startReceiver(undefined, tls);
  undos.push(() => dns.close(), receiver.close);
});
afterEach(async () => {
  for (const undo of undos.splice(0).reverse()) await undo();
});

/** What a POST to a URL comes to. */
async function post(url: string, options: { isPublic?: (address: string) => boolean } = {}) {
  const lookup = createNameLookup(openResolver({ servers: [dns.address] }), false);
  const connect = createGuardedConnector({ lookup, allowPrivate: false, timeoutMs: 5_000, ...options });
  const line = openLine({ connect, limits: LIMITS });
  undos.push(() => line.destroy());
  const answer = await line.post({ url, headers: {}, body: '{}' });
  return answer.kind === 'failed' ? answer.error : answer;
}

describe('no connection is made to', () => {
  test.each([
    'https://127.0.0.1',
    'https://2130706433',
    'https://0x7f000001',
    'https://0177.0.0.1',
    'https://127.1',
    'https://127.0.0.1.',
    'https://①②⑦.0.0.1',
    'https://0',
    'https://[::1]',
    'https://[::]',
    'https://[::ffff:127.0.0.1]',
    'https://[::127.0.0.1]',
    'https://[64:ff9b::7f00:1]',
    'https://[2002:7f00:1::]',
    'https://[2001:0:7f00:1::]',
    'https://[fe80::1]',
    'https://[fd00::1]',
    'https://10.0.0.1',
    'https://100.64.0.1',
    'https://169.254.169.254',
    'https://192.168.1.1',
    'https://255.255.255.255',
    'https://224.0.0.1',
  ])('%s', async (origin) => {
    expect(await post(`${origin}:${receiver.port}/`)).toBeInstanceOf(ForbiddenTarget);
    expect(receiver.received).toEqual([]);
  });

  test.each([
    [[{ a: '127.0.0.1' }]],
    [[{ aaaa: '::1' }]],
    [[{ aaaa: '::ffff:7f00:1' }]],
    [[{ aaaa: '64:ff9b::7f00:1' }]],
    [[{ a: '10.0.0.1' }, { a: '192.168.0.1' }, { aaaa: 'fd00::1' }]],
    [[{ a: '0.0.0.0' }]],
    [[{ a: '169.254.169.254' }]],
  ] as DnsZone[string][][])('a name with the records %j', async (records) => {
    zone['hooks.example.com'] = records ?? [];
    const error = await post(`https://hooks.example.com:${receiver.port}/`);
    expect(error).toBeInstanceOf(ForbiddenTarget);
    expect(String(error)).toContain('hooks.example.com leads to an address that is not public');
  });

  test('localhost, whatever the system says', async () => {
    zone.localhost = [{ a: '127.0.0.1' }];
    expect(await post(`https://localhost:${receiver.port}/`)).toBeInstanceOf(ForbiddenTarget);
  });

  test.each([
    ['127.0.0.1', [{ a: '127.0.0.1' }]],
    ['hooks.example.com', [{ a: '127.0.0.1' }, { aaaa: '::ffff:7f00:1' }]],
  ] as [string, DnsZone[string]][])(
    "the service's own addresses, public as they may be: %s",
    async (host, records) => {
      zone[host] = records;
      const error = await post(`https://${host}:${receiver.port}/`, { isPublic: () => true });
      expect(error).toBeInstanceOf(ForbiddenTarget);
      expect(String(error)).toContain("is the service's own");
      expect(receiver.received).toEqual([]);
    },
  );

  test('any address without TLS', async () => {
    expect(await post(`http://hooks.example.com:${receiver.port}/`)).toBeInstanceOf(ForbiddenTarget);
  });
});

describe('a name that changes its mind', () => {
  const isPublic = (address: string) => address === TAKEN_FOR_PUBLIC;

  test('is asked once for a connection: the address that was judged is the one that is connected to', async () => {
    let questions = 0;
    const lookup = async () => {
      questions += 1;
      return questions === 1 ? [TAKEN_FOR_PUBLIC] : ['127.0.0.1'];
    };
    const connect = createGuardedConnector({ lookup, allowPrivate: false, timeoutMs: 5_000, isPublic });
    const target = { hostname: 'hooks.example.com', protocol: 'https:', port: String(receiver.port) };
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    connect(target, (error: Error | null, _socket: unknown) => resolve(error));
    expect(await promise).toMatchObject({ code: 'ECONNREFUSED', address: TAKEN_FOR_PUBLIC });
    expect(questions).toBe(1);
  });

  test('is refused from the moment when it leads inside', async () => {
    zone['hooks.example.com'] = [{ a: TAKEN_FOR_PUBLIC }];
    const url = `https://hooks.example.com:${receiver.port}/`;
    expect(await post(url, { isPublic })).toMatchObject({ code: 'ECONNREFUSED', address: TAKEN_FOR_PUBLIC });
    zone['hooks.example.com'] = [{ a: '127.0.0.1' }];
    expect(await post(url, { isPublic })).toBeInstanceOf(ForbiddenTarget);
  });

  test('and leads to both is connected to at its public address only', async () => {
    zone['hooks.example.com'] = [{ a: '127.0.0.1' }, { a: TAKEN_FOR_PUBLIC }, { aaaa: '::1' }];
    const error = await post(`https://hooks.example.com:${receiver.port}/`, { isPublic });
    expect(error).toMatchObject({ code: 'ECONNREFUSED', address: TAKEN_FOR_PUBLIC });
  });
});
