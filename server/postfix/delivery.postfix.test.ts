import { Resolver } from 'node:dns/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../testing/free-port.ts';
import { createDatabase, eventually, launch, type ServiceProcess, stop } from '../testing/service-process.ts';
import { type Customer, signUp } from './customer.ts';
import { type NameServer, startNameServer } from './name-server.ts';
import { refusingServer } from './next-hop.ts';
import { type Postfix, startPostfix } from './postfix.ts';

// The service between real peers: it hands its mail to a Postfix, and Postfix hands its reports to the service.

const DOMAIN = 'customer.example';
const ZONE = 'mail.sendspec.example';

const undos: (() => unknown)[] = [];
let postfix: Postfix;
let customer: Customer;
let world: NameServer;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sendspec-postfix-'));
  undos.push(() => rm(folder, { recursive: true }));
  const serviceFolder = await mkdtemp(join(tmpdir(), 'sendspec-beside-postfix-'));
  undos.push(() => rm(serviceFolder, { recursive: true }));
  const database = await createDatabase();
  undos.push(() => database.drop());
  const [apiPort, inboundPort, dnsPort, postfixPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  world = await startNameServer(ZONE, dnsPort);
  undos.push(() => world.close());
  const gone = await refusingServer('550 5.1.1 <$1>: Recipient address rejected: User unknown');
  const slow = await refusingServer('451 4.7.1 Try again later');
  undos.push(gone.close, slow.close);
  postfix = await startPostfix({
    folder,
    port: postfixPort,
    domain: 'inbox.example',
    mailboxes: ['ann'],
    busyMailbox: 'busy',
    nextHops: { 'gone.example': gone.port, 'slow.example': slow.port, [`cs-bounces.${DOMAIN}`]: inboundPort },
  });
  undos.push(() => postfix.stop());
  const service = launch(serviceFolder, {
    ...database.env,
    PORT: String(apiPort),
    SENDSPEC_HOST: '127.0.0.1',
    SENDSPEC_DELIVERY: 'relay',
    SENDSPEC_SMTP_URL: `smtp://127.0.0.1:${postfixPort}`,
    SENDSPEC_SMTP_PORT: String(inboundPort),
    SENDSPEC_MAIL_HOSTNAME: ZONE,
    SENDSPEC_DNS_PORT: String(dnsPort),
    SENDSPEC_DNS_SERVERS: world.address,
    SENDSPEC_RATE_LIMIT: '0',
  });
  undos.push(() => stop(service));
  await ready(service);
  customer = await signUp(serviceFolder, `https://localhost:${apiPort}`, DOMAIN, (name, cname) =>
    world.cnames.set(name, cname),
  );
});

afterAll(async () => {
  for (const undo of undos.reverse()) await undo();
});

async function ready(service: ServiceProcess): Promise<void> {
  const ended = service.exited.then(() => Promise.reject(new Error(service.stderr())));
  await Promise.race([eventually(() => service.stdout().includes('Ctrl-C stops it.')), ended]);
  ended.catch(() => undefined);
}

/** The types of a message's events, first to last. */
async function eventsOf(id: string): Promise<{ type: string; details: { smtp_response?: string } }[]> {
  const events = await customer.get(`/v1/messages/${id}/events`);
  return Array.isArray(events) ? events.reverse() : [];
}

/** Waits until a message has so many events. */
const events = (id: string, count: number) =>
  eventually(async () => {
    const found = await eventsOf(id);
    return found.length >= count ? found : undefined;
  });

const suppressionsOf = (address: string) =>
  customer.get(`/v1/suppressions?recipient_email=${encodeURIComponent(address)}`);

/** Asks the DNS as a verifier does: the CNAME in the sending domain, then the key in the service's own zone. */
async function lookUp(name: string, type: string): Promise<string[][]> {
  const resolver = new Resolver({ timeout: 30_000 });
  resolver.setServers([world.address]);
  expect(type).toBe('TXT');
  const [target = name] = await resolver.resolveCname(name);
  return await resolver.resolveTxt(target);
}

test('a mail arrives encrypted, whole, and signed by the sending domain with the key in the zone', async () => {
  const id = await customer.send('ann@inbox.example');
  const [, delivery] = await events(id, 2);
  expect(delivery).toMatchObject({
    type: 'delivery',
    details: { smtp_response: expect.stringMatching(/^250 2\.0\.0 Ok: queued as/) },
  });
  const [mail = ''] = await eventually(async () => {
    const mails = await postfix.mailsTo('ann');
    return mails.length > 0 ? mails : undefined;
  });
  expect(mail).toMatch(/^Return-Path: <b-[^@]+@cs-bounces\.customer\.example>/m);
  expect(mail).toMatch(/using TLSv1\.3/);
  expect(mail).toContain(`Message-ID: <${id}@${DOMAIN}>`);
  const { results } = await dkimVerify(mail.replaceAll('\n', '\r\n'), { resolver: lookUp });
  expect(results).toMatchObject([{ signingDomain: DOMAIN, status: { result: 'pass', aligned: DOMAIN } }]);
});

test('a recipient that Postfix does not know is a hard bounce at once', async () => {
  const id = await customer.send('nobody@inbox.example');
  const [, bounce] = await events(id, 2);
  expect(bounce).toMatchObject({
    type: 'hard_bounce',
    details: { smtp_response: expect.stringContaining('User unknown') },
  });
  expect(await suppressionsOf('nobody@inbox.example')).toMatchObject([
    { type: 'hard_bounce', message_id: id },
  ]);
});

test('a mail that Postfix cannot pass on comes back as its report: delivered first, then a hard bounce and a suppression', async () => {
  const id = await customer.send('bob@gone.example');
  const [, delivery, bounce] = await events(id, 3);
  expect(delivery).toMatchObject({ type: 'delivery' });
  expect(bounce).toMatchObject({
    type: 'hard_bounce',
    details: { smtp_response: expect.stringContaining('User unknown') },
  });
  expect(await customer.get(`/v1/messages/${id}`)).toMatchObject({ delivery_status: 'hard_bounce' });
  expect(await suppressionsOf('bob@gone.example')).toMatchObject([{ type: 'hard_bounce', message_id: id }]);
  // The report came encrypted, too.
  expect(await postfix.log()).toMatch(/TLS connection established to 127\.0\.0\.1/);
});

test('a mail that Postfix gives up passing on for a passing reason is a soft bounce, and nobody is suppressed', async () => {
  const id = await customer.send('eve@slow.example');
  const [, delivery, bounce] = await events(id, 3);
  expect(delivery).toMatchObject({ type: 'delivery' });
  expect(bounce).toMatchObject({
    type: 'soft_bounce',
    details: { smtp_response: expect.stringContaining('Try again later') },
  });
  expect(await suppressionsOf('eve@slow.example')).toEqual([]);
});

test('a mailbox that is busy is tried again later: a soft bounce, and the message waits', async () => {
  const id = await customer.send('busy@inbox.example');
  const [, bounce, ...more] = await events(id, 2);
  expect(bounce).toMatchObject({
    type: 'soft_bounce',
    details: { smtp_response: expect.stringContaining('Mailbox busy') },
  });
  expect(more).toEqual([]);
  expect(await customer.get(`/v1/messages/${id}`)).toMatchObject({ delivery_status: 'soft_bounce' });
  expect(await suppressionsOf('busy@inbox.example')).toEqual([]);
});
