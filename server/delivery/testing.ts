import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';
import { type DnsAnswer, type DnsResolver, type MxRecord, openResolver } from '../dns/resolver.ts';
import { createAuthority, createServerCertificate } from '../http/local-ca.ts';
import { type DnsZone, startDnsServer } from '../testing/dns-server.ts';
import type { ComposedMail, Transport } from './mail.ts';
import { openTransport } from './transport.ts';

// For tests of everything that speaks SMTP: real servers on loopback, closed after each test.

const TIMEOUTS = { connectMs: 5000, crowdedConnectMs: 5000, silenceMs: 5000, attemptMs: 10_000 };

/** A mail that can be sent as it is. */
export function mail(change: Partial<ComposedMail> = {}): ComposedMail {
  const raw = Buffer.from('Subject: Hello\r\n\r\nA body\r\n.with dots\r\n..\r\n');
  return {
    mailFrom: 'b-1@bounces.demo.test',
    recipient: 'ann@example.com',
    raw,
    headersNeedUtf8: false,
    ...change,
  };
}

interface Received {
  from: string;
  to: string[];
  raw: string;
  secure: boolean;
  smtpUtf8: boolean;
}

/** A certificate of an authority that nobody has heard of. */
export const selfSigned = async () => createServerCertificate(await createAuthority(new Date()), new Date());

/** A real SMTP server that keeps what it gets. */
export async function peer(options: SMTPServerOptions = {}, host = '127.0.0.1', port = 0) {
  const received: Received[] = [];
  let connections = 0;
  let atOnce = 0;
  let mostAtOnce = 0;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    logger: false,
    disableReverseLookup: true,
    onConnect(_session, done) {
      connections += 1;
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      done();
    },
    onClose() {
      atOnce -= 1;
    },
    async onData(stream, session, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const { mailFrom, rcptTo, smtpUtf8 } = session.envelope;
      received.push({
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        raw: Buffer.concat(chunks).toString(),
        secure: session.secure,
        smtpUtf8: smtpUtf8 === true,
      });
      done(null, '2.0.0 Kept');
    },
    ...options,
  });
  server.on('error', () => {});
  const listener = server.listen(port, host);
  await once(listener, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return {
    port: portOf(listener),
    received,
    connections: () => connections,
    atOnce: () => atOnce,
    mostAtOnce: () => mostAtOnce,
  };
}

/** A server that plays a script: for each line of the client, what it answers. */
export async function scripted(
  answer: (line: string, socket: Socket) => string | undefined,
  greeting = '220 scripted',
  host = '127.0.0.1',
  port = 0,
) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let inData = false;
    let buffered = '';
    socket.on('error', () => {});
    if (greeting !== '') socket.write(`${greeting}\r\n`);
    socket.on('data', (chunk) => {
      buffered += chunk;
      for (let end = buffered.indexOf('\r\n'); end !== -1; end = buffered.indexOf('\r\n')) {
        const line = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        if (inData && line !== '.') continue;
        inData = false;
        const reply = answer(line, socket);
        if (reply === undefined) continue;
        if (reply.startsWith('354')) inData = true;
        socket.write(`${reply}\r\n`);
      }
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: portOf(server), connections: () => connections };
}

const POLITE: Record<string, string> = {
  EHLO: '250 scripted',
  MAIL: '250 Ok',
  RCPT: '250 Ok',
  DATA: '354 Go',
  '.': '250 2.0.0 Ok',
  RSET: '250 Ok',
  QUIT: '221 Bye',
};

/** The answers of a server that takes everything, with some of them changed. */
export function politely(change: Record<string, string>) {
  const replies = { ...POLITE, ...change };
  return (line: string) => replies[line.split(/[ :]/, 1)[0] ?? ''] ?? '500 What?';
}

/** A transport that is closed after the test. */
export function open(options: Parameters<typeof openTransport>[0]): Transport {
  const transport = openTransport({ timeouts: TIMEOUTS, ...options });
  onTestFinished(() => transport.close(0));
  return transport;
}

/** A transport to the mail hosts of the zone, which a real DNS server names. */
export async function transportFor(
  zone: DnsZone,
  port: number,
  options: Partial<Parameters<typeof open>[0]> = {},
): Promise<Transport> {
  const dns = await startDnsServer(zone);
  onTestFinished(() => dns.close());
  const resolver = openResolver({ servers: [dns.address], timeoutMs: 1000, tries: 1 });
  const route = { mode: 'mx', resolver, port, allowPrivateAddresses: true } as const;
  return open({ route, mailHostname: 'mail.sendspec.test', ...options });
}

export const toPort = (port: number, limits = {}) =>
  open({ route: { mode: 'sandbox', sinkPort: port }, mailHostname: 'mail.sendspec.test', limits });
export const relayTo = (url: string) =>
  open({ route: { mode: 'relay', url }, mailHostname: 'mail.sendspec.test' });

/** The verdict of an attempt that failed for now. */
export const LATER = { event: 'soft_bounce', retry: true };

/** The port that a server listens on. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server is not listening.');
  return address.port;
}

/** A DNS with these mail hosts and addresses and nothing else. */
export function resolverOf(mx: DnsAnswer<MxRecord>, addresses: Record<string, string[]> = {}): DnsResolver {
  const none = { ok: false, failure: 'empty' } as const;
  return {
    mx: async () => mx,
    addresses: async (name) =>
      addresses[name] === undefined
        ? { ok: false, failure: 'missing' }
        : { ok: true, values: addresses[name] },
    cname: async () => none,
    txt: async () => none,
  };
}
