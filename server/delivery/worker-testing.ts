import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startSmtpListener } from '../inbound/smtp-listener.ts';
import { createSink } from '../sandbox/sink.ts';
import {
  acceptAll,
  createTenant,
  openTestStore,
  type TestStore,
  type TestTenant,
  testMessage,
} from '../store/testing.ts';
import type { Transport } from './mail.ts';
import { createSigner } from './signer.ts';
import { openTransport } from './transport.ts';
import { createWorker, type DeliveryWorker, type WorkerOptions } from './worker.ts';

// For tests of the worker: a store, a tenant that is new for each test, and workers that are stopped after it.

export let parts: TestStore;
export let tenant: TestTenant;
let workers: DeliveryWorker[];
export let verdicts: string[];
export let faults: string[];
const cleanups: (() => Promise<unknown>)[] = [];

/** Prepares all of it; each file calls this once. */
export function prepareWorkers(): void {
  beforeAll(async () => {
    parts = await openTestStore();
  });
  afterAll(() => parts.close());

  beforeEach(async () => {
    [workers, verdicts, faults] = [[], [], []];
    tenant = await createTenant(parts.store, `d${randomUUIDv7()}.test`);
  });
  afterEach(async () => {
    for (const worker of workers) await worker.stop(1000);
    for (const cleanup of cleanups.splice(0)) await cleanup();
    await sql`delete from pgboss.job`.execute(parts.database.db);
  });
}

export const page = { limit: 100, offset: 0 };
const from = () => ({ email: `hello@${tenant.domain.name}`, name: null });
const to = (email: string) => ({ email, name: null });
export const accept = (...recipients: string[]) =>
  acceptAll(
    tenant,
    recipients.map((email) => testMessage({ from: from(), to: to(email) })),
  );

export function work(transport: Transport, change: Partial<WorkerOptions> = {}): DeliveryWorker {
  const worker = createWorker({
    queue: parts.queue,
    store: parts.store.delivery,
    transport,
    clock: parts.clock,
    identity: {
      key: 'a key of the test',
      webUrl: 'https://links.sendspec.test',
      mailHostname: 'mail.sendspec.test',
    },
    sign: createSigner((id) => parts.store.delivery.signingKey(id)),
    observer: { deliveryFinished: (verdict) => verdicts.push(verdict), fault: (what) => faults.push(what) },
    idleMs: 20,
    faultPauseMs: 20,
    ...change,
  });
  workers.push(worker);
  worker.start();
  return worker;
}

export async function sinkTransport(): Promise<Transport> {
  const sink = await startSmtpListener({
    destinations: () => [createSink(parts.store.sandbox)],
    clock: parts.clock,
    port: 0,
    host: '127.0.0.1',
    hostname: 'sink.sendspec.test',
    onFault: (error) => faults.push(String(error)),
  });
  cleanups.push(() => sink.close());
  return openTransport({
    route: { mode: 'sandbox', sinkPort: sink.port },
    mailHostname: 'mail.sendspec.test',
  });
}

/** A transport that answers every mail in the same way. */
export function answering(
  event: 'delivery' | 'soft_bounce' | 'hard_bounce',
  retry: boolean,
  sent: string[] = [],
): Transport {
  return {
    send: async ({ recipient }) => {
      sent.push(recipient);
      return {
        verdict: { event, retry },
        host: 'mx.example.com [192.0.2.1]:25',
        response: '451 4.7.1 Later',
        transcript: 'S: 451\n',
      };
    },
    close: async () => {},
  };
}

export const statusOf = async (id: string) => (await tenant.store.messages.get(id)).delivery_status;
export const eventsOf = async (id: string) =>
  (await tenant.store.messages.listEvents(id, page)).rows.map(({ type }) => type).reverse();
export const contents = async (id: string) =>
  (await sql`select 1 from message_contents where message_id = ${id}`.execute(parts.database.db)).rows.length;
export const settled = (id: string, status: string) => expect.poll(() => statusOf(id)).toBe(status);
