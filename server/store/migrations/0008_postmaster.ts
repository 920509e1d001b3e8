import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Mail for the postmaster is forwarded like a request to unsubscribe, and is about no message. */
export const postmaster: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table forwards alter column message_id drop not null`.execute(db);
  },
};
