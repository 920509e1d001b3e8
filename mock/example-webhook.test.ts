import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test } from 'vitest';
import { createAuthority, createServerCertificate } from '../server/http/local-ca.ts';
import { verifyWebhook } from '../server/webhooks/verify.ts';
import { sendExampleWebhook, webhookEvents } from './example-webhook.ts';
import { run } from './testing/command.ts';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await portOf(createServer(listener))}/hooks`;
}

async function portOf(server: Server): Promise<number | undefined> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' ? address?.port : undefined;
}

/** A receiver that remembers what it got. */
async function receiver(status = 204, answer = ''): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const url = await serve(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(status).end(answer);
  });
  return { url, received };
}

function verified({ headers, body }: Received, secret: string): unknown {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return new Webhook(secret).verify(body, Object.fromEntries(texts));
}

test('there are the seven events of the contract', () => {
  expect(webhookEvents()).toEqual([
    'message.delivery',
    'message.hard_bounce',
    'message.soft_bounce',
    'message.spam_complaint',
    'message.unsubscribe',
    'message.open',
    'message.click',
  ]);
});

test.each(webhookEvents())('%s arrives with a signature that holds', async (event) => {
  const { url, received } = await receiver();
  const sent = await sendExampleWebhook(event, { url, secret: SECRET });
  const [only] = received;
  if (only === undefined) throw new Error('nothing arrived');
  expect(verified(only, SECRET)).toEqual(sent.payload);
  expect(sent).toMatchObject({ status: 204, secret: SECRET, id: only.headers['webhook-id'] });
  expect(sent.payload).toMatchObject({ event });
  const signed = `${sent.id}.${only.headers['webhook-timestamp']}.${only.body}`;
  const digest = createHmac('sha256', Buffer.alloc(32, 7)).update(signed).digest('base64');
  expect(only.headers['webhook-signature']).toBe(`v1,${digest}`);
  expect(verifyWebhook(only.headers, only.body, SECRET)).toEqual(sent.payload);
  // As the service sends it.
  expect(only.headers['content-type']).toBe('application/json');
  expect(only.headers['user-agent']).toMatch(/^sendspec\/\d/);
});

test('a certificate that nobody vouches for is named, with what helps', async () => {
  const certificate = await createServerCertificate(await createAuthority(new Date()), new Date());
  const url = `https://127.0.0.1:${await portOf(createTlsServer(certificate))}/`;
  const sent = sendExampleWebhook('message.open', { url });
  await expect(sent).rejects.toThrow(/certificate.* NODE_EXTRA_CA_CERTS=/s);
  await expect(sent).rejects.not.toThrow(/Nobody answers/);
});

test('another secret does not open it', async () => {
  const { url, received } = await receiver();
  await sendExampleWebhook('message.open', { url, secret: SECRET });
  const [only] = received;
  if (only === undefined) throw new Error('nothing arrived');
  expect(() => verified(only, `whsec_${Buffer.alloc(32, 8).toString('base64')}`)).toThrow();
});

test('a redirect is an answer, and not followed', async () => {
  const { url, received } = await receiver();
  const redirecting = await serve((_request, response) => response.writeHead(307, { Location: url }).end());
  expect(await sendExampleWebhook('message.open', { url: redirecting })).toMatchObject({ status: 307 });
  expect(received).toEqual([]);
});

test('an answer without end is cut', async () => {
  const url = await serve((_request, response) => {
    const more = setInterval(() => response.write('x'.repeat(10_000)), 1);
    response.on('close', () => clearInterval(more));
  });
  const { body } = await sendExampleWebhook('message.open', { url });
  expect(body).toBe('x'.repeat(2000));
});

test.each([
  [
    'message.opened',
    'http://127.0.0.1:1/',
    SECRET,
    /There is no event message.opened. The events are message.delivery, .*message.click/,
  ],
  ['message.open', 'nowhere', SECRET, /nowhere is no address/],
  ['message.open', 'file:///etc/passwd', SECRET, /is no address/],
  ['message.open', 'http://127.0.0.1:1/', SECRET, /Nobody answers at http:\/\/127.0.0.1:1\//],
  ['message.open', 'http://ada:secret@127.0.0.1:1/', SECRET, /^(?!.*secret).*user name or a password/],
  ['message.open', 'http://127.0.0.1:1/', 'whsec_short', /24 to 64 bytes/],
  ['message.open', 'http://127.0.0.1:1/', 'secret', /24 to 64 bytes/],
])('%s to %s with %s cannot be sent, and it says why', async (event, url, secret, message) => {
  await expect(sendExampleWebhook(event, { url, secret })).rejects.toThrow(message);
});

const EMIT = ['mock/emit.ts'];

test('the command sends as many as it is told, each under its own id, and prints secret and answers', async () => {
  const { url, received } = await receiver(200, 'thanks\u001b[31m');
  const { code, output } = await run([...EMIT, 'message.click', '--to', url, '--count', '3']);
  expect(code).toBe(0);
  expect(output).toMatch(/^secret: whsec_/m);
  expect(output.match(/: 200\nthanks/g)).toHaveLength(3);
  expect(output).not.toContain('\u001b');
  const [, secret = ''] = /^secret: (\S+)/m.exec(output) ?? [];
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
  for (const one of received) expect(verified(one, secret)).toMatchObject({ event: 'message.click' });
});

test('the command fails when the receiver refuses', async () => {
  const { url } = await receiver(500);
  expect(await run([...EMIT, 'message.click', '--to', url])).toMatchObject({
    code: 1,
    errors: expect.stringContaining('1 of 1 were not answered with a 2xx'),
  });
});

test.each([
  [[], 2, /name an event: message.delivery, /],
  [['message.open'], 2, /--to names the receiver/],
  [
    ['message.open', '--to', 'http://127.0.0.1:1/', '--count', '0'],
    2,
    /--count has to be a whole number from 1 to 1000/,
  ],
  [['message.open', '--too', 'x'], 2, /--too/],
  [['message.opened', '--to', 'http://127.0.0.1:1/'], 2, /^mock:webhook: there is no event message.opened/],
  [['message.open', '--to', 'http://127.0.0.1:1/'], 1, /Nobody answers/],
])('the command line %j is explained', async (args, code, errors) => {
  const result = await run([...EMIT, ...args]);
  expect(result.code).toBe(code);
  expect(result.errors).toMatch(errors);
  expect(result.errors).not.toMatch(/^\s+at /m);
});
