import { createHash, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';

/** With what a mail is signed: the key, the domain that vouches (`d=`), and where in its DNS the public key stands (`s=`). */
export interface DkimIdentity {
  domain: string;
  selector: string;
  key: KeyObject;
}

// What a reader sees or a mail program acts upon. RFC 8058, section 4 wants the List-Unsubscribe headers covered.
const SIGNED = [
  'from',
  'reply-to',
  'to',
  'subject',
  'date',
  'message-id',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'list-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'auto-submitted',
  'x-message-custom-id',
] as const;
// A second one, put before the first, is what some readers would show: it breaks the signature (RFC 6376, section 8.15).
const ONLY_ONCE: ReadonlySet<string> = new Set(SIGNED.slice(0, 9));

// With a callback the signature is made on the thread pool: RSA takes a good part of a millisecond.
const signAsync = promisify(sign);

/**
 * The mail with a DKIM-Signature before it (RFC 6376: rsa-sha256, relaxed/relaxed, the whole body). Nothing else of it changes.
 * Rejects when the key cannot sign.
 */
export async function signMail(raw: Buffer, { domain, selector, key }: DkimIdentity): Promise<Buffer> {
  const { head, body } = split(raw);
  const fields = fieldsOf(head);
  const bodyHash = createHash('sha256').update(relaxedBody(body)).digest('base64');
  const covered = coveredBy(fields);
  const signature = [
    'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;',
    ` d=${domain}; s=${selector};`,
    ` h=${folded(covered.map(({ name }) => name).join(':'), ':')};`,
    ` bh=${bodyHash};`,
    ' b=',
  ].join('\r\n');
  // Signed is what is there, in the order of h=, and the signature's own header without its end (section 3.7).
  const lines = covered.flatMap(({ field }) => (field === undefined ? [] : [relaxedHeader(field)]));
  const input = Buffer.from([...lines, relaxedHeader(signature)].join('\r\n'), 'latin1');
  const value = await signAsync('sha256', input, key);
  return Buffer.concat([Buffer.from(`${signature}${folded(value.toString('base64'))}\r\n`), raw]);
}

function split(raw: Buffer): { head: string; body: string } {
  // One character for each byte: what is beyond ASCII is signed as the bytes it is.
  const text = raw.toString('latin1');
  const end = text.startsWith('\r\n') ? 0 : text.indexOf('\r\n\r\n');
  if (end === -1) return { head: text, body: '' };
  return { head: text.slice(0, end), body: text.slice(end === 0 ? 2 : end + 4) };
}

/** The header fields, each with its folding. */
function fieldsOf(head: string): string[] {
  return head === '' ? [] : head.replace(/\r\n$/, '').split(/\r\n(?![ \t])/);
}

interface Covered {
  name: string;
  /** Undefined: the name is listed once more than there are such fields, so that none can be added. */
  field: string | undefined;
}

/** The fields that are signed. Several of one name are taken from the last to the first (section 5.4.2). */
function coveredBy(fields: readonly string[]): Covered[] {
  return SIGNED.flatMap((name) => {
    const found: Covered[] = fields
      .filter((field) => nameOf(field) === name)
      .reverse()
      .map((field) => ({ name, field }));
    const isGuarded = name === 'from' || (found.length > 0 && ONLY_ONCE.has(name));
    return isGuarded ? [...found, { name, field: undefined }] : found;
  });
}

function nameOf(field: string): string {
  return field
    .slice(0, Math.max(0, field.indexOf(':')))
    .trimEnd()
    .toLowerCase();
}

/** A field in the relaxed form (section 3.4.2), without its line break. */
function relaxedHeader(field: string): string {
  const value = field.slice(field.indexOf(':') + 1).replaceAll('\r\n', '');
  return `${nameOf(field)}:${value.replace(/[ \t]+/g, ' ').replace(/^ | $/g, '')}`;
}

/** The body in the relaxed form (section 3.4.4), as bytes. */
function relaxedBody(body: string): Buffer {
  const lines = body.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''));
  let last = lines.length;
  while (last > 0 && lines[last - 1] === '') last -= 1;
  return Buffer.from(
    lines
      .slice(0, last)
      .map((line) => `${line}\r\n`)
      .join(''),
    'latin1',
  );
}

const LINE_LENGTH = 72;

/** Breaks a value into lines; after a separator if it has any, so that no name is torn. */
function folded(value: string, separator = ''): string {
  const parts = separator === '' ? (value.match(/.{1,72}/g) ?? []) : value.split(/(?<=:)/);
  let line = '';
  const lines: string[] = [];
  for (const part of parts) {
    if (line !== '' && line.length + part.length > LINE_LENGTH) {
      lines.push(line);
      line = '';
    }
    line += part;
  }
  return [...lines, line].join('\r\n ');
}
