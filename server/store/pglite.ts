import { PGlite, types } from '@electric-sql/pglite';
import { fromPostgres } from '../domain/time.ts';

const NUMERIC_OIDS = [types.INT8, types.NUMERIC];

/**
 * Opens an embedded database in a folder, or in memory when there is none; a new one starts as a copy of `template` if given.
 * Moments come out as Timestamps and every number as a number, as they do from PostgreSQL.
 */
export async function openPGlite(folder: string | undefined, template?: Blob): Promise<PGlite> {
  const parsers = Object.fromEntries([
    [types.TIMESTAMPTZ, fromPostgres],
    ...NUMERIC_OIDS.map((oid) => [oid, Number]),
  ]);
  const options = template === undefined ? { parsers } : { parsers, loadDataDir: template };
  const pglite = await PGlite.create(folder ?? 'memory://', options);
  await pglite.exec("set time zone 'UTC'");
  return pglite;
}
