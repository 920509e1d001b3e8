import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { fromPostgres } from '../domain/time.ts';
import { StartupError } from '../errors.ts';
import { lockFolder } from '../folder-lock.ts';
import { openPGlite } from './pglite.ts';
import type { Schema } from './schema.ts';

/** An open database: PGlite inside this process, or PostgreSQL. Both speak the same SQL and give the same values. */
export type Database = {
  db: Kysely<Schema>;
  close(): Promise<void>;
} & ({ kind: 'pglite'; pglite: PGlite } | { kind: 'postgres'; databaseUrl: string; pool: pg.Pool });

export interface DatabaseLocation {
  /** PostgreSQL, when given. */
  databaseUrl?: string | undefined;
  /** The folder of the embedded database otherwise; without either, the database lives in memory. */
  dataDir?: string | undefined;
  /** Connections to PostgreSQL. */
  poolSize?: number | undefined;
  /** Told of a connection that broke while nobody waited for an answer; the pool replaces it. */
  onConnectionError?: ((error: Error) => void) | undefined;
}

const DATABASE_FOLDER = 'database';
const DEFAULT_POOL_SIZE = 10;
const STATEMENT_TIMEOUT_MS = 60_000;
const CONNECTION_TIMEOUT_MS = 10_000;

/**
 * Opens the database and makes sure that it answers.
 * Throws StartupError when it cannot be reached, or when its folder is in use or not writable.
 */
export function openDatabase(location: DatabaseLocation): Promise<Database> {
  const { databaseUrl, dataDir } = location;
  return databaseUrl === undefined ? openEmbedded(dataDir) : openPostgres(databaseUrl, location);
}

async function openEmbedded(dataDir: string | undefined): Promise<Database> {
  const unlock = dataDir === undefined ? () => {} : lockFolder(dataDir);
  try {
    const pglite = await openPGlite(dataDir === undefined ? undefined : join(dataDir, DATABASE_FOLDER));
    return embeddedDatabase(pglite, unlock);
  } catch (cause) {
    unlock();
    throw new StartupError(
      `The embedded database in ${dataDir ?? 'memory'} cannot be opened: ${messageOf(cause)}`,
      'Check that the folder is writable and complete, or start with an empty one (SENDSPEC_DATA_DIR).',
      { cause },
    );
  }
}

/** The database in an open PGlite; `closed` is called when it has been closed. */
export function embeddedDatabase(pglite: PGlite, closed: () => void): Database {
  // PGlite has one connection; Kysely lets one query or transaction have it at a time, in the order of asking.
  const db = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) });
  const close = async () => {
    await db.destroy();
    closed();
  };
  return { kind: 'pglite', pglite, db, close };
}

async function openPostgres(databaseUrl: string, location: DatabaseLocation): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'sendspec',
    // Without jit: compiling a statement takes longer than ours run.
    options: '-c TimeZone=UTC -c jit=off',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    max: location.poolSize ?? DEFAULT_POOL_SIZE,
    types: { getTypeParser },
  });
  // A connection may break in the middle of a transaction, between two queries: then nobody else listens, and the fault would
  // end the process. The pool repeats what an idle one has said already.
  pool.on('connect', (client) => client.on('error', (error) => location.onConnectionError?.(error)));
  pool.on('error', () => {});
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const close = () => db.destroy();
  try {
    await sql`select 1`.execute(db);
  } catch (cause) {
    await close();
    throw new StartupError(
      `The database does not answer: ${messageOf(cause)}`,
      'Check DATABASE_URL, and that PostgreSQL is running and lets this user in.',
      { cause },
    );
  }
  return { kind: 'postgres', databaseUrl, pool, db, close };
}

const { TIMESTAMPTZ, INT8, NUMERIC } = pg.types.builtins;

function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === TIMESTAMPTZ) return fromPostgres;
  if (oid === INT8 || oid === NUMERIC) return Number;
  return pg.types.getTypeParser(oid, format);
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
