import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { simpleParser } from 'mailparser';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
import { NotAttempted, type Transport } from './mail.ts';
import { createSigner } from './signer.ts';
import { openTransport } from './transport.ts';
import { createWorker, type DeliveryWorker, type WorkerOptions } from './worker.ts';

const HOUR = 3_600_000;
let parts: TestStore;
let tenant: TestTenant;
let workers: DeliveryWorker[];
let verdicts: string[];
let faults: string[];
const cleanups: (() => Promise<unknown>)[] = [];

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

const page = { limit: 100, offset: 0 };
const from = () => ({ email: `hello@${tenant.domain.name}`, name: null });
const to = (email: string) => ({ email, name: null });
const accept = (...recipients: string[]) =>
  acceptAll(
    tenant,
    recipients.map((email) => testMessage({ from: from(), to: to(email) })),
  );

function work(transport: Transport, change: Partial<WorkerOptions> = {}): DeliveryWorker {
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

async function sinkTransport(): Promise<Transport> {
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
function answering(
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

const statusOf = async (id: string) => (await tenant.store.messages.get(id)).delivery_status;
const eventsOf = async (id: string) =>
  (await tenant.store.messages.listEvents(id, page)).rows.map(({ type }) => type).reverse();
const contents = async (id: string) =>
  (await sql`select 1 from message_contents where message_id = ${id}`.execute(parts.database.db)).rows.length;
const settled = (id: string, status: string) => expect.poll(() => statusOf(id)).toBe(status);

describe('with the sink of the sandbox', () => {
  it('delivers what was accepted, keeps the mail for the inbox, and forgets the content', async () => {
    const transport = await sinkTransport();
    const [id = ''] = await accept('inbox@example.com');
    work(transport);
    await settled(id, 'delivery');
    expect(await eventsOf(id)).toEqual(['new', 'delivery']);
    expect(await contents(id)).toBe(0);
    const [mail] = await parts.store.sandbox.captured({ to: 'inbox@example.com', limit: 1 });
    expect(mail).toMatchObject({ to: ['inbox@example.com'], from: expect.stringContaining(`b-${id}-`) });
    const parsed = await simpleParser(Buffer.from(mail?.raw ?? []));
    expect(parsed).toMatchObject({ messageId: `<${id}@${tenant.domain.name}>`, subject: 'Greetings' });
    expect(await parts.queue.depth()).toEqual({ ready: 0, waiting: 0, active: 0 });
    const { rows } = await sql<{ attempt: number; verdict: string; host: string }>`
      select attempt, verdict, host from smtp_deliveries where message_id = ${id}`.execute(parts.database.db);
    expect(rows).toEqual([
      { attempt: 1, verdict: 'delivery', host: expect.stringMatching(/^127\.0\.0\.1:\d+$/) },
    ]);
  });

  it('plays the bounces of the simulator, each once, and suppresses after the hard one', async () => {
    const transport = await sinkTransport();
    const [hard = '', soft = '', delivered = ''] = await accept(
      'hard_bounce+x@simulator.test',
      'Soft_Bounce@simulator.test',
      'delivery+1@simulator.test',
    );
    work(transport);
    await Promise.all([
      settled(hard, 'hard_bounce'),
      settled(soft, 'soft_bounce'),
      settled(delivered, 'delivery'),
    ]);
    expect(await eventsOf(hard)).toEqual(['new', 'hard_bounce']);
    expect(await eventsOf(soft)).toEqual(['new', 'soft_bounce']);
    expect(await contents(soft)).toBe(0);
    const suppressions = await tenant.store.suppressions.list({}, page);
    expect(suppressions.rows.map(({ recipient_email, type }) => [recipient_email, type])).toEqual([
      ['hard_bounce+x@simulator.test', 'hard_bounce'],
    ]);
    expect(verdicts.toSorted()).toEqual(['delivery', 'hard_bounce', 'soft_bounce']);
  });

  it('delivers many, each once', async () => {
    const transport = await sinkTransport();
    const recipients = Array.from({ length: 300 }, (_, i) => `many${i}@${tenant.domain.name}`);
    const ids = await accept(...recipients);
    work(transport);
    await expect.poll(() => parts.queue.depth()).toEqual({ ready: 0, waiting: 0, active: 0 });
    for (const id of [ids[0], ids[150], ids[299]])
      expect(await eventsOf(id ?? '')).toEqual(['new', 'delivery']);
    const mails = await parts.store.sandbox.captured({ limit: 1000 });
    const received = mails
      .flatMap((mail) => mail.to)
      .filter((address) => address.endsWith(tenant.domain.name));
    expect(received.toSorted()).toEqual(recipients.toSorted());
    expect(faults).toEqual([]);
  });

  it('sees new work while it is idle', async () => {
    const worker = work(await sinkTransport(), { idleMs: 60_000 });
    await expect.poll(() => parts.queue.depth()).toMatchObject({ active: 0 });
    const [id = ''] = await accept('idle@example.com');
    await expect
      .poll(() => {
        worker.wake();
        return statusOf(id);
      })
      .toBe('delivery');
  });
});

describe('a message that fails for now', () => {
  it('waits for its next attempt, keeps its content, and is given up after three days', async () => {
    const sent: string[] = [];
    const [id = ''] = await accept('later@example.com');
    work(answering('soft_bounce', true, sent));
    await settled(id, 'soft_bounce');
    await expect.poll(() => parts.queue.depth()).toEqual({ ready: 0, waiting: 1, active: 0 });
    expect([sent.length, await contents(id)]).toEqual([1, 1]);

    const advance = async (ms: number) => {
      parts.clock.advance(ms);
      await parts.queue.advance(ms / 1000);
    };
    await advance(HOUR);
    await expect.poll(() => sent.length).toBe(2);
    await expect.poll(() => parts.queue.depth()).toMatchObject({ waiting: 1 });
    await advance(72 * HOUR);
    await expect.poll(() => sent.length).toBe(3);
    await expect.poll(() => parts.queue.depth()).toEqual({ ready: 0, waiting: 0, active: 0 });
    expect(await eventsOf(id)).toEqual(['new', 'soft_bounce', 'soft_bounce', 'soft_bounce']);
    expect([await statusOf(id), await contents(id)]).toEqual(['soft_bounce', 0]);
    const { rows } = await sql<{ attempt: number }>`
      select attempt from smtp_deliveries where message_id = ${id} order by attempt`.execute(
      parts.database.db,
    );
    expect(rows.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    const { rows: events } = await tenant.store.messages.listEvents(id, page);
    const responses = events.map(({ details }) => 'smtp_response' in details && details.smtp_response);
    expect(responses).toEqual([
      '5.4.7 Given up after 72 hours; the last answer was: 451 4.7.1 Later',
      '451 4.7.1 Later',
      '451 4.7.1 Later',
      false,
    ]);
  });

  it('is tried again by the schedule when our own transport breaks', async () => {
    const [id = ''] = await accept('broken@example.com');
    work({
      send: async () => {
        throw new Error('a bug\u0000');
      },
      close: async () => {},
    });
    await settled(id, 'soft_bounce');
    await expect.poll(() => parts.queue.depth()).toMatchObject({ waiting: 1 });
    expect(faults).toEqual([`Sending message ${id} failed.`]);
  });
});

describe('a message whose destination is to be left alone', () => {
  /** A transport that takes nothing for so many tries, and says when to come again. */
  const reluctant = (tries: number, known: boolean, sent: string[] = []): Transport => {
    let left = tries;
    const taking = answering('delivery', false, sent);
    const afterMs = () => {
      left -= 1;
      return left >= 0 ? HOUR : 0;
    };
    return {
      ...taking,
      ...(known ? { putOffMs: afterMs } : {}),
      send: async (mail) => {
        const wait = known ? 0 : afterMs();
        if (wait > 0) throw new NotAttempted(wait);
        return taking.send(mail);
      },
    };
  };

  it.each([true, false])('waits, without a trace in its log (known beforehand: %s)', async (known) => {
    const sent: string[] = [];
    const [id = ''] = await accept('patient@example.com');
    work(reluctant(1, known, sent));
    await expect.poll(() => parts.queue.depth()).toMatchObject({ waiting: 1 });
    expect([await eventsOf(id), await contents(id), sent]).toEqual([['new'], 1, []]);
    await parts.queue.advance(HOUR / 1000);
    await settled(id, 'delivery');
    expect(await eventsOf(id)).toEqual(['new', 'delivery']);
    const { rows } = await sql<{ attempt: number }>`
      select attempt from smtp_deliveries where message_id = ${id}`.execute(parts.database.db);
    expect(rows).toEqual([{ attempt: 1 }]);
    expect(faults).toEqual([]);
  });

  it('ends with its time, even if it was never tried', async () => {
    const sent: string[] = [];
    const [id = ''] = await accept('expired@example.com');
    parts.clock.advance(71.5 * HOUR);
    work(reluctant(1, true, sent));
    await settled(id, 'soft_bounce');
    expect((await tenant.store.messages.listEvents(id, page)).rows[0]).toMatchObject({
      type: 'soft_bounce',
      details: {
        smtp_response:
          '5.4.7 Given up after 72 hours; the mail servers of example.com take no mail at present',
      },
    });
    expect([sent, await contents(id)]).toEqual([[], 0]);
    expect(await parts.queue.depth()).toEqual({ ready: 0, waiting: 0, active: 0 });
  });
});

describe('a message that cannot be composed', () => {
  it('ends at once, and does not hold up the others', async () => {
    const transport = await sinkTransport();
    const [poison = '', sound = ''] = await accept('poison@example.com', 'sound@example.com');
    await sql`update message_contents set html = null, text = null where message_id = ${poison}`.execute(
      parts.database.db,
    );
    work(transport);
    await Promise.all([settled(poison, 'soft_bounce'), settled(sound, 'delivery')]);
    const events = await tenant.store.messages.listEvents(poison, page);
    expect(events.rows).toMatchObject([
      {
        type: 'soft_bounce',
        details: { smtp_response: '5.6.0 The message cannot be composed.' },
      },
      { type: 'new' },
    ]);
    expect(await parts.queue.depth()).toEqual({ ready: 0, waiting: 0, active: 0 });
  });
});

describe('a message that cannot be signed for now', () => {
  it('waits a few seconds, without a trace in its log', async () => {
    let failures = 1;
    const sound = createSigner((id) => parts.store.delivery.signingKey(id));
    const [id = ''] = await accept('unsigned@example.com');
    work(answering('delivery', false), {
      sign: async (raw, keyId) => {
        failures -= 1;
        if (failures >= 0) throw new Error('password authentication failed for user "sendspec"');
        return sound(raw, keyId);
      },
    });
    await expect.poll(() => parts.queue.depth()).toMatchObject({ waiting: 1 });
    expect([await eventsOf(id), faults]).toEqual([['new'], [`Signing message ${id} failed.`]]);
    await parts.queue.advance(60);
    await settled(id, 'delivery');
    expect(await eventsOf(id)).toEqual(['new', 'delivery']);
  });
});

describe('a job without a message', () => {
  it('is dropped', async () => {
    const sent: string[] = [];
    const [id = ''] = await accept('gone@example.com');
    await sql`delete from message_contents where message_id = ${id}`.execute(parts.database.db);
    work(answering('delivery', false, sent));
    await expect.poll(() => parts.queue.depth()).toEqual({ ready: 0, waiting: 0, active: 0 });
    expect(sent).toEqual([]);
    expect(await eventsOf(id)).toEqual(['new']);
  });
});

describe('a database that fails', () => {
  it('does not make the worker forget what it delivered', async () => {
    const sent: string[] = [];
    let failures = 3;
    const [id = ''] = await accept('outage@example.com');
    const { delivery } = parts.store;
    work(answering('delivery', false, sent), {
      store: {
        load: (ids) => delivery.load(ids),
        discard: (jobs) => delivery.discard(jobs),
        record: async (records) => {
          failures -= 1;
          if (failures >= 0) throw new Error('The database is away.');
          return delivery.record(records);
        },
      },
    });
    await settled(id, 'delivery');
    expect(sent).toEqual(['outage@example.com']);
    expect(await eventsOf(id)).toEqual(['new', 'delivery']);
    expect(faults).toHaveLength(3);
  });

  it('does not end the worker when it cannot be asked', async () => {
    let failures = 2;
    const [id = ''] = await accept('asked@example.com');
    work(answering('delivery', false), {
      queue: {
        release: (jobs) => parts.queue.release(jobs),
        putOff: (jobs) => parts.queue.putOff(jobs),
        fetchDeliveries: async (limit) => {
          failures -= 1;
          if (failures >= 0) throw new Error('The database is away.');
          return parts.queue.fetchDeliveries(limit);
        },
      },
    });
    await settled(id, 'delivery');
    expect(faults).toHaveLength(2);
  });
});

describe('stopping', () => {
  it('finishes what is in delivery and hands back what is not', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const begun: string[] = [];
    const quick = answering('delivery', false);
    const [first = '', second = ''] = await accept('first@example.com', 'second@example.com');
    const worker = work({
      send: async (mail) => {
        begun.push(mail.recipient);
        await gate;
        if (mail.recipient.startsWith('second')) throw new NotAttempted();
        return quick.send(mail);
      },
      close: async () => release(),
    });
    await expect.poll(() => begun.length).toBe(2);
    await worker.stop(5000);
    expect([await statusOf(first), await statusOf(second)]).toEqual(['delivery', 'new']);
    expect(await parts.queue.depth()).toEqual({ ready: 1, waiting: 0, active: 0 });
    expect(await eventsOf(second)).toEqual(['new']);
    expect(faults).toEqual([]);
  });

  it.each([
    ['still records what it delivered when the database comes back in time', 2, 5000, 'delivery'],
    [
      'never hands back what it delivered, even if it cannot record that',
      Number.POSITIVE_INFINITY,
      50,
      'new',
    ],
  ])('%s', async (_case, failures, graceMs, status) => {
    const { delivery } = parts.store;
    let left = failures;
    let released = 0;
    const [id = ''] = await accept('outage@example.com');
    const worker = work(answering('delivery', false), {
      queue: {
        fetchDeliveries: (limit) => parts.queue.fetchDeliveries(limit),
        putOff: (jobs) => parts.queue.putOff(jobs),
        release: async (jobs) => {
          released += 1;
          await parts.queue.release(jobs);
        },
      },
      store: {
        load: (ids) => delivery.load(ids),
        discard: (jobs) => delivery.discard(jobs),
        record: async (records) => {
          void worker.stop(graceMs);
          left -= 1;
          if (left >= 0) throw new Error('The database is away.');
          return delivery.record(records);
        },
      },
    });
    await expect.poll(() => faults.length).toBeGreaterThan(0);
    await worker.stop(graceMs);
    expect([await statusOf(id), released]).toEqual([status, 0]);
    expect(await parts.queue.depth()).toMatchObject({ ready: 0, active: status === 'new' ? 1 : 0 });
  });

  it('fetches no more', async () => {
    const sent: string[] = [];
    const worker = work(answering('delivery', false, sent));
    await worker.stop(1000);
    await accept('too-late@example.com');
    await worker.stop(1000);
    expect(sent).toEqual([]);
    expect(await parts.queue.depth()).toMatchObject({ ready: 1 });
  });
});

describe('the room that a worker has', () => {
  it('is never exceeded', async () => {
    let now = 0;
    let most = 0;
    const quick = answering('delivery', false);
    await accept(...Array.from({ length: 40 }, (_, i) => `r${i}@example.com`));
    work(
      {
        send: async (mail) => {
          now += 1;
          most = Math.max(most, now);
          await new Promise((resolve) => setImmediate(resolve));
          now -= 1;
          return quick.send(mail);
        },
        close: async () => {},
      },
      { concurrency: 4 },
    );
    await expect.poll(() => parts.queue.depth()).toEqual({ ready: 0, waiting: 0, active: 0 });
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
  });
});
