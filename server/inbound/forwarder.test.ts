import { randomUUIDv7 } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type ComposedMail, NotAttempted, type Transport } from '../delivery/mail.ts';
import { plusMilliseconds } from '../domain/time.ts';
import type { MailReport } from '../store/rows.ts';
import { acceptAll, createTenant, openTestStore, type TestStore, testMessage } from '../store/testing.ts';
import { type Forwarder, startForwarder } from './forwarder.ts';

const MINUTE = 60_000;
let parts: TestStore;
let messageId: string;
let forwarder: Forwarder | undefined;
const faults: string[] = [];

beforeAll(async () => {
  parts = await openTestStore();
  const tenant = await createTenant(parts.store);
  [messageId = ''] = await acceptAll(tenant, [testMessage()]);
});
afterEach(async () => {
  await forwarder?.stop();
  await parts.database.db.deleteFrom('forwards').execute();
  faults.length = 0;
});
afterAll(async () => {
  await parts.close();
});

async function queue(recipient = 'leave@demo.test'): Promise<void> {
  const now = parts.clock.now();
  await parts.database.db
    .insertInto('forwards')
    .values({
      forward_id: randomUUIDv7(),
      message_id: messageId,
      recipient,
      raw: Buffer.from('Subject: x\r\n\r\ny\r\n'),
      created_at: now,
      attempts: 0,
      next_attempt_at: now,
    })
    .execute();
}

function run(send: Transport['send']): void {
  forwarder = startForwarder({
    store: parts.store.reports,
    transport: { send, close: async () => {} },
    clock: parts.clock,
    mailHostname: 'mail.sendspec.test',
    fault: (what) => faults.push(what),
    idleMs: 10,
  });
}

const waiting = () => parts.database.db.selectFrom('forwards').selectAll().execute();
const later = (milliseconds: number) => plusMilliseconds(parts.clock.now(), milliseconds);
const outcome = (event: 'delivery' | 'soft_bounce', retry: boolean) => async () => ({
  verdict: { event, retry },
  host: '',
  response: '',
  transcript: '',
});

it('gives each forward to one process, and to another when that one dies', async () => {
  await queue();
  const { reports } = parts.store;
  const [first, second] = await Promise.all([
    reports.takeForwards(5, later(15 * MINUTE)),
    reports.takeForwards(5, later(15 * MINUTE)),
  ]);
  expect([...first, ...second]).toMatchObject([
    { recipient: 'leave@demo.test', attempts: 1, isCurrent: true },
  ]);
  parts.clock.advance(14 * MINUTE);
  expect(await reports.takeForwards(5, later(15 * MINUTE))).toEqual([]);
  parts.clock.advance(2 * MINUTE);
  expect(await reports.takeForwards(5, later(15 * MINUTE))).toMatchObject([{ attempts: 2 }]);
});

it('is queued once, however often its request is reported', async () => {
  const { reports } = parts.store;
  const request: MailReport = {
    event: {
      type: 'unsubscribe',
      eventId: randomUUIDv7(),
      messageId,
      receivedAt: parts.clock.now(),
      listId: '',
    },
    forward: { recipient: 'leave@demo.test', raw: Buffer.from('x') },
  };
  expect(await Promise.all([reports.record(request), reports.record(request)])).toContain(true);
  const [forward] = await waiting();
  expect(forward).toMatchObject({ recipient: 'leave@demo.test', attempts: 0 });
  await reports.finishForward(forward?.forward_id ?? '');
  expect(await reports.record(request)).toBe(false);
  expect(await waiting()).toEqual([]);
});

it('sends what is due, with a sender of its own and the domain in A-labels, and forgets it', async () => {
  await queue('leave@b\u00fccher.test');
  const sent: ComposedMail[] = [];
  run(async (mail) => {
    sent.push(mail);
    return await outcome('delivery', false)();
  });
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), { timeout: 60_000 });
  expect(sent).toEqual([
    {
      mailFrom: 'forwards@bounces.mail.sendspec.test',
      recipient: 'leave@xn--bcher-kva.test',
      raw: Buffer.from('Subject: x\r\n\r\ny\r\n'),
      headersNeedUtf8: false,
    },
  ]);
});

it('tries again by the schedule, and gives up after three days', async () => {
  await queue();
  let attempts = 0;
  run(async () => {
    attempts += 1;
    return await outcome('soft_bounce', true)();
  });
  const step = async () => {
    // Longer than any pause.
    parts.clock.advance(5 * 60 * MINUTE);
    expect(await waiting()).toEqual([]);
  };
  await vi.waitFor(step, { timeout: 60_000, interval: 100 });
  expect(attempts).toBeGreaterThan(1);
  expect(attempts).toBeLessThan(25);
  expect(faults).toEqual([]);
});

it('gives up at once what is refused for good', async () => {
  await queue();
  run(outcome('soft_bounce', false));
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), { timeout: 60_000 });
});

it('hands back, uncounted, what the end of the process cut off', async () => {
  await queue();
  run(async () => {
    void forwarder?.stop();
    throw new NotAttempted();
  });
  await vi.waitFor(
    async () => {
      const [forward] = await waiting();
      expect(forward?.attempts).toBe(0);
      expect((forward?.next_attempt_at ?? '') <= parts.clock.now()).toBe(true);
    },
    { timeout: 60_000 },
  );
});

it('goes on after a fault', async () => {
  await queue();
  let isFaulty = true;
  run(async () => {
    if (!isFaulty) return await outcome('delivery', false)();
    isFaulty = false;
    throw new Error('The network is away.');
  });
  await vi.waitFor(() => expect(faults).toEqual(['Forwarding requests to unsubscribe failed.']), {
    timeout: 60_000,
  });
  parts.clock.advance(16 * MINUTE);
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), { timeout: 60_000 });
});
