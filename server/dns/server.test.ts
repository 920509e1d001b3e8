import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { answerFrom, buildZone } from './authority.ts';
import { createResponseRate } from './response-rate.ts';
import { type DnsServer, startDnsServer } from './server.ts';
import { RCODE, readQuery, TYPE, writeReply, writeUdpReply } from './wire.ts';
import { createZoneSource } from './zone-source.ts';

const APEX = 'mail.example.com';
const KEY = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'.repeat(16);
const FACTS = { mailHostname: APEX, addresses: ['192.0.2.1', '2001:db8::25', '::ffff:192.0.2.9'] };
const TARGET = `cs1-0123456789ab.dkim.${APEX}`;
const ZONE = buildZone(FACTS, [{ target: TARGET, publicKey: KEY }], 7);

let server: DnsServer | undefined;
const faults: unknown[] = [];
afterEach(async () => {
  await server?.close();
  server = undefined;
  expect(faults.splice(0)).toEqual([]);
});

async function serve(options: { zone?: () => Promise<typeof ZONE>; answersPerSecond?: number } = {}) {
  server = await startDnsServer({
    host: '127.0.0.1',
    port: 0,
    zone: async () => ZONE,
    onFault: (error) => void faults.push(error),
    ...options,
  });
  const resolver = new Resolver({ timeout: 30_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${server.port}`]);
  return { port: server.port, resolver };
}

interface Asked {
  type?: number;
  class?: number;
  flags?: number;
  counts?: [number, number, number, number];
  additional?: Buffer;
}

/** A question as it goes over the wire. */
function questionOf(name: string, asked: Asked = {}): Buffer {
  const [questions, answers, authorities, additional] = asked.counts ?? [1, 0, 0, asked.additional ? 1 : 0];
  const header = Buffer.alloc(12);
  [0xbeef, asked.flags ?? 0x0100, questions, answers, authorities, additional].forEach((value, index) => {
    header.writeUInt16BE(value, index * 2);
  });
  const labels = name
    .split('.')
    .flatMap((label) => [Buffer.from([Buffer.byteLength(label)]), Buffer.from(label)]);
  const end = Buffer.alloc(5);
  end.writeUInt16BE(asked.type ?? TYPE.TXT, 1);
  end.writeUInt16BE(asked.class ?? 1, 3);
  return Buffer.concat([header, ...labels, end, asked.additional ?? Buffer.alloc(0)]);
}

/** An OPT record (RFC 6891): what the asker can take. */
const edns = (size: number, version = 0) =>
  Buffer.from([0, 0, TYPE.OPT, size >> 8, size & 0xff, 0, version, 0, 0, 0, 0]);

const headerOf = (reply: Buffer) => {
  const flags = reply.readUInt16BE(2);
  return {
    id: reply.readUInt16BE(0),
    isResponse: flags >> 15 === 1,
    authoritative: (flags & 0x0400) !== 0,
    truncated: (flags & 0x0200) !== 0,
    recursion: (flags & 0x0080) !== 0,
    rcode: flags & 0xf,
    counts: [4, 6, 8, 10].map((at) => reply.readUInt16BE(at)),
  };
};

/** Asks over UDP; undefined when nothing comes back before an answer to a sound question does. */
async function askUdp(port: number, message: Buffer): Promise<Buffer | undefined> {
  const socket = createSocket('udp4');
  const replies: Buffer[] = [];
  socket.on('message', (reply) => replies.push(reply));
  const last = questionOf(APEX, { type: TYPE.SOA });
  last.writeUInt16BE(0x0001, 0);
  socket.send(message, port, '127.0.0.1');
  socket.send(last, port, '127.0.0.1');
  await expect.poll(() => replies.some((reply) => reply.readUInt16BE(0) === 1)).toBe(true);
  socket.close();
  return replies.find((reply) => reply.readUInt16BE(0) !== 1);
}

test('a resolver finds every record of the zone', async () => {
  const { resolver } = await serve();
  const upper = `BOUNCES.${APEX.toUpperCase()}`;
  expect(await resolver.resolveMx(upper)).toMatchObject([{ exchange: APEX, priority: 10 }]);
  expect(await resolver.resolveTxt(`bounces.${APEX}`)).toEqual([[`v=spf1 a:${APEX} -all`]]);
  expect((await resolver.resolveTxt(TARGET)).map((parts) => parts.join(''))).toEqual([
    `v=DKIM1; k=rsa; p=${KEY}`,
  ]);
  expect(await resolver.resolve4(APEX)).toEqual(['192.0.2.1']);
  expect(await resolver.resolve6(APEX)).toEqual(['2001:db8::25', '::ffff:192.0.2.9']);
  expect(await resolver.resolveNs(APEX)).toEqual([APEX]);
  expect(await resolver.resolveSoa(APEX)).toMatchObject({
    nsname: APEX,
    hostmaster: `hostmaster.${APEX}`,
    serial: 7,
    minttl: 60,
  });
});

test.each([
  ['a name that is not there', `nobody.dkim.${APEX}`, 'ENOTFOUND'],
  ['a name without such a record', APEX, 'ENODATA'],
  ['a name that only has others below it', `dkim.${APEX}`, 'ENODATA'],
  ['a name of another zone', 'example.com', 'EREFUSED'],
  ['a name that only ends alike', `x${APEX}`, 'EREFUSED'],
])('%s is told from the others', async (_case, name, code) => {
  const { resolver } = await serve();
  await expect(resolver.resolveTxt(name)).rejects.toMatchObject({ code });
});

test('a negative answer carries the SOA record, and an answer keeps the case of the question', async () => {
  const { port } = await serve();
  const question = questionOf('NoBody.Mail.Example.com');
  const reply = (await askUdp(port, question)) ?? Buffer.alloc(12);
  expect(headerOf(reply)).toEqual({
    id: 0xbeef,
    isResponse: true,
    authoritative: true,
    truncated: false,
    recursion: false,
    rcode: RCODE.NXDOMAIN,
    counts: [1, 0, 1, 0],
  });
  expect(reply.subarray(12, question.length)).toEqual(question.subarray(12));
});

test('what does not fit is cut off over UDP, fits with EDNS, and is whole over TCP', async () => {
  const { port } = await serve();
  const plain = (await askUdp(port, questionOf(TARGET))) ?? Buffer.alloc(12);
  expect(headerOf(plain)).toMatchObject({ truncated: true, counts: [1, 0, 0, 0] });
  expect(plain.length).toBeLessThanOrEqual(512);
  const wide = (await askUdp(port, questionOf(TARGET, { additional: edns(4096) }))) ?? Buffer.alloc(12);
  expect(headerOf(wide)).toMatchObject({ truncated: false, counts: [1, 1, 0, 1] });

  const connection = connect(port, '127.0.0.1');
  await once(connection, 'connect');
  const question = questionOf(TARGET);
  const framed = Buffer.concat([Buffer.from([0, question.length]), question]);
  // Two questions, in pieces as the network may cut them.
  const stream = Buffer.concat([framed, framed]);
  connection.write(stream.subarray(0, 1));
  connection.write(stream.subarray(1, 40));
  connection.write(stream.subarray(40));
  let received = Buffer.alloc(0);
  connection.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
  });
  await expect
    .poll(() => received.length > 2 && received.length === 2 * (received.readUInt16BE(0) + 2))
    .toBe(true);
  expect(headerOf(received.subarray(2))).toMatchObject({ truncated: false, counts: [1, 1, 0, 0] });
  connection.destroy();
});

test.each<[string, Buffer, number | undefined]>([
  ['nothing', Buffer.alloc(0), undefined],
  ['half a header', questionOf(APEX).subarray(0, 11), undefined],
  ['a response, or two servers would talk for ever', questionOf(APEX, { flags: 0x8100 }), undefined],
  ['another opcode', questionOf(APEX, { flags: 0x2800 }), RCODE.NOTIMP],
  ['no question', questionOf(APEX, { counts: [0, 0, 0, 0] }), RCODE.FORMERR],
  ['two questions', questionOf(APEX, { counts: [2, 0, 0, 0] }), RCODE.FORMERR],
  ['an answer in a question', questionOf(APEX, { counts: [1, 1, 0, 0] }), RCODE.FORMERR],
  [
    'a name that never ends',
    Buffer.concat([questionOf(APEX).subarray(0, 12), Buffer.alloc(600, 1)]),
    RCODE.FORMERR,
  ],
  ['a label that is too long', questionOf(`${'x'.repeat(64)}.${APEX}`), RCODE.FORMERR],
  [
    'a pointer to itself',
    Buffer.concat([questionOf(APEX).subarray(0, 12), Buffer.from([0xc0, 12, 0, 1, 0, 1])]),
    RCODE.FORMERR,
  ],
  ['something behind its end', Buffer.concat([questionOf(APEX), Buffer.from([1])]), RCODE.FORMERR],
  [
    'two OPT records',
    questionOf(APEX, { counts: [1, 0, 0, 2], additional: Buffer.concat([edns(512), edns(512)]) }),
    RCODE.FORMERR,
  ],
  ['more records than there are', questionOf(APEX, { counts: [1, 0, 0, 65_535] }), RCODE.FORMERR],
  ['a later version of EDNS', questionOf(APEX, { additional: edns(512, 1) }), RCODE.BADVERS & 0xf],
  ['another class', questionOf(APEX, { class: 3 }), RCODE.REFUSED],
  ['a copy of the zone', questionOf(APEX, { type: TYPE.AXFR }), RCODE.REFUSED],
  ['the root', questionOf('').subarray(0, 12 + 5), RCODE.REFUSED],
  ['a label with a dot in it', questionOf(`x.${APEX}`).fill(0x2e, 13, 14), RCODE.REFUSED],
  ['a letter that only JavaScript lowers', questionOf(`\u212a.${APEX}`), RCODE.NXDOMAIN],
])('%s', async (_case, message, rcode) => {
  const { port } = await serve();
  const reply = await askUdp(port, message);
  expect(reply === undefined ? undefined : headerOf(reply).rcode).toBe(rcode);
});

test('a question for everything gets one kind of records', async () => {
  const { port } = await serve();
  const reply = (await askUdp(port, questionOf(APEX, { type: TYPE.ANY }))) ?? Buffer.alloc(12);
  expect(headerOf(reply)).toMatchObject({ rcode: RCODE.NOERROR, counts: [1, 1, 0, 0] });
});

test('no bytes make it throw, and what it answers is never longer than may be', () => {
  const sound = fc
    .tuple(fc.constantFrom(APEX, TARGET, `x.${APEX}`, 'example.org'), fc.nat(260), fc.nat(70_000))
    .map(([name, type, size]) => questionOf(name, { type, additional: edns(size & 0xffff) }));
  const damaged = fc
    .tuple(sound, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }), fc.nat())
    .map(([message, changes, cut]) => {
      const copy = Buffer.from(message);
      for (const [at, value] of changes) copy[at % copy.length] = value;
      return copy.subarray(0, cut % 4 === 0 ? cut % copy.length : copy.length);
    });
  const rubbish = fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(fc.oneof(sound, damaged, rubbish), (message) => {
      const query = readQuery(message);
      if (query === undefined) return;
      const reply = answerFrom(ZONE, query);
      const udp = writeUdpReply(query, reply);
      expect(udp.length).toBeLessThanOrEqual(Math.max(512, Math.min(query.edns?.udpSize ?? 512, 1232)));
      expect(headerOf(udp)).toMatchObject({ id: query.id, isResponse: true, recursion: false });
      expect(writeReply(query, reply).length).toBeLessThan(65_536);
    }),
    { numRuns: 3000 },
  );
});

test('a connection that sends rubbish is closed, and the others go on', async () => {
  const { port, resolver } = await serve();
  const rude = connect(port, '127.0.0.1');
  rude.on('error', () => undefined);
  rude.write(Buffer.alloc(70_000, 0xff));
  await new Promise((resolve) => rude.once('close', resolve));
  const reset = connect(port, '127.0.0.1');
  await once(reset, 'connect');
  reset.write(Buffer.concat([Buffer.from([0, 200]), questionOf(APEX)]));
  reset.resetAndDestroy();
  expect(await resolver.resolve4(APEX)).toEqual(['192.0.2.1']);
});

test('a network that asks too much is sent to TCP, or nothing; another one is not', () => {
  let now = 0;
  const rate = createResponseRate(2, () => now);
  expect(['192.0.2.1', '192.0.2.2', '::ffff:192.0.2.3', '192.0.2.4', '192.0.2.5'].map(rate)).toEqual([
    'send',
    'send',
    'drop',
    'truncate',
    'drop',
  ]);
  expect(['198.51.100.1', '2001:db8:0:1::1', '2001:db8:0:1::2', '2001:db8:0:1::3'].map(rate)).toEqual([
    'send',
    'send',
    'send',
    'drop',
  ]);
  now = 1000;
  expect(rate('192.0.2.1')).toBe('send');
});

test('a zone that cannot be read is SERVFAIL; one that was read once stays', async () => {
  let failing = true;
  const read: unknown[] = [];
  const zone = createZoneSource(
    FACTS,
    async () => {
      if (failing) throw new Error('The database is away.');
      return [{ target: TARGET, publicKey: KEY }];
    },
    (error) => void read.push(error),
  );
  const { resolver } = await serve({ zone });
  await expect(resolver.resolveTxt(TARGET)).rejects.toMatchObject({ code: 'ESERVFAIL' });
  failing = false;
  expect(await resolver.resolveTxt(TARGET)).toHaveLength(1);
  failing = true;
  expect(await resolver.resolveTxt(TARGET)).toHaveLength(1);
  expect(read).toHaveLength(1);
});

test('a port that is in use is named with its setting', async () => {
  const { port } = await serve();
  const second = startDnsServer({
    host: '127.0.0.1',
    port,
    zone: async () => ZONE,
    onFault: () => undefined,
  });
  await expect(second).rejects.toMatchObject({
    message: `Port ${port} for the DNS server is in use by another program.`,
    hint: expect.stringContaining('SENDSPEC_DNS_PORT'),
  });
});
