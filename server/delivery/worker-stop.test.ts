import { describe, expect, it } from 'vitest';
import { NotAttempted } from './mail.ts';
import {
  accept,
  answering,
  eventsOf,
  faults,
  parts,
  prepareWorkers,
  statusOf,
  work,
} from './worker-testing.ts';

prepareWorkers();

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
