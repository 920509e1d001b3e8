import MailComposer from 'nodemailer/lib/mail-composer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import { asciiDomain, isAscii } from '../domain/ascii.ts';
import { toEpochMs } from '../domain/time.ts';
import type { OutgoingMessage } from '../store/delivery-rows.ts';
import type { Mailbox } from '../store/schema.ts';
import { rewriteHtml } from '../tracking/rewrite.ts';
import { clickPath, openPath } from '../tracking/tokens.ts';
import { headerText } from './header-text.ts';
import { listHeaders } from './list-headers.ts';
import type { ComposedMail, MailIdentity } from './mail.ts';
import { returnPathOf } from './return-path.ts';

/**
 * Builds the mail of a message, with its pixel and tracked links if it asked for them. The same message gives the same mail at
 * every attempt, but for the boundaries of its parts. Rejects when there is nothing to compose; such a message can never be sent.
 */
export async function compose(message: OutgoingMessage, identity: MailIdentity): Promise<ComposedMail> {
  if (message.html === null && message.text === null) throw new Error('The message has no content.');
  const raw = await new MailComposer({
    from: address(message.from),
    to: address(message.to),
    replyTo: message.replyTo.map(address),
    date: new Date(toEpochMs(message.acceptedAt)),
    messageId: `<${message.messageId}@${asciiDomain(message.domainName)}>`,
    headers: headersOf(message, identity),
    ...(message.text === null ? {} : { text: crlf(message.text) }),
    ...(message.html === null ? {} : { html: crlf(await tracked(message, message.html, identity)) }),
    // nodemailer would write List-ID and X-Message-Custom-ID.
    normalizeHeaderKey: (key) => (key === 'Message-ID' ? key : key.replace(/-ID$/, '-Id')),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
  return {
    mailFrom: returnPathOf(message, identity.key),
    recipient: envelopeAddress(message.to.email),
    raw,
    headersNeedUtf8: hasNonAsciiHeader(raw),
  };
}

/** The HTML part as it leaves. */
async function tracked(message: OutgoingMessage, html: string, identity: MailIdentity): Promise<string> {
  const { messageId, trackOpens, trackClicks } = message;
  if (!trackOpens && !trackClicks) return html;
  const { key, webUrl } = identity;
  return rewriteHtml(html, {
    ownOrigin: webUrl,
    pixel: trackOpens ? `${webUrl}${openPath(messageId, key)}` : undefined,
    linkTo: trackClicks ? (destination) => `${webUrl}${clickPath(messageId, destination, key)}` : undefined,
  });
}

function headersOf(message: OutgoingMessage, identity: MailIdentity): { key: string; value: string }[] {
  const headers = [{ key: 'Subject', value: unstructured(message.subject) }];
  const customId = unstructured(message.customId);
  if (customId !== '') headers.push({ key: 'X-Message-Custom-Id', value: customId });
  return [...headers, ...listHeaders(message, identity)];
}

// A longer run cannot be folded, and a line must not pass 998 characters (RFC 5322, 2.1.1).
const UNFOLDABLE = /\S{400,}/;
// Would be decoded by a reader although it was meant literally (RFC 2047, section 7).
const LOOKS_ENCODED = /=\?[^?]*\?[^?]*\?/;

/** A header of free text. nodemailer encodes what is beyond ASCII; what it would leave but must not stay is encoded here. */
function unstructured(text: string): string {
  const clean = headerText(text);
  return UNFOLDABLE.test(clean) || LOOKS_ENCODED.test(clean) ? encodeWord(clean, 'Q', 52) : clean;
}

function address({ email, name }: Mailbox): { address: string; name: string } {
  return { address: headerText(email).replace(/[\s<>]+/g, ''), name: headerText(name ?? '') };
}

/** The address as it goes into the envelope: the domain in A-labels, unless the local part needs SMTPUTF8 anyway. */
function envelopeAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  return isAscii(local) ? `${local}@${asciiDomain(email.slice(at + 1))}` : email;
}

function crlf(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '\r\n').toWellFormed();
}

function hasNonAsciiHeader(raw: Buffer): boolean {
  const end = raw.indexOf('\r\n\r\n');
  return raw.subarray(0, end === -1 ? raw.length : end).some((byte) => byte > 0x7f);
}
