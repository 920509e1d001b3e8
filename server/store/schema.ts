import type { Generated } from 'kysely';
import type { MessageEventType } from '../domain/events.ts';
import type { DeliveryStatus } from '../domain/message-state.ts';
import type { Timestamp } from '../domain/time.ts';
import type { Json, OrganisationId } from './column-types.ts';
import type { WebhookDeliveriesTable, WebhooksTable } from './webhook-schema.ts';

export type UserRole = 'owner' | 'viewer';
export type AccountType = 'transactional' | 'marketing';
export type AccountStatus = 'active' | 'disabled';
export type SuppressionType = 'manual' | 'hard_bounce' | 'spam_complaint' | 'unsubscribe';
/** What was decided after a delivery attempt (`smtp-verdict.ts`). */
export type DeliveryVerdict = 'delivery' | 'soft_bounce' | 'hard_bounce';

export interface OrganisationsTable {
  organisation_id: OrganisationId;
  name: string;
  created_at: Timestamp;
}

export interface UsersTable {
  user_id: string;
  organisation_id: OrganisationId;
  email: string;
  name: string;
  role: UserRole;
  password_hash: string;
  created_at: Timestamp;
}

export interface SessionsTable {
  session_id: string;
  user_id: string;
  organisation_id: OrganisationId;
  access_hash: Uint8Array;
  access_expires_at: Timestamp;
  /** Of the part of a refresh token that stays the same over its rotations. */
  family_hash: Uint8Array;
  refresh_hash: Uint8Array;
  refresh_expires_at: Timestamp;
  created_at: Timestamp;
}

export interface PasswordResetsTable {
  token_hash: Uint8Array;
  user_id: string;
  expires_at: Timestamp;
}

export interface AccountsTable {
  account_id: string;
  organisation_id: OrganisationId;
  name: string;
  status: AccountStatus;
  type: AccountType;
  created_at: Timestamp;
  deleted_at: Timestamp | null;
}

export interface ApiKeysTable {
  api_key_id: string;
  organisation_id: OrganisationId;
  account_id: string;
  name: string;
  prefix: string;
  key_hash: Uint8Array;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
}

export interface DomainsTable {
  domain_id: string;
  organisation_id: OrganisationId;
  name: string;
  return_path_hostname: string;
  dkim_verified_at: Timestamp | null;
  return_path_verified_at: Timestamp | null;
  /** The position of the key that signs. */
  dkim_position: Generated<number>;
  /** Since when the other key waits to be seen in the DNS. */
  dkim_rotation_at: Timestamp | null;
  /** When the key that signs took over. */
  dkim_rotated_at: Timestamp | null;
  created_at: Timestamp;
  deleted_at: Timestamp | null;
}

export interface DomainAccountsTable {
  domain_id: string;
  account_id: string;
  organisation_id: OrganisationId;
}

export interface DkimKeysTable {
  domain_id: string;
  /** 1 or 2: which of the two DNS records of the domain. */
  position: number;
  organisation_id: OrganisationId;
  selector: string;
  private_key: string;
  public_key: string;
  /** Another one when another key takes the position. */
  dkim_key_id: Generated<string>;
  created_at: Timestamp;
}

export interface MessagesTable {
  message_id: string;
  organisation_id: OrganisationId;
  account_id: string;
  domain_id: string;
  custom_id: string;
  custom_id_unique: boolean;
  recipient_email: string;
  from_email: string;
  subject: string;
  list_id: string;
  /** The sender's own address or URL for requests to unsubscribe. */
  list_unsubscribe: string | null;
  track_opens: boolean;
  track_clicks: boolean;
  created_at: Timestamp;
  updated_at: Timestamp;
  delivery_status: DeliveryStatus;
  opened_at: Timestamp | null;
  clicked_at: Timestamp | null;
  unsubscribed_at: Timestamp | null;
  spam_complaint_at: Timestamp | null;
  smtp_response: string;
  event_mask: number;
}

/** A mailbox with the name that people see. */
export interface Mailbox {
  email: string;
  name: string | null;
}

export interface MessageContentsTable {
  message_id: string;
  organisation_id: OrganisationId;
  from_name: string | null;
  recipient_name: string | null;
  reply_to: Json<Mailbox[]>;
  html: string | null;
  text: string | null;
}

/** The details of an event, one column for all types; what the contract shows of them is chosen when they are read. */
export interface StoredEventDetails {
  smtp_response?: string;
  smtp_log_id?: string;
  list_id?: string;
  user_agent?: string;
  user_ip?: string;
  automated?: boolean;
  tracking_url_destination?: string;
}

export interface MessageEventsTable {
  event_id: string;
  message_id: string;
  organisation_id: OrganisationId;
  account_id: string;
  domain_id: string;
  type: MessageEventType;
  received_at: Timestamp;
  is_unique: boolean;
  details: Json<StoredEventDetails>;
}

export interface SmtpDeliveriesTable {
  smtp_log_id: string;
  message_id: string;
  organisation_id: OrganisationId;
  attempt: number;
  started_at: Timestamp;
  finished_at: Timestamp;
  host: string;
  verdict: DeliveryVerdict;
  response: string;
  transcript: string;
}

export interface SuppressionsTable {
  suppression_id: string;
  organisation_id: OrganisationId;
  account_id: string;
  recipient_email: string;
  type: SuppressionType;
  reason: string;
  message_id: string | null;
  message_custom_id: string | null;
  created_at: Timestamp;
}

export interface MessageCountsTable {
  organisation_id: OrganisationId;
  account_id: string;
  domain_id: string;
  /** The hour that the messages were accepted in. */
  bucket: Timestamp;
  event_mask: number;
  messages: number;
}

/** The twelve counters of the contract, in its order. */
export interface StatisticsCounters {
  messages: number;
  delivery: number;
  hard_bounce: number;
  soft_bounce: number;
  spam_complaint: number;
  unsubscribe: number;
  open: number;
  track_opens: number;
  click: number;
  track_clicks: number;
  unique_opens: number;
  unique_clicks: number;
}

export interface StatsHourlyTable extends StatisticsCounters {
  organisation_id: OrganisationId;
  account_id: string;
  domain_id: string;
  bucket: Timestamp;
}

/** A mail on its way on: a request to unsubscribe to the sender, or mail for the postmaster. */
export interface ForwardsTable {
  forward_id: string;
  /** The message that the request is about; null for the postmaster's. */
  message_id: string | null;
  recipient: string;
  raw: Uint8Array;
  created_at: Timestamp;
  attempts: number;
  next_attempt_at: Timestamp;
}

export interface SettingsTable {
  key: string;
  value: Json<unknown>;
}

export interface CapturedMailsTable {
  captured_mail_id: Generated<number>;
  mail_from: string;
  recipients: string[];
  received_at: Timestamp;
  raw: Uint8Array;
}

/** Every table of the service, by its name in the database. */
export interface Schema {
  organisations: OrganisationsTable;
  users: UsersTable;
  sessions: SessionsTable;
  password_resets: PasswordResetsTable;
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  domains: DomainsTable;
  domain_accounts: DomainAccountsTable;
  dkim_keys: DkimKeysTable;
  messages: MessagesTable;
  message_contents: MessageContentsTable;
  message_events: MessageEventsTable;
  smtp_deliveries: SmtpDeliveriesTable;
  suppressions: SuppressionsTable;
  message_counts: MessageCountsTable;
  stats_hourly: StatsHourlyTable;
  forwards: ForwardsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  settings: SettingsTable;
  captured_mails: CapturedMailsTable;
}
