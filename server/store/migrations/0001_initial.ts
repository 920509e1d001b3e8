import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const people = sql`
  create table organisations (
    organisation_id uuid primary key,
    name text not null,
    created_at timestamptz not null
  );
  create table users (
    user_id uuid primary key,
    organisation_id uuid not null references organisations,
    email text not null,
    name text not null,
    role text not null,
    password_hash text not null,
    created_at timestamptz not null
  );
  create unique index users_email on users (lower(email));
  create index users_organisation on users (organisation_id, created_at desc, user_id desc);

  create table sessions (
    session_id uuid primary key,
    user_id uuid not null references users on delete cascade,
    organisation_id uuid not null,
    access_hash bytea not null unique,
    access_expires_at timestamptz not null,
    family_hash bytea not null unique,
    refresh_hash bytea not null,
    refresh_expires_at timestamptz not null,
    created_at timestamptz not null
  );
  create index sessions_user on sessions (user_id);

  create table password_resets (
    token_hash bytea primary key,
    user_id uuid not null references users on delete cascade,
    expires_at timestamptz not null
  );
  create index password_resets_user on password_resets (user_id);`;

const senders = sql`
  create table accounts (
    account_id uuid primary key,
    organisation_id uuid not null references organisations,
    name text not null,
    status text not null,
    type text not null,
    created_at timestamptz not null,
    deleted_at timestamptz
  );
  create index accounts_organisation on accounts (organisation_id, created_at desc, account_id desc);
  create index accounts_deleted on accounts (deleted_at) where deleted_at is not null;

  create table api_keys (
    api_key_id uuid primary key,
    organisation_id uuid not null,
    account_id uuid not null references accounts,
    name text not null,
    prefix text not null,
    key_hash bytea not null unique,
    created_at timestamptz not null,
    last_used_at timestamptz
  );
  create index api_keys_account on api_keys (account_id, created_at desc);

  create table domains (
    domain_id uuid primary key,
    organisation_id uuid not null references organisations,
    name text not null,
    return_path_hostname text not null,
    dkim_verified_at timestamptz,
    return_path_verified_at timestamptz,
    created_at timestamptz not null,
    deleted_at timestamptz
  );
  create unique index domains_name on domains (organisation_id, lower(name)) where deleted_at is null;
  create index domains_organisation on domains (organisation_id, created_at desc, domain_id desc);

  create table domain_accounts (
    domain_id uuid not null references domains,
    account_id uuid not null references accounts,
    organisation_id uuid not null,
    primary key (domain_id, account_id)
  );
  create index domain_accounts_account on domain_accounts (account_id);

  create table dkim_keys (
    domain_id uuid not null references domains,
    position smallint not null,
    organisation_id uuid not null,
    selector text not null,
    private_key text not null,
    public_key text not null,
    created_at timestamptz not null,
    primary key (domain_id, position)
  );

  create table suppressions (
    suppression_id uuid primary key,
    organisation_id uuid not null,
    account_id uuid not null,
    recipient_email text not null,
    type text not null,
    reason text not null,
    message_id uuid,
    message_custom_id text,
    created_at timestamptz not null
  );
  create unique index suppressions_address on suppressions (account_id, lower(recipient_email));
  create index suppressions_organisation on suppressions (organisation_id, created_at desc, suppression_id desc);`;

// The tables of the log carry no foreign keys and few indexes: each one is paid for by every message that is accepted.
// Messages change a handful of times, and only in columns without an index, so room in the page lets the change stay there.
const log = sql`
  create table messages (
    message_id uuid primary key,
    organisation_id uuid not null,
    account_id uuid not null,
    domain_id uuid not null,
    custom_id text not null default '',
    custom_id_unique boolean not null default false,
    recipient_email text not null,
    from_email text not null,
    subject text not null,
    list_id text not null default '',
    track_opens boolean not null,
    track_clicks boolean not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    delivery_status text not null,
    opened_at timestamptz,
    clicked_at timestamptz,
    unsubscribed_at timestamptz,
    spam_complaint_at timestamptz,
    smtp_response text not null default '',
    event_mask smallint not null
  ) with (fillfactor = 85);
  create index messages_newest on messages (organisation_id, created_at desc, message_id desc);
  create index messages_recipient on messages (organisation_id, lower(recipient_email), created_at desc);
  create index messages_custom_id on messages (account_id, custom_id, created_at desc) where custom_id <> '';

  create table message_contents (
    message_id uuid primary key,
    organisation_id uuid not null,
    from_name text,
    recipient_name text,
    reply_to jsonb not null,
    list_unsubscribe text,
    html text,
    text text
  );

  create table message_events (
    event_id uuid primary key,
    message_id uuid not null,
    organisation_id uuid not null,
    account_id uuid not null,
    domain_id uuid not null,
    type text not null,
    received_at timestamptz not null,
    is_unique boolean not null,
    details jsonb not null
  );
  create index message_events_message on message_events (message_id, received_at);
  create index message_events_period on message_events (organisation_id, received_at);

  create table smtp_deliveries (
    smtp_log_id uuid primary key,
    message_id uuid not null,
    organisation_id uuid not null,
    attempt smallint not null,
    started_at timestamptz not null,
    finished_at timestamptz not null,
    host text not null,
    verdict text not null,
    response text not null,
    transcript text not null
  );
  create index smtp_deliveries_message on smtp_deliveries (message_id);`;

// Counters are updated in place by every transaction: half-empty pages keep those updates off the indexes.
const counters = sql`
  create table message_counts (
    organisation_id uuid not null,
    account_id uuid not null,
    domain_id uuid not null,
    bucket timestamptz not null,
    event_mask smallint not null,
    messages integer not null,
    primary key (organisation_id, bucket, account_id, domain_id, event_mask)
  ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
  create index message_counts_mask on message_counts (organisation_id, event_mask, bucket);

  create table stats_hourly (
    organisation_id uuid not null,
    account_id uuid not null,
    domain_id uuid not null,
    bucket timestamptz not null,
    messages integer not null,
    delivery integer not null,
    hard_bounce integer not null,
    soft_bounce integer not null,
    spam_complaint integer not null,
    unsubscribe integer not null,
    open integer not null,
    track_opens integer not null,
    click integer not null,
    track_clicks integer not null,
    unique_opens integer not null,
    unique_clicks integer not null,
    primary key (organisation_id, bucket, account_id, domain_id)
  ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);`;

const service = sql`
  create table settings (
    key text primary key,
    value jsonb not null
  );

  create table captured_mails (
    captured_mail_id bigint generated always as identity primary key,
    mail_from text not null,
    recipients text[] not null,
    received_at timestamptz not null,
    raw bytea not null
  );`;

/** All tables of the first version. */
export const initial: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const part of [people, senders, log, counters, service]) {
      for (const statement of part.compile(db).sql.split(/;\s*\n/)) {
        await sql.raw(statement).execute(db);
      }
    }
  },
};
