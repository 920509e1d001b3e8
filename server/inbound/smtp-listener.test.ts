import { once } from 'node:events';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../domain/time.ts';
import { createAuthority, createServerCertificate } from '../http/local-ca.ts';
import { type MailDestination, MailRefused, type ReceivedMail } from './destination.ts';
import { type SmtpListenerOptions, startSmtpListener } from './smtp-listener.ts';
import { SmtpClient } from './testing.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A destination for the addresses at one host, which keeps the beginning of each mail. */
function destinationAt(host: string, mails: ReceivedMail[], keepBytes = 1000): MailDestination {
  return {
    keepBytes,
    thanks: `2.0.0 Taken at ${host}`,
    recipient: (address) => (address.endsWith(`@${host}`) ? 'taken' : undefined),
    take: async (mail) => {
      mails.push(mail);
    },
  };
}

async function listen(destinations: readonly MailDestination[], change: Partial<SmtpListenerOptions> = {}) {
  const faults: unknown[] = [];
  const refusals: string[] = [];
  const listener = await startSmtpListener({
    destinations: () => destinations,
    clock: new SystemClock(),
    port: 0,
    host: '127.0.0.1',
    hostname: 'mail.sendspec.test',
    onFault: (fault) => faults.push(fault),
    onRefusal: ({ text }) => refusals.push(text),
    ...change,
  });
  cleanups.push(() => listener.close());
  const client = async () => {
    const connected = await SmtpClient.to(listener.port);
    cleanups.push(async () => connected.socket.destroy());
    return connected;
  };
  return { listener, client, faults, refusals };
}

async function twoHosts() {
  const ours: ReceivedMail[] = [];
  const rest: ReceivedMail[] = [];
  const started = await listen([
    destinationAt('a.test', ours, 100),
    destinationAt('b.test', rest, Number.POSITIVE_INFINITY),
  ]);
  return { ...started, ours, rest };
}

describe('a mail with several destinations', () => {
  it('goes to each of them, with the recipients and as much of it as each one takes', async () => {
    const { client, ours, rest } = await twoHosts();
    const content = `Subject: x\r\n\r\n${'y'.repeat(200)}\r\n`;
    const reply = await (await client()).post(['1@b.test', '2@a.test', '3@b.test'], content, 'me@c.test');
    expect(reply).toBe('250 2.0.0 Taken at a.test');
    expect(ours).toMatchObject([{ from: 'me@c.test', to: ['2@a.test'], isComplete: false }]);
    expect(rest).toMatchObject([{ from: 'me@c.test', to: ['1@b.test', '3@b.test'], isComplete: true }]);
    expect(ours[0]?.raw.toString()).toBe(content.slice(0, 100));
    expect(rest[0]?.raw.toString()).toBe(content);
    expect(ours[0]?.client).toEqual({ name: 'mx.example.com', address: '127.0.0.1' });
  });

  it('is asked for again when one of them fails, and refused when one of them refuses', async () => {
    let fault: Error = new Error('The database is away.');
    const failing = {
      ...destinationAt('a.test', []),
      take: async () => {
        throw fault;
      },
    };
    const { client, faults } = await listen([failing]);
    expect(await (await client()).post(['1@a.test'], 'x')).toMatch(/^451 4\.3\.0 /);
    expect(faults).toEqual([fault]);
    fault = new MailRefused({ code: 552, text: '5.3.4 Too large for this' });
    expect(await (await client()).post(['1@a.test'], 'x')).toBe('552 5.3.4 Too large for this');
    expect(faults).toHaveLength(1);
  });
});

it('relays for nobody, however the address is written', async () => {
  const { client, ours, rest, refusals } = await twoHosts();
  const connected = await client();
  await connected.say('EHLO me.test\r\n');
  await connected.say('MAIL FROM:<me@a.test>\r\n');
  const forms = [
    ...['victim@example.com', 'victim%example.com@c.test', '"victim@example.com"@c.test'],
    ...['@a.test:victim@example.com', '@a.test,@b.test:victim@example.com', 'example.com!victim@c.test'],
    ...[
      'victim@example.com@c.test',
      'victim@[192.0.2.1]',
      'victim@[IPv6:2001:db8::1]',
      '1@a.test.example.com',
    ],
    ...['1@xa.test', 'a.test@example.com', 'postmaster', 'victim', '1@A.test.', '1@a.test\0'],
    ...['<victim@example.com>', 'victim@example.com> <1@a.test', '1@b\u00e4.test', '1@a.test@example.com'],
  ];
  for (const form of forms) {
    expect([form, await connected.say(`RCPT TO:<${form}>\r\n`)]).toEqual([
      form,
      expect.stringMatching(/^5(?:50 5\.7\.1|01) /),
    ]);
  }
  expect(await connected.say('DATA\r\n')).toMatch(/^503/);
  expect([ours, rest]).toEqual([[], []]);
  expect(refusals).toContain('5.7.1 This server does not relay');
});

it('asks to come back while the service is starting', async () => {
  const { client } = await listen([], { destinations: () => undefined });
  expect(await (await client()).post(['1@a.test'], 'x')).toMatch(/^451 4\.3\.2 /);
});

it('takes a hundred recipients for a mail, and sends two thousand away', async () => {
  const { client, ours } = await twoHosts();
  const connected = await client();
  await connected.say('EHLO me.test\r\n');
  await connected.say('MAIL FROM:<>\r\n');
  const counts: Record<string, number> = {};
  for (let number = 0; number < 2000; number++) {
    const code = (await connected.say(`RCPT TO:<${number}@a.test>\r\n`)).slice(0, 3);
    counts[code] = (counts[code] ?? 0) + 1;
  }
  expect(counts).toEqual({ 250: 100, 452: 1900 });
  await connected.say('DATA\r\n');
  expect(await connected.say('x\r\n.\r\n')).toMatch(/^250/);
  expect(ours[0]?.to).toHaveLength(100);
});

it('knows no other end of a mail than CRLF . CRLF', async () => {
  const { client, ours } = await twoHosts();
  const ends = ['\n.\n', '\r.\r', '\n.\r\n', '\r\n.\n', '\r\n.\r', '\r.\r\n', '\r\n\0.\r\n', '\n\n.\r\n'];
  for (const end of ends) {
    const connected = await client();
    await connected.begin('1@a.test');
    const smuggled = `a${end}MAIL FROM:<evil@x.test>\r\nRCPT TO:<2@a.test>\r\nDATA\r\nb\r\n.\r\n`;
    expect([end, await connected.say(smuggled)]).toEqual([end, expect.stringMatching(/^250 2\.0\.0 /)]);
  }
  expect(ours.map(({ to }) => to)).toEqual(ends.map(() => ['1@a.test']));
});

it('takes what is pipelined after a mail for what it is: another mail', async () => {
  const { client, ours } = await twoHosts();
  const connected = await client();
  await connected.begin('1@a.test');
  const second = 'MAIL FROM:<>\r\nRCPT TO:<2@a.test>\r\nRCPT TO:<3@c.test>\r\nDATA\r\n';
  expect(await connected.say(`x\r\n.\r\n${second}`)).toMatch(/^250 2/);
  for (const code of ['250', '250', '550', '354']) {
    expect(await connected.reply()).toMatch(new RegExp(`^${code}`));
  }
  expect(await connected.say('y\r\n.\r\n')).toMatch(/^250/);
  expect(ours.map(({ to }) => to)).toEqual([['1@a.test'], ['2@a.test']]);
});

it('keeps nothing of a mail that breaks off', async () => {
  const { client, ours, faults } = await twoHosts();
  const connected = await client();
  await connected.begin('1@a.test');
  connected.socket.write('Subject: half\r\n\r\nof a');
  connected.socket.destroy();
  expect(await (await client()).post(['2@a.test'], 'whole')).toMatch(/^250/);
  expect(ours.map(({ to }) => to)).toEqual([['2@a.test']]);
  expect(faults.filter((fault) => !(fault instanceof Error))).toEqual([]);
});

it('ends a command line that does not end', async () => {
  const { client } = await twoHosts();
  const connected = await client();
  expect(await connected.say(`EHLO ${'x'.repeat(1_000_000)}`)).toMatch(/^421/);
});

it('knows no commands but those of mail', async () => {
  const { client } = await twoHosts();
  for (const command of [
    'AUTH PLAIN AGEAYg==',
    'STARTTLS',
    'WIZ x',
    'SHELL id',
    'KILL mom',
    'XCLIENT ADDR=::1',
  ]) {
    const connected = await client();
    await connected.say('EHLO me.test\r\n');
    expect([command, await connected.say(`${command}\r\n`)]).toEqual([command, expect.stringMatching(/^5/)]);
  }
});

it('offers STARTTLS when there is a certificate, with the newest one', async () => {
  const now = new Date();
  const authority = await createAuthority(now);
  const [first, second] = [
    await createServerCertificate(authority, now),
    await createServerCertificate(authority, now),
  ];
  const { client, listener } = await listen([destinationAt('a.test', [])], { tls: first });
  const fingerprint = async () => {
    const plain = await client();
    await plain.say('EHLO me.test\r\n');
    expect(await plain.say('STARTTLS\r\n')).toMatch(/^220/);
    const secure = connectTls({ socket: plain.socket, ca: authority.cert, servername: 'localhost' });
    cleanups.push(async () => secure.destroy());
    await once(secure, 'secureConnect');
    expect([secure.authorized, secure.getProtocol()]).toEqual([true, 'TLSv1.3']);
    return secure.getPeerX509Certificate()?.fingerprint256;
  };
  const before = await fingerprint();
  listener.renew(second);
  expect(await fingerprint()).not.toBe(before);
});

it('forgets what was pipelined in the clear before the encryption began', async () => {
  const authority = await createAuthority(new Date());
  const tls = await createServerCertificate(authority, new Date());
  const { client } = await listen([destinationAt('a.test', [])], { tls });
  const plain = await client();
  await plain.say('EHLO me.test\r\n');
  plain.socket.setEncoding();
  expect(await plain.say('STARTTLS\r\nMAIL FROM:<evil@x.test>\r\n')).toMatch(/^220/);
  const secure = connectTls({ socket: plain.socket, ca: authority.cert, servername: 'localhost' });
  cleanups.push(async () => secure.destroy());
  await once(secure, 'secureConnect');
  secure.write('EHLO me.test\r\nRCPT TO:<1@a.test>\r\n');
  let heard = '';
  secure.on('data', (chunk) => {
    heard += chunk;
  });
  await expect.poll(() => heard).toMatch(/^503 /m);
  expect(heard).not.toMatch(/^250 (?:Accepted|Ok)/im);
});

it('takes mail from addresses that only the standard forbids', async () => {
  const { client, ours } = await twoHosts();
  expect(await (await client()).post(['1@a.test'], 'x', 'a..b.@docomo.ne.jp')).toMatch(/^250 2\.0\.0 /);
  expect(ours.map(({ from }) => from)).toEqual(['a..b.@docomo.ne.jp']);
});
