import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { type DnsZone, startDnsServer } from '../testing/dns-server.ts';
import { openResolver } from './resolver.ts';
import { errorsOf, verifiesWithoutDns, verifyDkim, verifyReturnPath } from './verification.ts';

const KEY = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA'.repeat(8);

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A real DNS server that knows exactly this zone. Returns `host:port`. */
async function serve(zone: DnsZone): Promise<string> {
  const server = await startDnsServer(zone);
  cleanups.push(async () => server.close());
  return server.address;
}

/** A UDP socket that answers each question with what `answer` makes of it, or not at all. */
async function serveRaw(answer: (question: Buffer) => Buffer | undefined): Promise<string> {
  const socket: Socket = createSocket('udp4');
  socket.on('message', (question, peer) => {
    const reply = answer(question);
    if (reply !== undefined) socket.send(reply, peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  cleanups.push(async () => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

const LONG_ENOUGH_MS = 30_000;
const resolve = (server: string, timeoutMs = LONG_ENOUGH_MS) =>
  openResolver({ servers: [server], timeoutMs, tries: 1 });
const returnPath = { name: 'cs-bounces.example.com', target: 'return-path.mail.example.net' };
const dkim = {
  name: 'cs1._domainkey.example.com',
  target: 'cs1.dkim.mail.example.net',
  publicKey: KEY,
};

describe('verifying the Return-Path', () => {
  it('finds the record, whatever its case and trailing dot', async () => {
    const server = await serve({ 'cs-bounces.example.com': [{ cname: 'Return-Path.MAIL.example.net' }] });
    const report = await verifyReturnPath(resolve(server), {
      name: 'CS-Bounces.Example.com.',
      target: 'return-path.mail.example.net.',
    });
    expect(report.records).toMatchObject([
      { type: 'CNAME', ok: true, found: '"Return-Path.MAIL.example.net"' },
    ]);
    expect(report.ok).toBe(true);
    expect(errorsOf(report, 'RETURN_PATH_NOT_VERIFIED')).toEqual([]);
  });

  it('follows a chain of names', async () => {
    const server = await serve({
      'cs-bounces.example.com': [{ cname: 'alias.example.com' }],
      'alias.example.com': [{ cname: 'return-path.mail.example.net' }],
    });
    expect((await verifyReturnPath(resolve(server), returnPath)).ok).toBe(true);
  });

  it('ends a circle of names', async () => {
    const server = await serve({
      'cs-bounces.example.com': [{ cname: 'b.example.com' }],
      'b.example.com': [{ cname: 'cs-bounces.example.com' }],
    });
    const report = await verifyReturnPath(resolve(server), returnPath);
    expect(report).toMatchObject({ ok: false, records: [{ found: expect.stringMatching(/circle/) }] });
  });

  it('says what was expected and what was found instead', async () => {
    const server = await serve({ 'cs-bounces.example.com': [{ cname: 'elsewhere.example.org' }] });
    const report = await verifyReturnPath(resolve(server), returnPath);
    expect(errorsOf(report, 'RETURN_PATH_NOT_VERIFIED')).toEqual([
      {
        code: 'RETURN_PATH_NOT_VERIFIED',
        description:
          'CNAME record of cs-bounces.example.com: expected "return-path.mail.example.net", found "elsewhere.example.org".',
      },
    ]);
  });

  it.each([
    ['a name that does not exist', {}, /NXDOMAIN/],
    ['a name without a CNAME', { 'cs-bounces.example.com': [] }, /no such record/],
    ['a server that fails', { 'cs-bounces.example.com': 'SERVFAIL' }, /SERVFAIL/],
    ['a server that refuses', { 'cs-bounces.example.com': 'REFUSED' }, /REFUSED/],
  ] satisfies [string, DnsZone, RegExp][])('tells %s apart', async (_case, zone, words) => {
    const report = await verifyReturnPath(resolve(await serve(zone)), returnPath);
    expect(report).toMatchObject({ ok: false, records: [{ found: expect.stringMatching(words) }] });
  });

  it('gives up on a server that never answers', async () => {
    const report = await verifyReturnPath(resolve(await serveRaw(() => undefined), 250), returnPath);
    expect(report).toMatchObject({ ok: false, records: [{ found: expect.stringMatching(/in time/) }] });
  });

  it('survives a server that answers rubbish', async () => {
    const rubbish = await serveRaw((question) =>
      Buffer.concat([question.subarray(0, 2), Buffer.alloc(40, 0xff)]),
    );
    const report = await verifyReturnPath(resolve(rubbish, 250), returnPath);
    expect(report.ok).toBe(false);
    expect(report.records[0]?.found).toMatch(/cannot be read|in time/);
  });
});

describe('verifying DKIM', () => {
  const record = `v=DKIM1; k=rsa; p=${KEY}`;

  it('needs both CNAMEs and the key behind each, joined from several strings', async () => {
    const server = await serve({
      'cs1._domainkey.example.com': [{ cname: 'cs1.dkim.mail.example.net' }],
      'cs1.dkim.mail.example.net': [{ txt: [record.slice(0, 200), record.slice(200)] }],
      'cs2._domainkey.example.com': [{ cname: 'cs2.dkim.mail.example.net' }],
      'cs2.dkim.mail.example.net': [
        { txt: 'something else' },
        { txt: [`p=${KEY.slice(0, 200)} `, `${KEY.slice(200)};t=s`] },
      ],
    });
    const second = { ...dkim, name: 'cs2._domainkey.example.com', target: 'cs2.dkim.mail.example.net' };
    const pem = `-----BEGIN PUBLIC KEY-----\n${KEY}\n-----END PUBLIC KEY-----\n`;
    const report = await verifyDkim(resolve(server), [dkim, { ...second, publicKey: pem }]);
    expect(report.records.map(({ type, ok }) => [type, ok])).toEqual([
      ['CNAME', true],
      ['TXT', true],
      ['CNAME', true],
      ['TXT', true],
    ]);
    expect(report.ok).toBe(true);
  });

  it('names each record that is wrong, once', async () => {
    const server = await serve({
      'cs1._domainkey.example.com': [{ cname: 'cs1.dkim.mail.example.net' }],
      'cs1.dkim.mail.example.net': [{ txt: 'v=DKIM1; k=rsa; p=QUJD' }],
    });
    const missing = { ...dkim, name: 'cs2._domainkey.example.com', target: 'cs2.dkim.mail.example.net' };
    const errors = errorsOf(await verifyDkim(resolve(server), [dkim, missing]), 'DKIM_NOT_VERIFIED');
    expect(errors).toHaveLength(2);
    expect(errors[0]?.description).toMatch(
      /^TXT record of cs1\.dkim\.mail\.example\.net: expected "v=DKIM1; k=rsa; p=MII.*found "v=DKIM1; k=rsa; p=QUJD"\.$/,
    );
    expect(errors[1]?.description).toMatch(/^CNAME record of cs2\._domainkey\.example\.com: .*NXDOMAIN/);
  });

  it.each(['v=DKIM2; p=KEY', 'v=DKIM1; k=ed25519; p=KEY', 'v=DKIM1; p=', 'p=KEYx', '__proto__=KEY'])(
    'does not take %j for the key',
    async (text) => {
      const server = await serve({
        'cs1._domainkey.example.com': [{ cname: 'cs1.dkim.mail.example.net' }],
        'cs1.dkim.mail.example.net': [{ txt: text.replace('KEY', KEY).match(/.{1,200}/g) ?? '' }],
      });
      expect((await verifyDkim(resolve(server), [dkim])).ok).toBe(false);
    },
  );

  it('makes hostile answers safe to show', async () => {
    const hostile = ['\u0000\u001b[31m<script>\r\n', '\u202e', 'x'.repeat(250)];
    const server = await serve({
      'cs1._domainkey.example.com': [{ cname: 'cs1.dkim.mail.example.net' }],
      'cs1.dkim.mail.example.net': Array.from({ length: 60 }, () => ({
        txt: [...hostile, 'y'.repeat(250), 'z'.repeat(250)],
      })),
    });
    const [, key] = (await verifyDkim(resolve(server), [dkim])).records;
    expect(key).toMatchObject({ type: 'TXT', ok: false, found: expect.stringMatching(/and 55 more$/) });
    expect(key?.found).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(key?.found.length).toBeLessThan(2000);
  });
});

describe('verification without DNS', () => {
  it.each([
    ['demo.test', 'sandbox', true],
    ['Demo.TEST.', 'sandbox', true],
    ['demo.test', 'relay', false],
    ['demo.test', 'mx', false],
    ['test', 'sandbox', false],
    ['contest', 'sandbox', false],
    ['demo.test.example.com', 'sandbox', false],
  ] as const)('%s in mode %s: %s', (domain, mode, expected) =>
    expect(verifiesWithoutDns(domain, mode)).toBe(expected),
  );
});

describe('the servers to ask', () => {
  it.each(['127.0.0.1', '127.0.0.1:5353', '[::1]:5353', '::1', ' 192.0.2.1 '])('takes %j', (server) => {
    expect(() => openResolver({ servers: [server] })).not.toThrow();
  });

  it.each(['dns.example.com', '127.0.0.1:0', '127.0.0.1:70000', '[::1', '', '1.2.3'])(
    'refuses %j with one clear line',
    (server) => {
      expect(() => openResolver({ servers: [server] })).toThrow(/is not the address of a DNS server/);
    },
  );
});
