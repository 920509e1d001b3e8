import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Finds the oldest hours of the statistics, whoever they belong to. */
export const retention: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index stats_hourly_bucket on stats_hourly (bucket)`.execute(db);
  },
};
