import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import MailComposer from 'nodemailer/lib/mail-composer';
import { asciiDomain } from '../domain/ascii.ts';
import { type Attempt, type ComposedMail, NotAttempted, type Transport } from './mail.ts';

/** A reset that was asked for: who asked, and the token that allows a new password. */
export interface PasswordReset {
  email: string;
  name: string;
  token: string;
}

export interface PasswordResetMailOptions {
  transport: Transport;
  /** The service's own mail name; the mail comes from `no-reply@` it. */
  mailHostname: string;
  /** Told when the mail could not be sent; the user has to ask again. */
  failed: (reason: string) => void;
  /** Waits between attempts, in milliseconds. */
  pauses?: readonly number[];
}

const PAUSES_MS = [5_000, 30_000, 120_000];

/**
 * Sends the token of a password reset to its user.
 * It is not queued: a token is stored only as a hash, so that the mail exists in memory alone, and whoever misses it asks again.
 */
export async function sendPasswordResetMail(
  reset: PasswordReset,
  options: PasswordResetMailOptions,
): Promise<void> {
  try {
    const mail = await compose(reset, options.mailHostname);
    for (const pause of [...(options.pauses ?? PAUSES_MS), undefined]) {
      const { verdict, response } = await attempt(mail, options.transport);
      if (verdict.event === 'delivery') return;
      if (!verdict.retry || pause === undefined) return options.failed(response);
      await delay(pause, undefined, { ref: false });
    }
  } catch (error) {
    options.failed(error instanceof Error ? error.message : String(error));
  }
}

/** A destination that is left alone for a while is a temporary failure like any other. */
async function attempt(
  mail: ComposedMail,
  transport: Transport,
): Promise<Pick<Attempt, 'verdict' | 'response'>> {
  try {
    return await transport.send(mail);
  } catch (error) {
    if (!(error instanceof NotAttempted) || error.afterMs === 0) throw error;
    return { verdict: { event: 'soft_bounce', retry: true }, response: error.message };
  }
}

async function compose({ email, name, token }: PasswordReset, mailHostname: string): Promise<ComposedMail> {
  const sender = `no-reply@${asciiDomain(mailHostname)}`;
  const raw = await new MailComposer({
    from: { name: 'sendspec', address: sender },
    to: { name, address: email },
    subject: 'Reset your password',
    messageId: `<${randomUUIDv7()}@${asciiDomain(mailHostname)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: textOf(name, token),
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
  return { mailFrom: sender, recipient: email, raw, headersNeedUtf8: !isAscii(email) };
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function textOf(name: string, token: string): string {
  return [
    `Hello ${name},`,
    '',
    'somebody, probably you, asked for a new password. This token allows one change within the next hour:',
    '',
    token,
    '',
    'Send it with the new password to POST /v1/password_reset/confirm. All your sessions end then.',
    'If it was not you, there is nothing to do: without the token nothing changes.',
    '',
  ].join('\r\n');
}
