import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { loadContract } from '../contract/contract.ts';
import { openResolver } from '../dns/resolver.ts';
import type { MessageEvent } from '../domain/events.ts';
import { createLogger } from '../operations/logger.ts';
import { createMetrics } from '../operations/metrics.ts';
import {
  acceptAll,
  createTenant,
  openTestStore,
  type TestStore,
  type TestTenant,
  testMessage,
} from '../store/testing.ts';
import type { NotificationStore } from '../store/webhook-store.ts';
import { eventually } from '../testing.ts';
import type { Dispatcher } from './dispatcher.ts';
import { startNotifying } from './start.ts';
import { type Answering, type Receiver, startReceiver } from './testing.ts';

const contract = loadContract();
const GRACE_MS = 20_000;
const HOLD_MS = 60_000;
const undos: (() => unknown)[] = [];
let parts: TestStore;
let tenant: TestTenant;
let faults: string[];

beforeEach(async () => {
  faults = [];
  parts = await openTestStore();
  undos.push(() => parts.close());
  tenant = await createTenant(parts.store);
});
afterEach(async () => {
  for (const undo of undos.splice(0).reverse()) await undo();
});

/** A dispatcher as a process has one, on this store or one that is made of it. */
async function dispatcher(store: NotificationStore = parts.store.notifications): Promise<Dispatcher> {
  const logger = createLogger('error', { write: (line) => void faults.push(line) });
  const core = {
    config: loadConfig({}),
    clock: parts.clock,
    logger,
    metrics: createMetrics(),
    closing: { add() {}, async closeAll() {} },
  };
  const started = await startNotifying(core, { contract, resolver: openResolver(), store });
  undos.push(() => started.stop(0));
  return started;
}

async function hook(answer?: Answering): Promise<Receiver & { webhookId: string }> {
  const receiver = await startReceiver(answer);
  undos.push(() => receiver.close());
  const { webhook_id: webhookId } = await tenant.store.webhooks.create(tenant.account.account_id, {
    url: receiver.url,
    events: ['message.delivery', 'message.open', 'message.click'],
  });
  return { ...receiver, webhookId };
}

/** Accepts messages, and records for each of them an open as often as said. */
async function openMessages(messages: number, opens = 1): Promise<string[]> {
  const ids = await acceptAll(
    tenant,
    Array.from({ length: messages }, () => testMessage({ trackOpens: true })),
  );
  for (let round = 0; round < opens; round += 1) await parts.store.delivery.recordEvents(ids.map(openOf));
  return ids;
}

function openOf(messageId: string): MessageEvent {
  const visit = { userAgent: 'Firefox', userIp: '203.0.113.24', automated: false };
  return { eventId: randomUUIDv7(), messageId, receivedAt: parts.clock.now(), type: 'open', ...visit };
}

const statusesOf = async (webhookId: string) => {
  const { rows } = await tenant.store.webhooks.listDeliveries(
    tenant.account.account_id,
    webhookId,
    {},
    { limit: 1000, offset: 0 },
  );
  return rows.map(({ status }) => status);
};
const idOf = (request: Receiver['received'][number]) => request.headers['webhook-id'];

test('what happened to one message comes in its order, whoever sends it', async () => {
  const { received } = await hook((_request, response) => {
    setTimeout(() => response.end(), Math.random() * 20);
  });
  await dispatcher();
  await dispatcher();
  const ids = await openMessages(15, 4);
  await eventually(() => received.length >= 60);
  const bodies = received.map(({ body }) => JSON.parse(body));
  for (const id of ids) {
    const moments = bodies.filter((one) => one.message_id === id).map((one) => one.received_at);
    expect(moments).toHaveLength(4);
    expect(moments).toEqual(moments.toSorted());
  }
  expect(new Set(received.map(idOf)).size).toBe(60);
});

test('a database that fails costs nothing but time', async () => {
  const { received, webhookId } = await hook();
  let failures = 0;
  const fail = () => {
    failures += 1;
    if (failures <= 6 && failures % 2 === 0) throw new Error('The database is away.');
  };
  const { notifications: store } = parts.store;
  await dispatcher({
    ...store,
    take: async (request) => {
      fail();
      return await store.take(request);
    },
    record: async (outcomes) => {
      fail();
      return await store.record(outcomes);
    },
  });
  await openMessages(3);
  await eventually(async () => (await statusesOf(webhookId)).every((status) => status === 'delivered'));
  expect(new Set(received.map(idOf)).size).toBe(3);
  expect(received).toHaveLength(3);
  expect(faults.length).toBeGreaterThan(0);
});

test('what is on its way is not taken again, however far the clock jumps', async () => {
  const answers: (() => void)[] = [];
  const { received, webhookId } = await hook((_request, response) => answers.push(() => response.end()));
  const running = await dispatcher();
  await openMessages(1);
  await eventually(() => received.length === 1);
  parts.clock.advance(2 * HOLD_MS);
  running.wake();
  await delay(600);
  for (const answer of answers) answer();
  await eventually(async () => (await statusesOf(webhookId)).every((status) => status === 'delivered'));
  expect(received).toHaveLength(1);
});

test('stopping finishes what is on its way, and leaves the rest to others at once', async () => {
  const open: (() => void)[] = [];
  let isHolding = true;
  const { received, webhookId } = await hook((_request, response) => {
    // The first answers make room for several at a time.
    if (isHolding && received.length > 3) open.push(() => response.end());
    else response.end();
  });
  const first = await dispatcher();
  await openMessages(30);
  await eventually(() => open.length > 1);
  const stopped = first.stop(GRACE_MS);
  isHolding = false;
  for (const answer of open) answer();
  await stopped;
  const sent = received.length;
  expect(sent).toBeLessThan(30);
  expect((await statusesOf(webhookId)).filter((status) => status === 'delivered')).toHaveLength(sent);
  await dispatcher();
  await eventually(() => received.length === 30);
  expect(new Set(received.map(idOf)).size).toBe(30);
});

test('what the grace does not suffice for is given back, and no failure of the receiver', async () => {
  let isHanging = true;
  const { received, webhookId } = await hook((_request, response) => {
    if (!isHanging) response.end();
  });
  const first = await dispatcher();
  await openMessages(1);
  await eventually(() => received.length === 1);
  await first.stop(50);
  expect(await tenant.store.webhooks.get(tenant.account.account_id, webhookId)).toMatchObject({
    failing_since: null,
  });
  isHanging = false;
  await dispatcher();
  await eventually(async () => (await statusesOf(webhookId))[0] === 'delivered');
  expect(received.map(idOf)).toEqual([received[0], received[0]].map((one) => one && idOf(one)));
});

test('an endpoint holds one place until it answers', async () => {
  const { received } = await hook(() => {});
  await dispatcher();
  await openMessages(20);
  await eventually(() => received.length === 1);
  await delay(600);
  expect(received).toHaveLength(1);
});

test('a dead endpoint holds one place after its first failures', async () => {
  const { received } = await hook((_request, response) => {
    const fails = received.length <= 8;
    if (fails) response.socket?.destroy();
  });
  await dispatcher();
  await openMessages(40);
  await eventually(() => received.length === 9);
  await delay(600);
  expect(received).toHaveLength(9);
});
