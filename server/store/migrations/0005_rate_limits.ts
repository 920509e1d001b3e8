import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The requests of callers in the present minute, which all processes count together. A crash may forget them: no log is written. */
export const rateLimits: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create unlogged table rate_limits (
        key text primary key,
        points integer not null,
        expire bigint
      ) with (fillfactor = 50)`.execute(db);
  },
};
