import type { Core } from './core.ts';
import { StartupError } from './errors.ts';
import { followClock, restoreClock } from './sandbox/clock.ts';
import { type Database, openDatabase } from './store/database.ts';
import { migrate } from './store/migrate.ts';
import { openStore } from './store/open-store.ts';
import { createQueue, type Queue } from './store/queue.ts';
import type { SystemStore } from './store/store.ts';

/** The parts that remember. */
export interface Memory {
  database: Database;
  store: SystemStore;
  queue: Queue;
}

/** Opens the database, brings it up to date, starts the queue in it and puts the clock where it was. */
export async function openMemory({ config, logger, clock, closing }: Core): Promise<Memory> {
  const onError = (error: Error) => logger.error({ err: error }, 'a connection to the database failed');
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.databaseUrl === undefined ? config.dataDir : undefined,
    poolSize: config.poolSize,
    onConnectionError: onError,
  });
  closing.add(() => database.close());
  await bringUpToDate(database);
  const queue = createQueue({
    database,
    clock,
    backend: config.databaseUrl === undefined ? undefined : config.databaseBackend,
    onError: (error) => logger.error({ err: error }, 'background work of the queue failed; it goes on'),
  });
  closing.add(() => queue.stop());
  await queue.start();
  const store = openStore({ database, queue, clock, mailHostname: config.mailHostname });
  if (config.delivery.mode === 'sandbox') {
    await restoreClock(clock, store);
    // Another process may move the time of all of them.
    if (database.kind === 'postgres') closing.add(followClock(clock, store, onError));
  }
  return { database, store, queue };
}

/** Kysely's words for a migration that has run and that this version does not know. */
const UNKNOWN_MIGRATION = /previously executed migration (\S+) is missing/;

async function bringUpToDate(database: Database): Promise<void> {
  try {
    await migrate(database);
  } catch (error) {
    const [, name] = UNKNOWN_MIGRATION.exec(error instanceof Error ? error.message : '') ?? [];
    if (name === undefined) throw error;
    throw new StartupError(
      `The database was written by a newer version of sendspec (it has ${name}).`,
      'Start that version or a later one; nothing was changed.',
      { cause: error },
    );
  }
}
