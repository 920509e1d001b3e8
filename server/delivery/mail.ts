import type { Verdict } from '../domain/smtp-verdict.ts';

/** A mail ready to be sent: what goes into the SMTP envelope, and the bytes after DATA. */
export interface ComposedMail {
  /** The envelope sender, where bounces come back. */
  mailFrom: string;
  recipient: string;
  raw: Buffer;
  /** A header holds characters beyond ASCII, so that a server without SMTPUTF8 (RFC 6531) cannot take it. */
  headersNeedUtf8: boolean;
}

/** What this installation puts of itself into mails. */
export interface MailIdentity {
  /** Signs the service's own addresses and URLs. */
  key: string | Buffer;
  /** The origin that pixels, tracked links and unsubscribe links begin with. */
  webUrl: string;
  /** The name that the service's own mail addresses are below. */
  mailHostname: string;
}

/** What came of one attempt to send a mail. */
export interface Attempt {
  verdict: Verdict;
  /** The host that was talked to, `mx1.example.com [192.0.2.1]:25`; empty when none was reached. */
  host: string;
  /** The reply that decided, or what went wrong, in one line that is safe to store and show. */
  response: string;
  /** The conversation without the content. */
  transcript: string;
}

/** Sends mails. An attempt that fails is an Attempt, not an error. */
export interface Transport {
  /**
   * Makes one attempt. Rejects with NotAttempted when the transport is closing and the attempt was not made, or was cut off
   * before its outcome was known; and when the destination is to be left alone for a while.
   */
  send(mail: ComposedMail): Promise<Attempt>;
  /** How long a mail to this address is to be put off, as far as that is known beforehand; 0 when it may be tried. */
  putOffMs?(recipient: string): number;
  /** Makes no new attempts, lets those that run finish for so long, then cuts them off. */
  close(graceMs: number): Promise<void>;
}

/**
 * No attempt was made: the process is shutting down, or the destination is to be left alone for a while. The message is to be handed
 * back, without a word about it in its log.
 */
export class NotAttempted extends Error {
  /** How long to wait before the next try; 0 when nothing is known against an immediate one. */
  readonly afterMs: number;

  constructor(afterMs = 0) {
    super(
      afterMs === 0
        ? 'The delivery stopped before this attempt had an outcome.'
        : 'The destination takes no more at present.',
    );
    this.name = 'NotAttempted';
    this.afterMs = afterMs;
  }
}
