import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PGlite, types } from '@electric-sql/pglite';
import { fromPostgres } from '../domain/time.ts';
import { fieldsOf } from '../fields.ts';

const run = promisify(execFile);
const NUMERIC_OIDS = [types.INT8, types.NUMERIC];
// Its default of 128 MB is a third of what the whole service takes; below it the system's own cache holds the files.
const SHARED_BUFFERS = ['-c', 'shared_buffers=32MB'];

/**
 * Opens an embedded database in a folder, which is made when it is not there, or in memory when there is none; a new one
 * starts as a copy of `template` if given.
 * Moments come out as Timestamps and every number as a number, as they do from PostgreSQL.
 */
export async function openPGlite(folder: string | undefined, template?: Blob): Promise<PGlite> {
  const isNew = folder !== undefined && template === undefined && !existsSync(join(folder, 'PG_VERSION'));
  if (isNew) await createFolder(folder);
  const parsers = Object.fromEntries([
    [types.TIMESTAMPTZ, fromPostgres],
    ...NUMERIC_OIDS.map((oid) => [oid, Number]),
  ]);
  const startParams = [...PGlite.defaultStartParams, ...SHARED_BUFFERS];
  const options = { parsers, startParams, ...(template === undefined ? {} : { loadDataDir: template }) };
  const pglite = await PGlite.create(folder ?? 'memory://', options);
  await pglite.exec("set time zone 'UTC'");
  return pglite;
}

const CREATE = `
const [, pglite, folder] = process.argv;
const { PGlite } = await import(pglite);
await (await PGlite.create(folder)).close();`;

/**
 * Makes the folder of a new database in a process of its own: making one takes several hundred megabytes, which a process
 * that lives on does not give back, and two seconds in which this one has other things to do.
 * The folder gets its name when it is complete, so that a killed first start leaves nothing that looks like a database.
 */
async function createFolder(folder: string): Promise<void> {
  const unfinished = `${folder}.new`;
  // Where somebody's files are it is refused, before the two seconds and not after.
  if (existsSync(folder)) await rmdir(folder);
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(dirname(folder), { recursive: true });
  const pglite = import.meta.resolve('@electric-sql/pglite');
  await run(process.execPath, ['--input-type=module', '-e', CREATE, pglite, unfinished]).catch(explain);
  await rename(unfinished, folder);
}

/** Of what a failed process wrote, the one line that says why. */
function explain(failure: unknown): never {
  const [, reason = 'its process ended early'] =
    /^\w*Error: (.+)$/m.exec(String(fieldsOf(failure).stderr)) ?? [];
  throw new Error(`making it failed: ${reason}`, { cause: failure });
}
