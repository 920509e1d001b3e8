import type { MessageEventType } from '../domain/events.ts';
import type { DeliveryStatus } from '../domain/message-state.ts';
import type { Period } from '../domain/periods.ts';
import type { Timestamp } from '../domain/time.ts';
import type {
  AccountStatus,
  AccountType,
  Mailbox,
  StatisticsCounters,
  SuppressionType,
  UserRole,
} from './schema.ts';

// What the store hands out to callers of an organisation. Where the contract has a schema of the same name, the fields are exactly its fields.

/** Which part of a list is wanted; rows come newest first. */
export interface PageRequest {
  limit: number;
  offset: number;
}

/** A part of a list, and how many rows the whole list has. */
export interface Page<Row> {
  rows: Row[];
  total: number;
}

export interface AccountRow {
  account_id: string;
  name: string;
  status: AccountStatus;
  type: AccountType;
}

export interface AccountFilter {
  /** Part of the name, in any case. */
  name?: string | undefined;
  type?: AccountType | undefined;
}

export interface ApiKeyRow {
  api_key_id: string;
  account_id: string;
  name: string;
  /** The first characters of the key, to recognise it by. */
  prefix: string;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
}

/** An API key at its creation: the only time that the key itself is seen. */
export interface CreatedApiKeyRow extends ApiKeyRow {
  api_key: string;
}

export interface DomainRow {
  domain_id: string;
  name: string;
  accounts: { account_id: string; name: string }[];
  dkim_verified_at: Timestamp | null;
  return_path_verified_at: Timestamp | null;
  return_path_hostname: string;
  return_path_cname: string;
  dkim_selector_1: string;
  dkim_cname_1: string;
  dkim_selector_2: string;
  dkim_cname_2: string;
}

export interface DomainFilter {
  /** Part of the name, in any case. */
  name?: string | undefined;
}

export interface NewDomain {
  name: string;
  return_path_hostname?: string | undefined;
  accounts: readonly string[];
}

export interface DomainChange {
  return_path_hostname?: string | undefined;
  accounts: readonly string[];
}

/** One of the two DKIM records of a domain, and the public key (base64 DER, as a DNS record's `p=` wants it) behind it. */
export interface DkimRecordRow {
  /** The whole name of the record, such as `cs1._domainkey.demo.test`. */
  name: string;
  /** Where the CNAME at that name has to point. */
  target: string;
  publicKey: string;
}

/** How far the rotation of a domain's DKIM key is. Selectors are whole host names. */
export interface DkimRotationRow {
  domain_id: string;
  status: 'waiting' | 'complete';
  signing_selector: string;
  next_selector: string | null;
  requested_at: Timestamp;
}

/** A rotation whose new key does not sign yet, with the record that has to be seen before. */
export interface WaitingRotation extends DkimRecordRow {
  domainId: string;
  requestedAt: Timestamp;
}

export interface SuppressionRow {
  suppression_id: string;
  account_id: string;
  account_name: string;
  created_at: Timestamp;
  message_custom_id: string | null;
  message_id: string | null;
  reason: string;
  recipient_email: string;
  type: SuppressionType;
}

export interface NewSuppression {
  account_id: string;
  recipient_email: string;
  reason?: string | undefined;
}

export interface SuppressionFilter {
  account_ids?: readonly string[] | undefined;
  period?: Period | undefined;
  recipient_email?: string | undefined;
  message_id?: string | undefined;
  message_custom_id?: string | undefined;
  types?: readonly SuppressionType[] | undefined;
  /** Part of the reason, in any case. */
  reason?: string | undefined;
}

export interface MessageRow {
  message_id: string;
  custom_id: string;
  recipient_email: string;
  from_email: string;
  subject: string;
  domain_id: string;
  account_id: string;
  domain_name: string;
  account_name: string;
  created_at: Timestamp;
  updated_at: Timestamp;
  delivery_status: DeliveryStatus;
  opened_at: Timestamp | null;
  clicked_at: Timestamp | null;
  unsubscribed_at: Timestamp | null;
  spam_complaint_at: Timestamp | null;
}

/** A row of the CSV export: the message and the last reply of the remote server. */
export interface ExportRow extends MessageRow {
  smtp_response: string;
}

/** Several values of one filter are OR, filters together are AND. */
export interface MessageFilter {
  period: Period;
  account_ids?: readonly string[] | undefined;
  domain_ids?: readonly string[] | undefined;
  /** Messages that had at least one of these events. */
  events?: readonly MessageEventType[] | undefined;
  recipient_email?: string | undefined;
  from_email?: string | undefined;
  /** Part of the subject, in any case. */
  subject?: string | undefined;
  message_id?: string | undefined;
  message_custom_id?: string | undefined;
}

interface EventRow<Type extends MessageEventType, Details> {
  received_at: Timestamp;
  type: Type;
  details: Details;
}
type NoDetails = Record<string, never>;
type SmtpDetails = { smtp_response: string; smtp_log_id: string };
type VisitDetails = { user_agent: string; user_ip: string };

/** An event as the contract shows it. */
export type MessageEventRow =
  | EventRow<'new', NoDetails>
  | EventRow<'delivery', SmtpDetails>
  | EventRow<'hard_bounce', SmtpDetails>
  | EventRow<'soft_bounce', SmtpDetails>
  | EventRow<'spam_complaint', NoDetails>
  | EventRow<'unsubscribe', { list_id: string }>
  | EventRow<'open', VisitDetails>
  | EventRow<'click', VisitDetails>;

/** A message that has the right shape and asks to be accepted; whether it may be is for the store to say. */
export interface AcceptableMessage {
  from: Mailbox;
  to: Mailbox;
  subject: string;
  html: string | null;
  text: string | null;
  /** Empty when the sender gave none. */
  customId: string;
  customIdUnique: boolean;
  trackOpens: boolean;
  trackClicks: boolean;
  /** Empty when the sender gave none. */
  listId: string;
  listUnsubscribe: string | null;
  replyTo: readonly Mailbox[];
}

export type RejectionCode =
  | 'EMAIL_SUPPRESSED'
  | 'CUSTOM_ID_NOT_UNIQUE'
  | 'SENDING_DOMAIN_NOT_FOUND'
  | 'SENDING_DOMAIN_NOT_VERIFIED'
  | 'SENDING_DOMAIN_NOT_ASSIGNED';

/** What became of a message: accepted under an id, or rejected with a code and a sentence for the sender. */
export type AcceptResult = { messageId: string } | { rejected: RejectionCode; description: string };

export interface StatisticsRow {
  stats_summary: StatisticsCounters;
  breakdown?: AccountStatisticsRow[] | DomainStatisticsRow[];
}
export type AccountStatisticsRow = StatisticsCounters & { account_id: string; account_name: string };
export type DomainStatisticsRow = StatisticsCounters & { domain_id: string; domain_name: string };

export interface UserRow {
  user_id: string;
  email: string;
  name: string;
  role: UserRole;
  created_at: Timestamp;
}

export interface NewUser {
  email: string;
  name: string;
  role: UserRole;
  password: string;
}

export interface UserChange {
  email?: string | undefined;
  name?: string | undefined;
  role?: UserRole | undefined;
  password?: string | undefined;
}

export interface OrganisationRow {
  organisation_id: string;
  name: string;
  created_at: Timestamp;
}

/** What a login or a refresh answers, in the words of the contract. */
export interface TokenRow {
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  access_token: string;
  refresh_token: string;
}
