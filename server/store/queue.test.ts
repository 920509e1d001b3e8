import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { plusMilliseconds } from '../domain/time.ts';
import { createQueue } from './queue.ts';
import { openTestStore, type TestStore } from './testing.ts';

let test: TestStore;

beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test.close());
beforeEach(async () => {
  await sql`delete from pgboss.job`.execute(test.database.db);
});

const enqueue = (ids: string[], startAfter?: string) =>
  test.database.db.transaction().execute((tx) => test.queue.enqueueDeliveries(tx, ids, startAfter));

describe('the queue', () => {
  it('takes a first job within a transaction of a fresh start', async () => {
    const queue = createQueue({ database: test.database, clock: test.clock });
    await queue.start();
    await test.database.db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx);
      await queue.enqueueDeliveries(tx, [randomUUIDv7()]);
    });
    expect(await queue.depth()).toEqual({ ready: 1, waiting: 0, active: 0 });
    await queue.stop();
  });

  it('keeps nothing of a transaction that fails', async () => {
    const failed = test.database.db.transaction().execute(async (tx) => {
      await test.queue.enqueueDeliveries(tx, [randomUUIDv7()]);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await test.queue.depth()).toEqual({ ready: 0, waiting: 0, active: 0 });
  });

  it('gives each job to one worker', async () => {
    const ids = Array.from({ length: 20 }, () => randomUUIDv7());
    await enqueue(ids);
    const taken = await Promise.all([test.queue.fetchDeliveries(15), test.queue.fetchDeliveries(15)]);
    expect(
      taken
        .flat()
        .map((job) => job.id)
        .toSorted(),
    ).toEqual(ids.toSorted());
    expect(await test.queue.depth()).toEqual({ ready: 0, waiting: 0, active: 20 });
  });

  it('takes first what has been due longest, whatever came in first', async () => {
    const later = randomUUIDv7();
    const sooner = randomUUIDv7();
    await enqueue([later], plusMilliseconds(test.clock.now(), 600_000));
    await enqueue([sooner], plusMilliseconds(test.clock.now(), 300_000));
    await test.queue.advance(601);
    expect(await test.queue.fetchDeliveries(1)).toMatchObject([{ id: sooner }]);
    expect(await test.queue.fetchDeliveries(1)).toMatchObject([{ id: later }]);
  });

  it('finishes some and gives others back until later', async () => {
    await enqueue([randomUUIDv7(), randomUUIDv7()]);
    const [first, second] = await test.queue.fetchDeliveries(2);
    if (first === undefined || second === undefined) throw new Error('Two jobs were put in.');
    await test.database.db.transaction().execute(async (tx) => {
      await test.queue.finish(tx, [first]);
      await test.queue.retry(tx, [{ job: second, at: plusMilliseconds(test.clock.now(), 300_000) }]);
    });
    expect(await test.queue.depth()).toEqual({ ready: 0, waiting: 1, active: 0 });
    await test.queue.advance(299);
    expect(await test.queue.fetchDeliveries(1)).toEqual([]);
    await test.queue.advance(2);
    expect(await test.queue.fetchDeliveries(1)).toMatchObject([{ id: second.id }]);
  });

  it('counts a later moment by the clock of the service, not of the database', async () => {
    test.clock.advance(3_600_000);
    await enqueue([randomUUIDv7()], test.clock.now());
    expect(await test.queue.depth()).toMatchObject({ ready: 1 });
  });

  it('leaves a job alone that another worker has taken over', async () => {
    await enqueue([randomUUIDv7()]);
    const [stale] = await test.queue.fetchDeliveries(1);
    if (stale === undefined) throw new Error('A job was put in.');
    await sql`update pgboss.job set state = 'retry'`.execute(test.database.db);
    await test.queue.fetchDeliveries(1);
    await test.database.db.transaction().execute((tx) => test.queue.finish(tx, [stale]));
    expect(await test.queue.depth()).toEqual({ ready: 0, waiting: 0, active: 1 });
  });

  it('gives jobs back that were not begun', async () => {
    await enqueue([randomUUIDv7()]);
    await test.queue.release(await test.queue.fetchDeliveries(1));
    expect(await test.queue.depth()).toEqual({ ready: 1, waiting: 0, active: 0 });
  });

  it.each(['release', 'putOff'] as const)('lets go of jobs whose hand-back fails (%s)', async (how) => {
    const { db } = test.database;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const queue = createQueue({ database: test.database, clock: test.clock });
    try {
      await queue.start();
      await enqueue([randomUUIDv7(), randomUUIDv7()]);
      const [kept, given] = await queue.fetchDeliveries(2);
      if (kept === undefined || given === undefined) throw new Error('Two jobs were put in.');
      await sql`alter schema pgboss rename to pgboss_away`.execute(db);
      const handedBack =
        how === 'release' ? queue.release([given]) : queue.putOff([{ job: given, at: test.clock.now() }]);
      await expect(handedBack).rejects.toThrow('pgboss');
      await sql`alter schema pgboss_away rename to pgboss`.execute(db);
      await sql`update pgboss.job set heartbeat_on = null`.execute(db);
      await vi.advanceTimersByTimeAsync(10_000);
      vi.useRealTimers();
      const alive = () => sql`select id from pgboss.job where heartbeat_on is not null`.execute(db);
      await expect.poll(async () => (await alive()).rows).toEqual([{ id: kept.id }]);
    } finally {
      vi.useRealTimers();
      await queue.stop();
    }
  });

  it('finds the jobs of a killed process again, at once where no other process can be', async () => {
    await enqueue([randomUUIDv7()]);
    await test.queue.fetchDeliveries(1);
    const next = createQueue({ database: test.database, clock: test.clock });
    await next.start();
    const isEmbedded = test.database.kind === 'pglite';
    expect(await next.depth()).toEqual({ ready: isEmbedded ? 1 : 0, waiting: 0, active: isEmbedded ? 0 : 1 });
    await next.stop();
  });
});
