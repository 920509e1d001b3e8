import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { BenchContext, PostgresServer } from './context.ts';

export const POSTGRES_URL = process.env.DATABASE_URL || 'postgres://postgres@127.0.0.1:5432/postgres';
const CONNECT_TIMEOUT_MS = 3_000;

/** The server at DATABASE_URL, or on this machine; undefined when none answers. */
export async function findPostgres(): Promise<PostgresServer | undefined> {
  try {
    const [row] = await query<{ server_version: string }>(POSTGRES_URL, 'show server_version');
    return { url: POSTGRES_URL, version: row?.server_version.split(' ')[0] ?? 'unknown' };
  } catch {
    return undefined;
  }
}

/** Makes an empty database that is dropped when the context ends; returns its URL. */
export async function createDatabase(context: BenchContext, server: PostgresServer): Promise<string> {
  const name = `sendspec_bench_${randomBytes(6).toString('hex')}`;
  await query(server.url, `create database ${name}`);
  context.defer(async () => {
    await query(server.url, `drop database if exists ${name} with (force)`);
  });
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs one statement on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return withClient(url, async (client) => (await client.query<Row>(text, values)).rows);
}

/** Lends a connection. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'sendspec bench',
    options: '-c TimeZone=UTC',
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
