import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAuthority, createServerCertificate } from '../http/local-ca.ts';
import {
  basicOf,
  bearerOf,
  call,
  createDatabase,
  eventually,
  readTarget,
  type ServiceProcess,
  start,
  stop,
} from '../testing/service-process.ts';
import { type Answering, startReceiver } from './testing.ts';

// The service as its own process, and a receiver over HTTPS whose certificate comes from a private authority.

const MESSAGES = 5;
/** An endpoint gets several places only by answering. */
const ANSWERED_BEFORE = 8;
/** After so long others take over what a process held. */
const HOLD_SECONDS = 61;
const undos: (() => unknown)[] = [];
let folder: string;
let env: Record<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendspec-webhooks-'));
  const database = await createDatabase(folder);
  env = { ...database.env, SENDSPEC_LOG_LEVEL: 'info' };
  undos.push(database.drop, () => rm(folder, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const undo of undos.splice(0).reverse()) await undo();
});

async function startTrusting(): Promise<ServiceProcess> {
  const service = await start(folder, env);
  undos.push(() => {
    service.kill('SIGKILL');
    return service.exited;
  });
  return service;
}

async function receiverOverTls(answer: Answering) {
  const authority = await createAuthority(new Date());
  env = { ...env, NODE_EXTRA_CA_CERTS: join(folder, 'private-ca.pem') };
  await writeFile(join(folder, 'private-ca.pem'), authority.cert);
  const receiver = await startReceiver(answer, await createServerCertificate(authority, new Date()));
  undos.push(receiver.close);
  return receiver;
}

/** Requests to the service as a customer of the demo organisation makes them. */
async function customer() {
  const target = await readTarget(folder);
  const authorization = await bearerOf(folder, target);
  const clock = target.hooks?.advance_clock ?? '';
  const webhooks = `${target.base_url}/v1/accounts/${target.tenants[0]?.accounts[0]?.account_id}/webhooks`;
  return {
    webhooks,
    ask: async (method: string, url: string, body?: object) =>
      Object((await call(folder, method, url, { authorization, body })).body.data),
    send: async (count: number) => {
      const message = {
        from: { email: target.tenants[0]?.from_email },
        to: [{ email: 'ada@customer.test' }],
        subject: 'Hi',
        body: { text: 'Hi' },
      };
      const body = Array.from({ length: count }, (_, index) => ({ ...message, custom_id: `order-${index}` }));
      await call(folder, 'POST', `${target.base_url}/v1/send_email`, {
        authorization: basicOf(target),
        body,
      });
    },
    advance: (seconds: number) => call(folder, 'POST', clock, { body: { advance_seconds: seconds } }),
    metrics: async () => await (await fetch(new URL('/metrics', clock))).text(),
  };
}

test('what a process was sending when it was killed, another sends again: nothing is lost, and the ids are the same', async () => {
  let isHanging = false;
  const receiver = await receiverOverTls((_request, response) => {
    if (!isHanging) response.end();
    // All of it has arrived, and none of it is recorded.
    else if (receiver.received.length === MESSAGES) service.kill('SIGKILL');
  });
  const service = await startTrusting();
  const before = await customer();
  const { secret, webhook_id } = await before.ask('POST', before.webhooks, { url: receiver.url });
  const delivered = `${before.webhooks}/${webhook_id}/deliveries?statuses[]=delivered`;
  await before.send(ANSWERED_BEFORE);
  await eventually(async () => (await before.ask('GET', delivered)).length === ANSWERED_BEFORE);
  receiver.received.splice(0);
  isHanging = true;
  await before.send(MESSAGES);
  await service.exited;
  isHanging = false;
  const lost = receiver.received.splice(0);

  const next = await startTrusting();
  const after = await customer();
  await after.advance(HOLD_SECONDS);
  await eventually(() => receiver.received.length === MESSAGES);
  const ids = (requests: typeof lost) => requests.map(({ headers }) => String(headers['webhook-id'])).sort();
  expect(ids(receiver.received)).toEqual(ids(lost));
  for (const { body, headers } of [...lost, ...receiver.received]) {
    const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    new Verifier(secret).verify(body, texts);
  }
  const log = `${after.webhooks}/${webhook_id}/deliveries?statuses[]=delivered`;
  await eventually(async () => (await after.ask('GET', log)).length === ANSWERED_BEFORE + MESSAGES);
  expect(await after.metrics()).toContain(`sendspec_webhook_attempts_total{result="delivered"} ${MESSAGES}`);
  expect(await after.metrics()).toContain('sendspec_webhook_notifications{state="ready"} 0');
  await stop(next);
});

test('a webhook that is gone stands in the log of the process, without its secret and what was sent', async () => {
  const receiver = await receiverOverTls((_request, response) => response.writeHead(410).end());
  const service = await startTrusting();
  const { ask, webhooks, send, metrics } = await customer();
  const { secret, webhook_id, account_id } = await ask('POST', webhooks, { url: receiver.url });
  await send(1);
  const line = await eventually(() =>
    service
      .stderr()
      .split('\n')
      .find((one) => one.includes('a webhook was disabled')),
  );
  expect(JSON.parse(line)).toMatchObject({ webhookId: webhook_id, accountId: account_id, reason: 'gone' });
  expect(await metrics()).toContain('sendspec_webhooks_disabled_total{reason="gone"} 1');
  await stop(service);
  expect(service.stderr()).not.toContain(secret.slice('whsec_'.length));
  expect(service.stderr()).not.toContain('order-0');
});
