import type { SmtpStage } from '../domain/smtp-verdict.ts';

// What nodemailer's errors say about where and why a conversation failed.

/** An error of nodemailer. */
export type SmtpError = Error & { code?: string; responseCode?: number; response?: string; command?: string };

/** A connection is being made, or a mail is being sent over it. */
export type Phase = 'connect' | 'conversation';

/** Whatever was thrown, as an error that may carry nodemailer's fields. */
export function asSmtpError(error: unknown): SmtpError {
  return error instanceof Error ? error : new Error(String(error));
}

/** The connection broke, which says nothing about the mail. */
export function isLost({ code }: SmtpError): boolean {
  return code === 'ECONNECTION' || code === 'ESOCKET' || code === 'ETIMEDOUT';
}

const STAGES: readonly (readonly [command: RegExp, SmtpStage])[] = [
  [/^(EHLO|HELO)/, 'ehlo'],
  [/^STARTTLS/, 'starttls'],
  [/^AUTH/, 'auth'],
  [/^MAIL/, 'mail'],
  [/^RCPT/, 'rcpt'],
];

/** The step that a reply belongs to. */
export function stageOf({ command = '', code }: SmtpError, during: Phase): SmtpStage {
  const known = STAGES.find(([pattern]) => pattern.test(command));
  if (known !== undefined) return known[1];
  if (command === 'DATA') return code === 'EMESSAGE' ? 'message' : 'data';
  // A reply that answers no command of ours, such as a 421 out of the blue.
  return during === 'connect' ? 'greeting' : 'mail';
}

/** The connection broke between STARTTLS and the next command. */
export const ENCRYPTION_FAULT = { status: '4.7.5', text: 'The connection could not be encrypted' };

/** The enhanced status (RFC 3463) that describes a fault for which no reply stands. */
export function faultOf({ code, command }: SmtpError, during: Phase): { status: string; text: string } {
  if (code === 'EDNS') return { status: '4.4.3', text: "The host's address could not be found" };
  if (code === 'ETLS') return ENCRYPTION_FAULT;
  if (code === 'EAUTH') return { status: '4.7.8', text: 'Logging in failed' };
  if (code === 'EMESSAGE' && command === 'MAIL FROM')
    return { status: '5.3.4', text: 'The message is larger than the server takes' };
  if (code === 'EENVELOPE') return { status: '5.5.4', text: 'The envelope cannot be written' };
  if (code === 'EPROTOCOL') return { status: '4.5.0', text: 'The server does not keep to the protocol' };
  if (during === 'connect') return { status: '4.4.1', text: 'The server could not be reached' };
  return { status: '4.4.2', text: 'The connection was lost' };
}
