import { sql } from 'kysely';
import { simpleParser } from 'mailparser';
import { describe, expect, it } from 'vitest';
import { NotAttempted, type Transport } from './mail.ts';
import {
  accept,
  answering,
  contents,
  eventsOf,
  faults,
  page,
  parts,
  prepareWorkers,
  settled,
  sinkTransport,
  statusOf,
  tenant,
  verdicts,
  work,
} from './worker-testing.ts';

const HOUR = 3_600_000;

prepareWorkers();

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
