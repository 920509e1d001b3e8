import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { openTestDatabase } from './testing.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

test('a connection that breaks in the middle of a transaction costs the transaction, not the process', async () => {
  if (database.kind !== 'postgres') throw new Error('This is a test for PostgreSQL.');
  const faults: Error[] = [];
  const told = Promise.withResolvers<void>();
  const onConnectionError = (error: Error) => {
    faults.push(error);
    told.resolve();
  };
  const other = await openDatabase({ databaseUrl: database.databaseUrl, onConnectionError });
  const broken = other.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db);
    await told.promise;
    await sql`select 1`.execute(tx);
  });
  await expect(broken).rejects.toThrow();
  expect(faults).not.toEqual([]);
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(other.db);
  expect(rows).toEqual([{ one: 1 }]);
  await other.close();
});
