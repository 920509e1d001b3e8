import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { LATER, mail, open, peer, politely, portOf, scripted, toPort } from './testing.ts';

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
    const port = portOf(server);
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
