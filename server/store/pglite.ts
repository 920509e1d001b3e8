import { PGlite, types } from '@electric-sql/pglite';
import { type Dialect, PGliteAdapter, PGliteDialect, type PGliteDialectConfig, PGliteDriver } from 'kysely';
import { fromPostgres } from '../domain/time.ts';

const NUMERIC_OIDS = [types.INT8, types.NUMERIC];

/**
 * Opens an embedded database in a folder, or in memory when there is none.
 * Moments come out as Timestamps and every number as a number, as they do from PostgreSQL.
 */
export async function openPGlite(folder: string | undefined): Promise<PGlite> {
  const parsers = Object.fromEntries([
    [types.TIMESTAMPTZ, fromPostgres],
    ...NUMERIC_OIDS.map((oid) => [oid, Number]),
  ]);
  const pglite = await PGlite.create(folder ?? 'memory://', { parsers });
  await pglite.exec("set time zone 'UTC'");
  return pglite;
}

/** Kysely's dialect for PGlite with a driver that keeps transactions apart. */
export function isolatedPGliteDialect(pglite: PGlite): Dialect {
  const dialect = new PGliteDialect({ pglite });
  return {
    createAdapter: () => new PGliteAdapter(),
    createDriver: () => new IsolatedPGliteDriver({ pglite }),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

// Kysely's own driver hands the same connection object, with one place for a transaction, to everybody: a query of
// another request would run inside whatever transaction is open, and two transactions would overwrite each other.
// A connection of its own for every acquisition leaves the queueing to PGlite, which lets one transaction run at a time.
class IsolatedPGliteDriver extends PGliteDriver {
  readonly #config: PGliteDialectConfig;

  constructor(config: PGliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override async acquireConnection() {
    const own = new PGliteDriver(this.#config);
    await own.init();
    return own.acquireConnection();
  }
}
