import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Where the events of an account are sent, and every notification for it: job and log entry in one row, so that what was
 * recorded is what is sent. `sequence` is the order in which the events of a message were recorded.
 */
export const webhooks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table webhooks (
        webhook_id uuid primary key,
        organisation_id uuid not null references organisations on delete cascade,
        account_id uuid not null references accounts on delete cascade,
        url text not null,
        events text[] not null,
        status text not null,
        secrets jsonb not null,
        status_changes jsonb not null,
        failing_since timestamptz,
        paused_until timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        deleted_at timestamptz
      )`.execute(db);
    await sql`create index webhooks_account on webhooks (account_id)`.execute(db);
    await sql`create index webhooks_deleted on webhooks (deleted_at) where deleted_at is not null`.execute(
      db,
    );
    await sql`
      create table webhook_deliveries (
        sequence bigint generated always as identity primary key,
        webhook_id uuid not null references webhooks,
        organisation_id uuid not null,
        notification_id uuid not null,
        event text not null,
        message_id uuid,
        payload text not null,
        status text not null default 'pending',
        attempts_made int not null default 0,
        next_attempt_at timestamptz,
        taken_at timestamptz,
        replayed_at timestamptz,
        attempts jsonb not null default '[]',
        recorded_at timestamptz,
        created_at timestamptz not null
      )`.execute(db);
    await sql`create unique index webhook_deliveries_notification on webhook_deliveries (notification_id, webhook_id)`.execute(
      db,
    );
    await sql`create index webhook_deliveries_log on webhook_deliveries (webhook_id, sequence)`.execute(db);
    await sql`create index webhook_deliveries_age on webhook_deliveries (status, created_at)`.execute(db);
    await sql`
      create index webhook_deliveries_first on webhook_deliveries (webhook_id, message_id, sequence) include (next_attempt_at)
      where status = 'pending' and attempts_made = 0`.execute(db);
    await sql`
      create index webhook_deliveries_again on webhook_deliveries (webhook_id, next_attempt_at)
      where status = 'pending' and attempts_made > 0`.execute(db);
    await sql`
      create index webhook_deliveries_recorded on webhook_deliveries (recorded_at, sequence)
      where recorded_at is not null`.execute(db);
  },
};
