import { randomUUIDv7 } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type ComposedMail, NotAttempted, type Transport } from '../delivery/mail.ts';
import { plusMilliseconds } from '../domain/time.ts';
import type { MailReport } from '../store/delivery-rows.ts';
import { acceptAll, createTenant, openTestStore, type TestStore, testMessage } from '../store/testing.ts';
import { type Forwarder, type ForwarderOptions, startForwarder } from './forwarder.ts';

const MINUTE = 60_000;
let parts: TestStore;
let messageId: string;
let forwarder: Forwarder | undefined;
const faults: string[] = [];
const givenUp: unknown[] = [];

beforeAll(async () => {
  parts = await openTestStore();
  const tenant = await createTenant(parts.store);
  [messageId = ''] = await acceptAll(tenant, [testMessage()]);
});
afterEach(async () => {
  await forwarder?.stop();
  await parts.database.db.deleteFrom('forwards').execute();
  faults.length = 0;
  givenUp.length = 0;
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

function run(send: Transport['send'], change: Partial<ForwarderOptions> = {}): void {
  forwarder = startForwarder({
    store: parts.store.reports,
    transport: { send, close: async () => {} },
    clock: parts.clock,
    mailHostname: 'mail.sendspec.test',
    fault: (what) => faults.push(what),
    gaveUp: (...lost) => givenUp.push(lost),
    idleMs: 10,
    faultPauseMs: 10,
    ...change,
  });
}

const waiting = () => parts.database.db.selectFrom('forwards').selectAll().execute();
const later = (milliseconds: number) => plusMilliseconds(parts.clock.now(), milliseconds);
const outcome = (event: 'delivery' | 'soft_bounce', retry: boolean) => async () => ({
  verdict: { event, retry },
  host: '',
  response: event === 'delivery' ? '' : '550 5.1.1 No',
  transcript: '',
});

it('gives each forward to one process, and to another when that one dies', async () => {
  await queue();
  const { reports } = parts.store;
  const [first, second] = await Promise.all([
    reports.takeForwards(5, { until: later(15 * MINUTE), busy: [] }),
    reports.takeForwards(5, { until: later(15 * MINUTE), busy: [] }),
  ]);
  expect([...first, ...second]).toMatchObject([
    { recipient: 'leave@demo.test', attempts: 1, isCurrent: true },
  ]);
  parts.clock.advance(14 * MINUTE);
  expect(await reports.takeForwards(5, { until: later(15 * MINUTE), busy: [] })).toEqual([]);
  parts.clock.advance(2 * MINUTE);
  expect(await reports.takeForwards(5, { until: later(15 * MINUTE), busy: [] })).toMatchObject([
    { attempts: 2 },
  ]);
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
  expect(givenUp).toEqual([['demo.test', '550 5.1.1 No']]);
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
  await expect.poll(() => faults).toEqual(['Forwarding a mail failed; it comes back by itself.']);
  parts.clock.advance(16 * MINUTE);
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), { timeout: 60_000 });
});

it('is held up by no other domain, however slow that is, and has one mail on its way to each', async () => {
  for (let number = 0; number < 30; number += 1) await queue(`leave-${number}@slow.test`);
  await queue('leave@quick.test');
  const cut = Promise.withResolvers<never>();
  const sent: string[] = [];
  run(async ({ recipient }) => {
    sent.push(recipient);
    return recipient.endsWith('slow.test') ? await cut.promise : await outcome('delivery', false)();
  });
  await expect.poll(async () => (await waiting()).length).toBe(30);
  expect(sent.toSorted()).toEqual(['leave-0@slow.test', 'leave@quick.test']);
  void forwarder?.stop();
  cut.reject(new NotAttempted());
});

it('holds what it sends, however long that takes', async () => {
  await queue();
  const { promise: sending, resolve: arrive } = Promise.withResolvers<void>();
  let attempts = 0;
  let holds = 0;
  const { reports } = parts.store;
  const store: ForwarderOptions['store'] = {
    ...reports,
    async holdForwards(ids, until) {
      await reports.holdForwards(ids, until);
      holds += 1;
    },
  };
  const send = async () => {
    attempts += 1;
    await sending;
    return await outcome('delivery', false)();
  };
  run(send, { store, holdEveryMs: 5 });
  await expect.poll(() => attempts).toBe(1);
  for (let step = 0; step < 10; step += 1) {
    parts.clock.advance(4 * MINUTE);
    const before = holds;
    // The first of them may have been under way before the clock moved.
    await expect.poll(() => holds).toBeGreaterThan(before + 1);
    expect(await reports.takeForwards(5, { until: later(MINUTE), busy: [] })).toEqual([]);
  }
  arrive();
  await expect.poll(waiting).toEqual([]);
  expect(attempts).toBe(1);
});

it('does not send again what the database could not record at once', async () => {
  await queue();
  const { reports } = parts.store;
  let failures = 2;
  let attempts = 0;
  const store: ForwarderOptions['store'] = {
    ...reports,
    async finishForward(forwardId) {
      failures -= 1;
      if (failures >= 0) throw new Error('The database is away.');
      await reports.finishForward(forwardId);
    },
  };
  const send = async () => {
    attempts += 1;
    return await outcome('delivery', false)();
  };
  run(send, { store });
  await expect.poll(waiting).toEqual([]);
  expect(attempts).toBe(1);
  expect(faults).toEqual(new Array(2).fill('Recording a forwarded mail failed; it is tried again.'));
});
