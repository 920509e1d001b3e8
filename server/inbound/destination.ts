import type { Timestamp } from '../domain/time.ts';

/** A mail as it came over SMTP, for those of its recipients that one destination takes. */
export interface ReceivedMail {
  /** The envelope sender; empty for the null sender. */
  from: string;
  to: readonly string[];
  receivedAt: Timestamp;
  /** The bytes after DATA; only the beginning when there were more than the destination keeps. */
  raw: Buffer;
  isComplete: boolean;
  client: { name: string; address: string };
}

/** A reply that refuses. `text` begins with an enhanced status code. */
export interface Refusal {
  code: number;
  text: string;
}

/** What is said to a recipient. */
export type Answer = 'taken' | Refusal | undefined;

/** Where mail goes that the SMTP listener takes. */
export interface MailDestination {
  /** So many bytes of a mail are kept. */
  keepBytes: number;
  /** What is replied when a mail was taken. */
  thanks: string;
  /** Whether it takes mail to the address; undefined when the address is none of its own. */
  recipient(address: string): Answer | Promise<Answer>;
  /** Resolves when the mail is safe. Rejects with MailRefused when it never will be; any other fault asks the sender to try again. */
  take(mail: ReceivedMail): Promise<void>;
}

/** A mail that is refused after it was read; the message begins with an enhanced status code. */
export class MailRefused extends Error {
  readonly responseCode: number;

  constructor({ code, text }: Refusal) {
    super(text);
    this.name = 'MailRefused';
    this.responseCode = code;
  }
}
