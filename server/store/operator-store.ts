import type { Timestamp } from '../domain/time.ts';
import type { OrganisationId } from './column-types.ts';
import type { MessageEventsTable, MessagesTable, SmtpDeliveriesTable, SuppressionsTable } from './schema.ts';

/** Messages that wait, by who is to get them. */
export interface WaitingFilter {
  /** The part of the recipient's address behind the @, in any case. */
  domain?: string | undefined;
}

/** The queue at a glance. */
export interface QueueOverview {
  due: number;
  later: number;
  active: number;
  /** When the oldest of them was accepted. */
  oldest: Timestamp | null;
}

/** What waits for one domain of recipients. */
export interface WaitingDestination {
  domain: string;
  messages: number;
  nextAttempt: Timestamp;
  oldest: Timestamp;
}

/** A message that waits, and why. */
export interface WaitingMessage {
  messageId: string;
  recipient: string;
  acceptedAt: Timestamp;
  nextAttempt: Timestamp;
  isActive: boolean;
  attempts: number;
  lastResponse: string;
}

/** Everything that is known of a message. */
export interface MessageStory {
  message: MessagesTable & {
    organisation_name: string | null;
    account_name: string | null;
    domain_name: string | null;
  };
  /** Undefined when nothing is to be done any more. */
  waiting: { isActive: boolean; nextAttempt: Timestamp } | undefined;
  attempts: SmtpDeliveriesTable[];
  events: MessageEventsTable[];
  /** Of the recipient, in the account of the message. */
  suppression: SuppressionsTable | undefined;
}

/** How it stands with a message that somebody wants to change. */
export type WaitingState = 'unknown' | 'waiting' | 'active' | 'final';

/** What an operator does with the queue, and looks up, across organisations. */
export interface OperatorStore {
  overview(filter: WaitingFilter): Promise<QueueOverview>;
  /** Those with the most messages first. */
  destinations(filter: WaitingFilter, limit: number): Promise<WaitingDestination[]>;
  /** In the order of their next attempts. */
  waiting(filter: WaitingFilter, page: { limit: number; offset: number }): Promise<WaitingMessage[]>;
  story(messageId: string): Promise<MessageStory | undefined>;
  /** In the order of the ids. */
  states(messageIds: readonly string[]): Promise<WaitingState[]>;
  /** Up to `limit` messages that wait for the domain, behind the cursor. */
  waitingFor(domain: string, cursor: string, limit: number): Promise<string[]>;
  /** Makes the next attempt of these due now; those in delivery stay as they are. Returns which. */
  retryNow(messageIds: readonly string[]): Promise<string[]>;
  /** Ends these for good with a soft bounce; those in delivery stay as they are. Returns which. */
  cancel(messageIds: readonly string[]): Promise<string[]>;
  /** Whose account it is; undefined when there is none. */
  organisationOf(accountId: string): Promise<OrganisationId | undefined>;
}
