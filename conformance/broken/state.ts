import { randomBytes, randomUUID } from 'node:crypto';
import type { components } from '../../generated/types.ts';
import type { Clock, Micros } from './clock.ts';
import type { FaultId } from './faults.ts';
import type { VariantId } from './variants.ts';

type Schemas = components['schemas'];

interface Owned {
  organisation_id: string;
}
export interface Organisation {
  organisation_id: string;
  name: string;
  created_at: Micros;
}
export interface User extends Owned {
  user_id: string;
  email: string;
  name: string;
  role: Schemas['UserRole'];
  password: string;
  created_at: Micros;
}
export interface Session {
  user_id: string;
  access_token: string;
  refresh_token: string;
  /** Refresh tokens that were exchanged: one that comes again ends the session. */
  used: Set<string>;
  expires_at: Micros;
  refresh_until: Micros;
}
export interface Account extends Owned {
  account_id: string;
  name: string;
  status: Schemas['AccountStatus'];
  type: Schemas['AccountType'];
}
export interface ApiKey extends Owned {
  api_key_id: string;
  account_id: string;
  name: string;
  api_key: string;
  created_at: Micros;
  last_used_at: Micros | null;
}
export interface Domain extends Owned {
  domain_id: string;
  name: string;
  account_ids: string[];
  dkim_verified_at: Micros | null;
  return_path_verified_at: Micros | null;
  return_path_hostname: string;
  rotated_at: Micros | null;
  signs_with: 1 | 2;
}
export interface Suppression extends Owned {
  suppression_id: string;
  account_id: string;
  created_at: Micros;
  message_custom_id: string | null;
  message_id: string | null;
  reason: string;
  recipient_email: string;
  type: Schemas['SuppressionType'];
}
export interface MessageEvent {
  type: Schemas['MessageEventType'];
  received_at: Micros;
  details: Record<string, string>;
}
export interface Message extends Owned {
  message_id: string;
  custom_id: string;
  asked_unique: boolean;
  recipient_email: string;
  from_email: string;
  subject: string;
  domain_id: string;
  domain_name: string;
  account_id: string;
  created_at: Micros;
  updated_at: Micros;
  delivery_status: Schemas['DeliveryStatus'];
  opened_at: Micros | null;
  clicked_at: Micros | null;
  unsubscribed_at: Micros | null;
  spam_complaint_at: Micros | null;
  track_opens: boolean;
  track_clicks: boolean;
  has_html: boolean;
  links: string[];
  list_id: string | null;
  list_unsubscribe: string | null;
  /** Oldest first. */
  events: MessageEvent[];
}
/** A secret of a webhook; the newest has no end. */
export interface WebhookSecret {
  value: string;
  expires_at: Micros | null;
}
export interface Webhook extends Owned {
  webhook_id: string;
  account_id: string;
  url: string;
  events: Schemas['WebhookEvent'][];
  status: Schemas['WebhookStatus'];
  /** Newest first; empty where nothing is signed. */
  secrets: WebhookSecret[];
  failing_since: Micros | null;
  /** Until then its receiver has asked to be left alone. */
  paused_until: Micros;
  /** Oldest first. */
  status_changes: { changed_at: Micros; status: Schemas['WebhookStatus']; reason: StatusReason }[];
  created_at: Micros;
  updated_at: Micros;
}
export type StatusReason = Schemas['WebhookStatusChange']['reason'];
export interface Notification extends Owned {
  notification_id: string;
  webhook_id: string;
  account_id: string;
  event: Schemas['WebhookEvent'];
  message_id: string | null;
  is_test: boolean;
  status: Schemas['WebhookDeliveryStatus'];
  created_at: Micros;
  next_attempt_at: Micros | null;
  /** What is sent, as the attempts send it. */
  body: string;
  payload: unknown;
  /** Oldest first. */
  attempts: Attempt[];
  /** How much of the schedule has been used up. */
  tries: number;
  is_being_sent: boolean;
  /** What the first attempt said of its time; only a fault looks at it. */
  first_timestamp: string | undefined;
}
export type Attempt = Omit<Schemas['WebhookAttempt'], 'attempted_at'> & { attempted_at: Micros };
export interface PasswordReset {
  user_id: string;
  expires_at: Micros;
}
/** A mail that has left the server. */
export interface Mail {
  from: string;
  to: string[];
  received_at: Micros;
  raw: string;
}

/** Everything a server knows, and how it may misbehave. Maps keep the order in which things were created. */
export interface World {
  clock: Clock;
  has(fault: FaultId): boolean;
  varies(variant: VariantId): boolean;
  organisations: Map<string, Organisation>;
  users: Map<string, User>;
  /** Those that a fault lets live on. */
  formerUsers: Map<string, User>;
  formerAccounts: Map<string, Account>;
  sessions: Set<Session>;
  resets: Map<string, PasswordReset>;
  accounts: Map<string, Account>;
  keys: Map<string, ApiKey>;
  domains: Map<string, Domain>;
  /** Deleted ones, whose messages can still be searched for. */
  formerDomains: Map<string, Domain>;
  suppressions: Map<string, Suppression>;
  messages: Map<string, Message>;
  /** Account and custom ID of messages that were rejected; only a fault looks at them. */
  rejectedCustomIds: Set<string>;
  mails: Mail[];
  webhooks: Map<string, Webhook>;
  /** Deleted ones that a fault lets live on. */
  formerWebhooks: Map<string, Webhook>;
  notifications: Map<string, Notification>;
  /** That of the webhooks which the hook registers. */
  webhookSecret: string | null;
  /** Where tracking links lead. */
  webUrl: string;
  /** Runs something later, unless the server has stopped by then. */
  later(milliseconds: number, action: () => void): void;
  stopped: AbortSignal;
}

/** A new identifier. */
export function newId(): string {
  return randomUUID();
}

/** A new secret: a token or a key. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The record without which another would not exist; a fault of this server when it is missing. */
export function known<T>(record: T | undefined): T {
  if (record === undefined) throw new Error('A record refers to one that does not exist.');
  return record;
}
