import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../domain/time.ts';
import { type SmtpListener, startSmtpListener } from '../inbound/smtp-listener.ts';
import { SmtpClient } from '../inbound/testing.ts';
import type { CapturedMail } from '../store/delivery-rows.ts';
import { simulatedRefusal } from './simulator.ts';
import { createSink } from './sink.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function sinkWith(capture: (mails: readonly CapturedMail[]) => Promise<void>, maxBytes?: number) {
  const faults: unknown[] = [];
  const sink = await startSmtpListener({
    destinations: () => [createSink({ capture })],
    clock: new SystemClock(),
    port: 0,
    host: '127.0.0.1',
    hostname: 'sink.sendspec.test',
    onFault: (fault) => faults.push(fault),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  cleanups.push(() => sink.close());
  return { sink, faults };
}

async function keepingSink(maxBytes?: number) {
  const mails: CapturedMail[] = [];
  const kept = await sinkWith(async (batch) => {
    mails.push(...batch);
  }, maxBytes);
  return { ...kept, mails };
}

async function clientOf({ port }: SmtpListener): Promise<SmtpClient> {
  const client = await SmtpClient.to(port);
  cleanups.push(async () => client.socket.destroy());
  return client;
}

describe('the sink', () => {
  it('keeps a mail byte for byte before it says so', async () => {
    let kept: (() => void) | undefined;
    const mails: CapturedMail[] = [];
    const { sink } = await sinkWith(async (batch) => {
      await new Promise<void>((resolve) => {
        kept = resolve;
      });
      mails.push(...batch);
    });
    const client = await clientOf(sink);
    await client.begin();
    const body = Buffer.concat([
      Buffer.from('Subject: x\r\n\r\n'),
      Buffer.from([0xff, 0x00, 0xe9]),
      Buffer.from('\r\nlast\r\n'),
    ]);
    let replied = false;
    const reply = client.say(Buffer.concat([body, Buffer.from('.\r\n')])).finally(() => {
      replied = true;
    });
    await expect.poll(() => kept).toBeDefined();
    expect(replied).toBe(false);
    kept?.();
    expect(await reply).toMatch(/^250 2\.0\.0 /);
    expect(mails).toMatchObject([
      {
        from: 'b-1@bounces.demo.test',
        to: ['ann@example.com'],
        received_at: expect.stringMatching(/\+00:00$/),
      },
    ]);
    expect(Buffer.from(mails[0]?.raw ?? []).equals(body)).toBe(true);
  });

  it('takes several recipients, an empty sender, and dots', async () => {
    const { sink, mails } = await keepingSink();
    const client = await clientOf(sink);
    await client.say('EHLO me.test\r\n');
    await client.say('MAIL FROM:<>\r\n');
    await client.say('RCPT TO:<a@example.com>\r\n');
    await client.say('RCPT TO:<b@example.com>\r\n');
    await client.say('DATA\r\n');
    expect(await client.say('a\r\n..\r\n...b\r\n.\r\n')).toMatch(/^250/);
    expect(mails).toMatchObject([{ from: '', to: ['a@example.com', 'b@example.com'] }]);
    expect(Buffer.from(mails[0]?.raw ?? []).toString()).toBe('a\r\n.\r\n..b\r\n');
  });

  it('asks to try again when the mail cannot be kept, and goes on', async () => {
    let failing = true;
    const { sink, faults } = await sinkWith(async () => {
      if (failing) throw new Error('The database is away.');
    });
    const client = await clientOf(sink);
    await client.begin();
    expect(await client.say('x\r\n.\r\n')).toMatch(/^451 4\.3\.0 /);
    expect(faults).toHaveLength(1);
    failing = false;
    await client.begin();
    expect(await client.say('x\r\n.\r\n')).toMatch(/^250/);
  });

  it('refuses a mail that is too large, announced or not', async () => {
    const { sink, mails, faults } = await keepingSink(1000);
    const client = await clientOf(sink);
    await client.say('EHLO me.test\r\n');
    expect(await client.say('MAIL FROM:<a@b.test> SIZE=5000\r\n')).toMatch(/^552/);
    await client.begin();
    expect(await client.say(`${`${'x'.repeat(70)}\r\n`.repeat(100)}.\r\n`)).toMatch(/^552 5\.3\.4 /);
    await client.begin();
    expect(await client.say('small\r\n.\r\n')).toMatch(/^250/);
    expect([mails.length, faults]).toEqual([1, []]);
  });

  it.each(['\n.\n', '\r.\r', '\n.\r\n', '\r\n.\n', '\r\n.\r', '\r.\r\n', '\r\n\u0000.\r\n'])(
    'is not told by %j that a mail ends',
    async (end) => {
      const { sink, mails } = await keepingSink();
      const client = await clientOf(sink);
      await client.begin();
      const smuggled = `a${end}MAIL FROM:<evil@x.test>\r\nRCPT TO:<victim@x.test>\r\nDATA\r\nb`;
      expect(await client.say(`${smuggled}\r\n.\r\n`)).toMatch(/^250/);
      expect(mails).toHaveLength(1);
      expect(mails[0]?.to).toEqual(['ann@example.com']);
    },
  );

  it('speaks to nobody who does not speak SMTP, and lives on', async () => {
    const { sink, mails } = await keepingSink();
    const hostile = [
      'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
      `EHLO ${'x'.repeat(200_000)}\r\n`,
      `MAIL FROM:<${'a'.repeat(100_000)}@b.test>\r\n`,
      'DATA\r\n',
      'RCPT TO:<a@b.test>\r\n',
      'AUTH PLAIN AGEAYg==\r\n',
      'STARTTLS\r\n',
      '\u0000\u0001\u0002\r\n',
      `${'NOOP\r\n'.repeat(2000)}`,
      'x'.repeat(2_000_000),
    ];
    for (const text of hostile) {
      const client = await clientOf(sink);
      client.socket.write(text);
      client.socket.end();
      await once(client.socket, 'close');
    }
    const client = await clientOf(sink);
    await client.begin();
    client.socket.destroy();
    const sound = await clientOf(sink);
    await sound.begin();
    expect(await sound.say('x\r\n.\r\n')).toMatch(/^250/);
    expect(mails).toHaveLength(1);
  });

  it('listens where it is told, and says when its port is taken', async () => {
    const { sink } = await keepingSink();
    const second = startSmtpListener({
      destinations: () => [],
      clock: new SystemClock(),
      port: sink.port,
      host: '127.0.0.1',
      hostname: 'x.test',
      onFault: () => {},
    });
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const elsewhere = connect(sink.port, '127.0.0.2');
    cleanups.push(async () => elsewhere.destroy());
    await expect(once(elsewhere, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('the simulator', () => {
  it.each([
    ['hard_bounce@simulator.test', '550 5.1.1'],
    ['Hard_Bounce+some+tag@Simulator.TEST', '550 5.1.1'],
    ['soft_bounce@simulator.test', '552 5.2.2'],
    ['soft_bounce+@simulator.test', '552 5.2.2'],
  ])('refuses %s', async (address, reply) => {
    const { sink } = await keepingSink();
    const client = await clientOf(sink);
    await client.say('EHLO me.test\r\n');
    await client.say('MAIL FROM:<a@b.test>\r\n');
    expect(await client.say(`RCPT TO:<${address}>\r\n`)).toMatch(new RegExp(`^${reply} The`));
  });

  it.each([
    'delivery@simulator.test',
    'open+1@simulator.test',
    'click@simulator.test',
    'constructor@simulator.test',
    'hard_bounce@example.com',
    'hard_bounce@evil-simulator.test',
    'hard_bouncer@simulator.test',
    '@simulator.test',
    '',
  ])('takes %j', (address) => expect(simulatedRefusal(address)).toBeUndefined());
});
