import { createHash, randomUUIDv7 } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PGlite } from '@electric-sql/pglite';
import { SystemClock } from '../domain/time.ts';
import { embeddedDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { openPGlite } from './pglite.ts';
import { createQueue } from './queue.ts';

// For tests: setting up an embedded database takes seconds of both cores, so each is a copy of one that was set up once. What
// a template depends on is in its name: after a change there is none of that name, and it is made anew.

const CACHE = new URL('../../node_modules/.cache/sendspec/', import.meta.url);
const EMPTY = `database-${digestOf(['../../package-lock.json'])}`;
// When this process began: what it has imported is of that moment, too.
const MIGRATED = `migrated-${digestOf([
  '../../package-lock.json',
  'queue.ts',
  'migrate.ts',
  ...readdirSync(new URL('migrations', import.meta.url)).map((name) => `migrations/${name}`),
])}`;

/** The file (a tar of its folder) of a database as a first start makes it, before there is anything in it. */
export async function emptyDatabase(): Promise<string> {
  const { file } = await template(EMPTY, () => openPGlite(undefined));
  return fileURLToPath(file);
}

/** A database in memory with nothing in it. */
export async function openEmpty(): Promise<PGlite> {
  const { bytes } = await template(EMPTY, () => openPGlite(undefined));
  return openPGlite(undefined, new Blob([bytes]));
}

/** A database in memory with all tables and the queue, as a start leaves it that finds nothing to do. */
export async function openMigrated(): Promise<PGlite> {
  const { bytes } = await template(MIGRATED, setUp);
  return openPGlite(undefined, new Blob([bytes]));
}

async function setUp(): Promise<PGlite> {
  const pglite = await openEmpty();
  const database = embeddedDatabase(pglite, () => {});
  await migrate(database);
  const queue = createQueue({ database, clock: new SystemClock() });
  await queue.start();
  await queue.stop();
  return pglite;
}

interface Template {
  file: URL;
  bytes: Uint8Array<ArrayBuffer>;
}

async function template(name: string, make: () => Promise<PGlite>): Promise<Template> {
  const file = new URL(`${name}.tar`, CACHE);
  const bytes: Uint8Array<ArrayBuffer> = await readFile(file).catch(async () => save(file, await make()));
  return { file, bytes };
}

/** Several processes may make it at the same moment: each writes its own, and the last one stays. */
async function save(file: URL, pglite: PGlite): Promise<Uint8Array<ArrayBuffer>> {
  const dump = await pglite.dumpDataDir('none');
  await pglite.close();
  const bytes = new Uint8Array(await dump.arrayBuffer());
  const draft = new URL(`${file.href}.${process.pid}-${randomUUIDv7()}`);
  await mkdir(CACHE, { recursive: true });
  await writeFile(draft, bytes);
  await rename(draft, file);
  return bytes;
}

function digestOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(new URL(file, import.meta.url)));
  return hash.digest('hex').slice(0, 16);
}
