import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Requests to unsubscribe that came by mail and wait to be forwarded to the sender's own address. */
export const forwards: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table forwards (
        forward_id uuid primary key,
        message_id uuid not null,
        recipient text not null,
        raw bytea not null,
        created_at timestamptz not null,
        attempts smallint not null default 0,
        next_attempt_at timestamptz not null
      )`.execute(db);
    await sql`create index forwards_due on forwards (next_attempt_at)`.execute(db);
  },
};
