import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import type { DnsAnswer, DnsResolver, MxRecord } from '../dns/resolver.ts';
import { StartupError } from '../errors.ts';
import { createAuthority, createServerCertificate } from '../http/local-ca.ts';
import { type ComposedMail, NotAttempted, type Transport } from './mail.ts';
import { openTransport } from './transport.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const TIMEOUTS = { connectMs: 1500, silenceMs: 1500, attemptMs: 4000 };

function mail(change: Partial<ComposedMail> = {}): ComposedMail {
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
const selfSigned = async () => createServerCertificate(await createAuthority(new Date()), new Date());

/** A real SMTP server that keeps what it gets. */
async function peer(options: SMTPServerOptions = {}, host = '127.0.0.1') {
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
  const listener = server.listen(0, host);
  await once(listener, 'listening');
  cleanups.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = listener.address() as AddressInfo;
  return { port, received, connections: () => connections, mostAtOnce: () => mostAtOnce };
}

/** A server that plays a script: for each line of the client, what it answers. */
async function scripted(
  answer: (line: string, socket: Socket) => string | undefined,
  greeting = '220 scripted',
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
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
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

function politely(change: Record<string, string>) {
  const replies = { ...POLITE, ...change };
  return (line: string) => replies[line.split(/[ :]/, 1)[0] ?? ''] ?? '500 What?';
}

function open(options: Parameters<typeof openTransport>[0]): Transport {
  const transport = openTransport({ timeouts: TIMEOUTS, ...options });
  cleanups.push(() => transport.close(0));
  return transport;
}

const toPort = (port: number, limits = {}) =>
  open({ route: { mode: 'sandbox', sinkPort: port }, mailHostname: 'mail.sendspec.test', limits });
const relayTo = (url: string) => open({ route: { mode: 'relay', url }, mailHostname: 'mail.sendspec.test' });

describe('a server that takes the mail', () => {
  it('gets the content byte for byte, with its envelope', async () => {
    const server = await peer();
    const attempt = await toPort(server.port).send(mail());
    expect(attempt).toMatchObject({
      verdict: { event: 'delivery', retry: false },
      host: `127.0.0.1:${server.port}`,
    });
    expect(attempt.response).toMatch(/^250 .*Kept$/);
    expect(server.received).toEqual([
      {
        from: 'b-1@bounces.demo.test',
        to: ['ann@example.com'],
        raw: mail().raw.toString(),
        secure: false,
        smtpUtf8: false,
      },
    ]);
    expect(attempt.transcript).toMatch(/^S: 220 .*\nC: EHLO mail\.sendspec\.test\n/);
    expect(attempt.transcript).not.toContain('A body');
  });

  it('gets many mails over few connections, one after another', async () => {
    const server = await peer();
    const transport = toPort(server.port, { connections: 3, messagesPerConnection: 10 });
    const attempts = await Promise.all(
      Array.from({ length: 45 }, (_, i) => transport.send(mail({ recipient: `u${i}@example.com` }))),
    );
    expect(attempts.map(({ verdict }) => verdict.event)).toEqual(Array(45).fill('delivery'));
    expect(new Set(server.received.map(({ to }) => to[0])).size).toBe(45);
    expect(server.mostAtOnce()).toBeLessThanOrEqual(3);
    expect(server.connections()).toBeGreaterThanOrEqual(5);
    expect(server.connections()).toBeLessThanOrEqual(8);
  });

  it('keeps a connection on which a recipient was refused', async () => {
    const server = await peer({
      onRcptTo: ({ address }, _session, done) =>
        done(
          address.startsWith('no')
            ? Object.assign(new Error('5.1.1 User unknown'), { responseCode: 550 })
            : null,
        ),
    });
    const transport = toPort(server.port, { connections: 1 });
    const [refused, taken] = [
      await transport.send(mail({ recipient: 'no@example.com' })),
      await transport.send(mail()),
    ];
    expect(refused).toMatchObject({
      verdict: { event: 'hard_bounce', retry: false },
      response: '550 5.1.1 User unknown',
    });
    expect(taken.verdict.event).toBe('delivery');
    expect(server.connections()).toBe(1);
  });

  it('is tried again on a fresh connection when it has closed an idle one', async () => {
    let mails = 0;
    const server = await scripted((line, socket) => {
      if (line === '.') mails += 1;
      const answer = politely({})(line);
      if (line === '.' && mails === 1) setImmediate(() => socket.resetAndDestroy());
      return answer;
    });
    const transport = toPort(server.port, { connections: 1 });
    expect((await transport.send(mail())).verdict.event).toBe('delivery');
    expect((await transport.send(mail())).verdict.event).toBe('delivery');
    expect(server.connections()).toBe(2);
  });
});

describe('a server that refuses', () => {
  it.each([
    ['greeting', '', '554 5.7.1 No', { event: 'soft_bounce', retry: false }],
    ['greeting, for now', '', '421 4.3.2 Busy', { event: 'soft_bounce', retry: true }],
    ['MAIL', 'MAIL', '550 5.1.8 Sender', { event: 'soft_bounce', retry: false }],
    ['MAIL, for now', 'MAIL', '451 4.7.1 Later', { event: 'soft_bounce', retry: true }],
    ['RCPT', 'RCPT', '550 5.1.1 Unknown', { event: 'hard_bounce', retry: false }],
    ['RCPT, mailbox full', 'RCPT', '552 5.2.2 Full', { event: 'soft_bounce', retry: false }],
    ['RCPT, greylisting', 'RCPT', '450 4.2.0 Greylisted', { event: 'soft_bounce', retry: true }],
    ['RCPT, closing', 'RCPT', '421 4.7.0 Bye', { event: 'soft_bounce', retry: true }],
    ['DATA', 'DATA', '554 5.5.1 No valid recipients', { event: 'soft_bounce', retry: false }],
    ['the content', '.', '554 5.7.1 Spam', { event: 'soft_bounce', retry: false }],
    ['the content, of an unknown user', '.', '550 5.1.1 Unknown', { event: 'hard_bounce', retry: false }],
    ['the content, for now', '.', '452 4.3.1 Disk', { event: 'soft_bounce', retry: true }],
  ] as const)('at %s', async (_case, command, reply, verdict) => {
    const server =
      command === ''
        ? await scripted(() => undefined, reply)
        : await scripted(politely({ [command]: reply }));
    const attempt = await toPort(server.port).send(mail());
    expect(attempt).toMatchObject({ verdict, response: reply });
  });

  it('is judged by what it says when it pipelines too', async () => {
    const server = await scripted(
      politely({ EHLO: '250-scripted\r\n250 PIPELINING', RCPT: '550 5.1.1 Unknown' }),
    );
    expect(await toPort(server.port).send(mail())).toMatchObject({
      verdict: { event: 'hard_bounce' },
      response: '550 5.1.1 Unknown',
    });
  });

  it('has its text made safe to store and show', async () => {
    const server = await scripted(
      politely({ RCPT: `550-5.1.1 a\u0000\u001b[31m\r\n550 ${'x'.repeat(5000)}` }),
    );
    const attempt = await toPort(server.port).send(mail());
    expect(attempt.response).toMatch(/^550-5\.1\.1 a \[31m 550 x+…$/);
    expect(attempt.response.length).toBeLessThanOrEqual(1000);
    expect(attempt.transcript).not.toMatch(/[^\P{Cc}\n]/u);
  });
});

const LATER = { event: 'soft_bounce', retry: true };

describe('a server that breaks', () => {
  it.each(['EHLO', 'MAIL', 'RCPT', 'DATA', '.'])(
    'and drops the connection at %s is tried again later',
    async (command) => {
      const server = await scripted((line, socket) => {
        if (!line.startsWith(command)) return politely({})(line);
        socket.destroy();
        return undefined;
      });
      const attempt = await toPort(server.port).send(mail());
      expect(attempt.verdict).toEqual(LATER);
      expect(attempt.response).toMatch(/^4\.4\.[12] /);
    },
  );

  it.each(['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA', '.'])(
    'and falls silent at %s is given up and tried again later',
    async (command) => {
      const server = await scripted(
        (line) => (line.startsWith(command) ? undefined : politely({})(line)),
        command === 'greeting' ? '' : undefined,
      );
      const attempt = await open({
        route: { mode: 'sandbox', sinkPort: server.port },
        mailHostname: 'mail.sendspec.test',
        timeouts: { connectMs: 200, silenceMs: 200 },
      }).send(mail());
      expect(attempt.verdict).toEqual(LATER);
      expect(attempt.response).toMatch(/^4\.4\.[12] /);
    },
  );

  it('and drips its answer for ever is cut off', async () => {
    const server = await scripted((line, socket) => {
      if (line !== '.') return politely({})(line);
      const drip = setInterval(
        () => (socket.destroyed ? clearInterval(drip) : socket.write('250-x\r\n')),
        20,
      );
      return undefined;
    });
    const transport = open({
      route: { mode: 'sandbox', sinkPort: server.port },
      mailHostname: 'mail.sendspec.test',
      timeouts: { attemptMs: 300 },
    });
    expect((await transport.send(mail())).verdict).toEqual(LATER);
  });

  it.each(['HTTP/1.1 400 Bad Request', '220', '\u0000\u0001\u0002'])(
    'and greets with %j is tried again later',
    async (greeting) => {
      const server = await scripted(() => 'rubbish', greeting);
      expect((await toPort(server.port).send(mail())).verdict).toEqual(LATER);
    },
  );

  it('and is not there is tried again later', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const attempt = await toPort(port).send(mail());
    expect(attempt).toMatchObject({
      verdict: LATER,
      response: expect.stringMatching(/^4\.4\.1 .*ECONNREFUSED/),
    });
  });
});

describe('what a mail needs', () => {
  it('is refused for good when the server is too small for it', async () => {
    const server = await scripted(politely({ EHLO: '250-scripted\r\n250 SIZE 10' }));
    expect(await toPort(server.port).send(mail())).toMatchObject({
      verdict: { event: 'soft_bounce', retry: false },
      response: expect.stringMatching(/^5\.3\.4 /),
    });
  });

  it('is SMTPUTF8 for an address beyond ASCII', async () => {
    const international = mail({ recipient: 'añn@example.com', headersNeedUtf8: true });
    const [able, unable] = [await peer(), await scripted(politely({}))];
    expect((await toPort(able.port).send(international)).verdict.event).toBe('delivery');
    expect(able.received).toMatchObject([{ to: ['añn@example.com'], smtpUtf8: true }]);
    expect(await toPort(unable.port).send(international)).toMatchObject({
      verdict: { event: 'soft_bounce', retry: false },
      response: expect.stringMatching(/^5\.6\.7 /),
    });
  });

  it('cannot smuggle a second mail in its content', async () => {
    const server = await peer();
    const raw = Buffer.from('Subject: x\r\n\r\na\n.\nMAIL FROM:<evil@x.y>\nb\r.\rc\r\n.\r\nd\r\n');
    expect((await toPort(server.port).send(mail({ raw }))).verdict.event).toBe('delivery');
    expect(server.received).toHaveLength(1);
  });

  it.each(['a@b.c>\r\nRCPT TO:<d@e.f', 'a@b.c\r\nDATA'])(
    'cannot smuggle a command in the address %j',
    async (recipient) => {
      const server = await peer();
      expect((await toPort(server.port).send(mail({ recipient }))).verdict).toEqual({
        event: 'soft_bounce',
        retry: false,
      });
      expect(server.received).toEqual([]);
    },
  );
});

describe('TLS and passwords', () => {
  const secure = async () => ({ disabledCommands: [], ...(await selfSigned()) });

  it('encrypts to a relay that offers it', async () => {
    const server = await peer(await secure());
    expect((await relayTo(`smtp://127.0.0.1:${server.port}`).send(mail())).verdict.event).toBe('delivery');
    expect(server.received).toMatchObject([{ secure: true }]);
  });

  it('does not trust a certificate that nobody vouches for, where encryption is required', async () => {
    const server = await peer(await secure());
    const attempt = await relayTo(`smtp://127.0.0.1:${server.port}?tls=require`).send(mail());
    expect(attempt).toMatchObject({ verdict: LATER, response: expect.stringMatching(/^4\.7\.5 /) });
    expect(server.received).toEqual([]);
  });

  it('sends nothing to a relay without TLS where it is required', async () => {
    const server = await peer();
    expect((await relayTo(`smtp://127.0.0.1:${server.port}?tls=require`).send(mail())).verdict).toEqual(
      LATER,
    );
    expect(server.received).toEqual([]);
  });

  it('logs in, keeps the password out of the transcript, and keeps the mail when the password is wrong', async () => {
    const server = await peer({
      allowInsecureAuth: true,
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        username === 'us' && password === 'p@ss'
          ? done(null, { user: 'us' })
          : done(Object.assign(new Error('Bad credentials'), { responseCode: 535 })),
    });
    const good = await relayTo(`smtp://us:p%40ss@127.0.0.1:${server.port}`).send(mail());
    expect(good.verdict.event).toBe('delivery');
    expect(good.transcript).not.toContain(Buffer.from('\0us\0p@ss').toString('base64'));
    const bad = await relayTo(`smtp://us:wrong@127.0.0.1:${server.port}`).send(mail());
    expect(bad).toMatchObject({ verdict: LATER, response: expect.stringMatching(/^535 /) });
  });

  it.each(['http://x', 'smtp://', 'nonsense', 'smtp://x?tls=maybe', 'smtp://%zz@x'])(
    'refuses the relay %j at start',
    (url) => {
      expect(() => relayTo(url)).toThrow(StartupError);
    },
  );
});

function resolverOf(mx: DnsAnswer<MxRecord>, addresses: Record<string, string[]> = {}): DnsResolver {
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
      'an MX without an address',
      { ok: true, values: [{ exchange: 'gone.example.com', priority: 10 }] },
      '5.1.2',
      { event: 'hard_bounce', retry: false },
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

describe('closing', () => {
  it('lets what runs finish, and begins nothing new', async () => {
    const finish: (() => void)[] = [];
    const server = await peer({
      onRcptTo: (_address, _session, done) => {
        finish.push(() => done());
      },
    });
    const transport = toPort(server.port, { connections: 1 });
    const running = transport.send(mail());
    const waiting = transport.send(mail());
    const outcome = expect(waiting).rejects.toThrow(NotAttempted);
    await expect.poll(() => finish.length).toBe(1);
    const closed = transport.close(10_000);
    await outcome;
    await expect(transport.send(mail())).rejects.toThrow(NotAttempted);
    finish[0]?.();
    expect((await running).verdict.event).toBe('delivery');
    await closed;
  });

  it('cuts off what does not finish, without an outcome', async () => {
    let asked = 0;
    const server = await peer({
      onRcptTo: () => {
        asked += 1;
      },
      closeTimeout: 10,
    });
    const transport = toPort(server.port);
    const outcome = expect(transport.send(mail())).rejects.toThrow(NotAttempted);
    await expect.poll(() => asked).toBe(1);
    await transport.close(20);
    await outcome;
  });
});
