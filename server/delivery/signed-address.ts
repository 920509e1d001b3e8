import { createHmac, timingSafeEqual } from 'node:crypto';

// 96 bits: a letter, `-`, a UUID, `-` and this make 63 of the 64 characters that a local part may have (RFC 5321, 4.5.3.1.1).
const HMAC_HEX_DIGITS = 24;
const SIGNED = /^([a-z])-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-([0-9a-f]{24})@/i;

/** What a signed address is for: the letter that it begins with, and the label that keeps its HMAC apart from all others. */
export interface AddressPurpose {
  letter: string;
  label: string;
}

/**
 * The local part `<letter>-<message_id>-<hmac>`. Nobody else can compute the HMAC, so mail that comes to it is about this message.
 * Lower-case hexadecimal, since some servers change the case of a local part.
 */
export function signedLocalPart(purpose: AddressPurpose, messageId: string, key: string | Buffer): string {
  return `${purpose.letter}-${messageId}-${hmacOf(purpose, messageId, key)}`;
}

/** The message id of a signed address for this purpose, in any case and at any host; undefined when the address is not genuine. */
export function messageOfSignedAddress(
  purpose: AddressPurpose,
  address: string,
  key: string | Buffer,
): string | undefined {
  const [, letter = '', messageId = '', hmac = ''] = SIGNED.exec(address)?.map(lowerCase) ?? [];
  if (letter !== purpose.letter) return undefined;
  const genuine = hmacOf(purpose, messageId, key);
  return timingSafeEqual(Buffer.from(hmac), Buffer.from(genuine)) ? messageId : undefined;
}

function hmacOf({ label }: AddressPurpose, messageId: string, key: string | Buffer): string {
  const hmac = createHmac('sha256', key).update(`${label}:${messageId}`).digest('hex');
  return hmac.slice(0, HMAC_HEX_DIGITS);
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}
