import { describe, expect, it } from 'vitest';
import type { DnsResolver } from '../dns/resolver.ts';
import { StartupError } from '../errors.ts';
import { NotAttempted } from './mail.ts';
import {
  LATER,
  mail,
  open,
  peer,
  politely,
  relayTo,
  resolverOf,
  scripted,
  selfSigned,
  toPort,
} from './testing.ts';

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

  it.each([
    ['MAIL', '421 4.4.2 Idle for too long'],
    ['RCPT', '421 4.7.0 Too many messages on this connection'],
    ['DATA', '421 4.3.2 Closing'],
  ])('is tried again on a fresh connection when it ends a kept one at %s', async (command, reply) => {
    let mails = 0;
    const server = await scripted((line, socket) => {
      if (line === '.') mails += 1;
      if (mails !== 1 || !line.startsWith(command)) return politely({})(line);
      mails += 1;
      socket.end(`${reply}\r\n`);
      return undefined;
    });
    const transport = toPort(server.port, { connections: 1 });
    expect((await transport.send(mail())).verdict.event).toBe('delivery');
    expect((await transport.send(mail())).verdict.event).toBe('delivery');
    expect(server.connections()).toBe(2);
  });

  it('is asked once more only: a fresh connection that it ends, too, is its answer', async () => {
    let mails = 0;
    const server = await scripted((line) => {
      if (line === '.') mails += 1;
      return politely(mails > 0 ? { MAIL: '421 4.7.0 Not now' } : {})(line);
    });
    const transport = toPort(server.port, { connections: 1 });
    expect((await transport.send(mail())).verdict.event).toBe('delivery');
    expect(await transport.send(mail())).toMatchObject({ verdict: LATER, response: '421 4.7.0 Not now' });
    expect(server.connections()).toBe(2);
  });
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
    expect(server.atOnce()).toBe(1);
    await transport.close(20);
    await outcome;
    await expect.poll(() => server.atOnce()).toBe(0);
  });

  it('does not wait for a server that never greets, nor for a DNS that never answers', async () => {
    const mute = await scripted(() => undefined, '');
    const connecting = toPort(mute.port);
    const never: DnsResolver = {
      ...resolverOf({ ok: false, failure: 'empty' }),
      mx: () => new Promise(() => {}),
    };
    const looking = open({ route: { mode: 'mx', resolver: never }, mailHostname: 'mail.sendspec.test' });
    const outcomes = [connecting, looking].map((transport) =>
      expect(transport.send(mail())).rejects.toThrow(NotAttempted),
    );
    await expect.poll(() => mute.connections()).toBe(1);
    await Promise.all([connecting.close(0), looking.close(0), ...outcomes]);
  });
});
