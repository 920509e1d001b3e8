import { type Migration, Migrator } from 'kysely/migration';
import { StartupError } from '../errors.ts';
import type { Database } from './database.ts';
import { initial } from './migrations/0001_initial.ts';
import { listUnsubscribe } from './migrations/0002_list_unsubscribe.ts';
import { forwards } from './migrations/0003_forwards.ts';
import { dkimRotation } from './migrations/0004_dkim_rotation.ts';
import { rateLimits } from './migrations/0005_rate_limits.ts';
import { retention } from './migrations/0006_retention.ts';
import { webhooks } from './migrations/0007_webhooks.ts';
import { postmaster } from './migrations/0008_postmaster.ts';

/** Every migration by its name; they run in the order of the names. A new one goes to the end. */
const MIGRATIONS: Record<string, Migration> = {
  '0001_initial': initial,
  '0002_list_unsubscribe': listUnsubscribe,
  '0003_forwards': forwards,
  '0004_dkim_rotation': dkimRotation,
  '0005_rate_limits': rateLimits,
  '0006_retention': retention,
  '0007_webhooks': webhooks,
  '0008_postmaster': postmaster,
};

/**
 * Brings the tables up to date; does nothing when they are. Several processes may do so at once: a lock in the database
 * lets one work and the others wait.
 * Throws StartupError when a migration fails; nothing of it remains.
 */
export async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({
    db: database.db,
    provider: { getMigrations: async () => MIGRATIONS },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find((result) => result.status === 'Error')?.migrationName ?? 'preparation';
  throw new StartupError(
    `The tables of the database could not be brought up to date (${failed}): ${error instanceof Error ? error.message : String(error)}`,
    'Nothing was changed. The user of the database needs the right to create tables in it.',
    { cause: error },
  );
}
