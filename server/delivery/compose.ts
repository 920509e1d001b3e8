import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import { asciiDomain, isAscii } from '../domain/ascii.ts';
import { toEpochMs } from '../domain/time.ts';
import type { OutgoingMessage } from '../store/rows.ts';
import type { Mailbox } from '../store/schema.ts';
import type { ComposedMail } from './mail.ts';
import { returnPathOf } from './return-path.ts';

/**
 * Builds the mail of a message. The same message gives the same headers at every attempt.
 * `key` signs the envelope sender. Rejects when there is nothing to compose; such a message can never be sent.
 */
export async function compose(message: OutgoingMessage, key: string | Buffer): Promise<ComposedMail> {
  if (message.html === null && message.text === null) throw new Error('The message has no content.');
  const raw = await new MailComposer({
    from: address(message.from),
    to: address(message.to),
    replyTo: message.replyTo.map(address),
    date: new Date(toEpochMs(message.acceptedAt)),
    messageId: `<${message.messageId}@${asciiDomain(message.domainName)}>`,
    headers: headersOf(message),
    ...(message.text === null ? {} : { text: crlf(message.text) }),
    ...(message.html === null ? {} : { html: crlf(message.html) }),
    newline: 'win',
    // nodemailer would write List-ID and X-Message-Custom-ID.
    normalizeHeaderKey: (key) => (key === 'Message-ID' ? key : key.replace(/-ID$/, '-Id')),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
  return {
    mailFrom: returnPathOf(message, key),
    recipient: envelopeAddress(message.to.email),
    raw,
    headersNeedUtf8: hasNonAsciiHeader(raw),
  };
}

function headersOf(message: OutgoingMessage): { key: string; value: string }[] {
  const headers = [{ key: 'Subject', value: unstructured(message.subject) }];
  const customId = unstructured(message.customId);
  if (customId !== '') headers.push({ key: 'X-Message-Custom-Id', value: customId });
  if (headerText(message.listId) !== '') headers.push({ key: 'List-Id', value: listId(message) });
  const unsubscribe = headerText(message.listUnsubscribe ?? '');
  if (unsubscribe !== '')
    headers.push({ key: 'List-Unsubscribe', value: `<${unsubscribeUrl(unsubscribe)}>` });
  return headers;
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

/**
 * Text that goes into a header: every control character becomes a space. The contract refuses them, so this is the second lock
 * on the door to header injection.
 */
function headerText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .toWellFormed()
    .trim();
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

const DOTTED_ATOMS = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)+$/;
const ATOM = /^[\w-]+$/;
const PHRASE = /^[\w -]+$/;

/**
 * The List-Id header (RFC 2919): the sender's identifier if it has the form of one; a single word is put under the sending
 * domain; any other text becomes the description of an identifier made from it, which stays the same for the same list.
 */
function listId({ listId, domainName }: OutgoingMessage): string {
  const text = headerText(listId);
  const domain = asciiDomain(domainName);
  if (DOTTED_ATOMS.test(text)) return `<${text}>`;
  if (ATOM.test(text)) return `<${text}.${domain}>`;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const phrase = PHRASE.test(text) ? text : encodeWord(text, 'Q', 52);
  return `${phrase} <${digest}.${domain}>`;
}

/** An address as a mailto URL; a URL in the characters that a URL may have, so that it cannot leave its angle brackets. */
function unsubscribeUrl(target: string): string {
  const text = target.replace(/\s+/g, '');
  const url = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `mailto:${text}`;
  const safe = url.replace(/[^\x21-\x7e]|[<>"\\^`{|},]/gu, (character) => encodeURIComponent(character));
  // White space within the brackets is ignored (RFC 2369, section 2): where a line may break.
  return (safe.match(/.{1,900}/g) ?? []).join(' ');
}

function crlf(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '\r\n').toWellFormed();
}

function hasNonAsciiHeader(raw: Buffer): boolean {
  const end = raw.indexOf('\r\n\r\n');
  return raw.subarray(0, end === -1 ? raw.length : end).some((byte) => byte > 0x7f);
}
