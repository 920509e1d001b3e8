import type { MessageEvent } from '../domain/events.ts';
import type { Timestamp } from '../domain/time.ts';
import type { DeliveryVerdict, Mailbox } from './schema.ts';

// What the service itself works with, across organisations: mail on its way out, and what comes back of it.

/** A message on its way out: what the worker needs to compose, send and judge it. */
export interface OutgoingMessage {
  messageId: string;
  accountId: string;
  domainId: string;
  domainName: string;
  returnPathHostname: string;
  /** The key that signs for the domain at present. */
  dkimKeyId: string | null;
  acceptedAt: Timestamp;
  /** How often its delivery was tried before. */
  attempts: number;
  from: Mailbox;
  to: Mailbox;
  replyTo: readonly Mailbox[];
  subject: string;
  html: string | null;
  text: string | null;
  customId: string;
  listId: string;
  listUnsubscribe: string | null;
  trackOpens: boolean;
  trackClicks: boolean;
}

/** A key that signs mails: the domain that vouches with it, the selector it is published under, and the key itself (PEM). */
export interface SigningKey {
  domain: string;
  selector: string;
  privateKey: string;
}

/** What unsubscribing from a message has to know of it. */
export interface Subscription {
  fromEmail: string;
  listId: string;
  /** The sender's own address or URL for requests to unsubscribe. */
  listUnsubscribe: string | null;
  /** How often its recipient has unsubscribed by it. */
  unsubscribes: number;
  /** Its account refuses to send to its recipient, for whatever reason. */
  isSuppressed: boolean;
}

/** A delivery job that this process holds; its id is the message's. */
export interface DeliveryJob {
  id: string;
  retryCount: number;
}

/** One attempt to deliver, for the delivery log. */
export interface DeliveryAttempt {
  smtpLogId: string;
  /** 1 for the first attempt; 0 for a report that came by mail after it. */
  attempt: number;
  startedAt: Timestamp;
  finishedAt: Timestamp;
  /** The host that was talked to; empty when none was reached. */
  host: string;
  verdict: DeliveryVerdict;
  /** The reply that decided, or what went wrong, in one line. */
  response: string;
  /** The conversation, for a person who looks for a fault; without the content. */
  transcript: string;
}

/** What became of one delivery job. */
export interface DeliveryRecord {
  job: DeliveryJob;
  attempt: DeliveryAttempt;
  event: Extract<MessageEvent, { type: DeliveryVerdict }>;
  /** When to try again; absent when the message is final: its content goes and the job is done. */
  retryAt?: Timestamp | undefined;
}

/** What a mail from outside says about a message. */
export interface MailReport {
  event: Extract<MessageEvent, { type: 'hard_bounce' | 'soft_bounce' | 'spam_complaint' | 'unsubscribe' }>;
  /** The entry of the delivery log that a bounce gets. */
  attempt?: DeliveryAttempt;
  /** The request to unsubscribe, and the address of the sender that it is to be forwarded to. */
  forward?: { recipient: string; raw: Uint8Array };
}

/** A mail that is due to be forwarded, and held by this process. */
export interface Forward {
  forwardId: string;
  recipient: string;
  raw: Uint8Array;
  createdAt: Timestamp;
  /** With this one; 1 for the first. */
  attempts: number;
  /** The message that it is about, if any, is still there; otherwise it is to be dropped. */
  isCurrent: boolean;
}

/** A mail that the sandbox took in. */
export interface CapturedMail {
  from: string;
  to: readonly string[];
  received_at: Timestamp;
  /** As it came over SMTP. */
  raw: Uint8Array;
}
