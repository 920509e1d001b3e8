import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Which of a domain's two DKIM keys signs, and whether the other one is about to: since when it waits to be seen in the DNS,
 * and when the last change was. A key has an id of its own, since the next one takes its place under the same selector.
 */
export const dkimRotation: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table domains
        add column dkim_position smallint not null default 1,
        add column dkim_rotation_at timestamptz,
        add column dkim_rotated_at timestamptz`.execute(db);
    await sql`create index domains_dkim_rotation on domains (dkim_rotation_at) where dkim_rotation_at is not null`.execute(
      db,
    );
    await sql`alter table dkim_keys add column dkim_key_id uuid not null default gen_random_uuid()`.execute(
      db,
    );
    await sql`create unique index dkim_keys_id on dkim_keys (dkim_key_id)`.execute(db);
  },
};
