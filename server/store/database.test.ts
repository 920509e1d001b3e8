import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SystemClock } from '../domain/time.ts';
import { StartupError } from '../errors.ts';
import { lockFolder } from '../folder-lock.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { createQueue } from './queue.ts';
import { openTestDatabase } from './testing.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** The same database as another process sees it; the embedded one has no second process. */
function secondDatabase(): Promise<Database> {
  return database.kind === 'postgres'
    ? openDatabase({ databaseUrl: database.databaseUrl })
    : Promise.resolve(database);
}

/** Long enough for a query that does not wait for the transaction to slip in. */
async function giveOthersTheirTurn(): Promise<void> {
  await pause(5);
}

describe('migrate', () => {
  it('may be started by several processes at once, and again later', async () => {
    const other = await secondDatabase();
    const clock = new SystemClock();
    const start = async (one: Database) => {
      await migrate(one);
      const queue = createQueue({ database: one, clock });
      await queue.start();
      return queue;
    };
    const queues =
      database.kind === 'postgres'
        ? await Promise.all([start(database), start(other)])
        : [await start(database)];
    for (const queue of queues) await queue.stop();
    await migrate(database);
    if (other !== database) await other.close();
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database.db);
    expect(rows.map((row) => row.name)).toContain('0001_initial');
  });
});

describe('a database', () => {
  it('gives moments as Timestamps and counts as numbers', async () => {
    const { rows } = await sql`
      select '2026-03-01 10:00:00.5+02'::timestamptz as moment, count(*) as many, sum(2::bigint) as total
      from (values (1)) v`.execute(database.db);
    expect(rows).toEqual([{ moment: '2026-03-01T08:00:00.500000+00:00', many: 1, total: 2 }]);
  });

  it('keeps a query of another request out of an open transaction', async () => {
    await sql`create table isolation (id int primary key)`.execute(database.db);
    const count = async () => (await sql`select id from isolation`.execute(database.db)).rows.length;
    let seenDuring: Promise<number> | undefined;
    const failed = database.db.transaction().execute(async (tx) => {
      await sql`insert into isolation values (1)`.execute(tx);
      seenDuring = count();
      await giveOthersTheirTurn();
      await sql`insert into isolation values (2)`.execute(tx);
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect(await seenDuring).toBe(0);
    expect(await count()).toBe(0);
  });

  it('keeps transactions that run at the same time apart', async () => {
    await sql`create table apart (id int primary key)`.execute(database.db);
    const work = (id: number) =>
      database.db.transaction().execute(async (tx) => {
        await sql`insert into apart values (${id})`.execute(tx);
        await giveOthersTheirTurn();
        if (id % 2 === 1) throw new Error('odd');
        await sql`select 1`.execute(tx);
      });
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, id) => work(id)));
    const { rows } = await sql<{ id: number }>`select id from apart order by id`.execute(database.db);
    expect(rows.map((row) => row.id)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(10);
  });
});

describe('openDatabase', () => {
  it('says what to do when PostgreSQL does not answer', async () => {
    const opened = openDatabase({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' });
    await expect(opened).rejects.toThrow(StartupError);
    await expect(opened).rejects.toMatchObject({ hint: expect.stringContaining('DATABASE_URL') });
  });
});

describe('lockFolder', () => {
  it('gives a folder to one at a time, and takes it over from the dead', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sendspec-lock-'));
    const release = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(/in use by process/);
    release();
    // This process's own id, but another beginning: what a killed process in a container leaves behind.
    writeFileSync(join(folder, 'sendspec.lock'), `${process.pid} 1\n`);
    lockFolder(folder)();
    // The first process of the machine lives for sure, and this is when it began.
    writeFileSync(join(folder, 'sendspec.lock'), 'rubbish');
    lockFolder(folder)();
    rmSync(folder, { recursive: true });
  });

  it('says so when the folder cannot be made', () => {
    expect(() => lockFolder('/dev/null/data')).toThrow(StartupError);
  });
});
