// Writes ASN.1 in DER (ITU-T X.690), as far as certificates need it.

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** One value: tag, length and content (section 8.1.3: the length in one byte below 128, else behind a count of its bytes). */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.of(tag, body.length), body]);
  const hex = body.length.toString(16);
  const length = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.of(tag, 0x80 | length.length), length, body]);
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => der(TAG.sequence, ...items);
export const set = (...items: readonly Uint8Array[]): Buffer => der(TAG.set, ...items);
export const octetString = (content: Uint8Array): Buffer => der(TAG.octetString, content);
export const utf8String = (text: string): Buffer => der(TAG.utf8String, Buffer.from(text));
export const TRUE: Buffer = der(TAG.boolean, Buffer.of(0xff));

/** Bits, of which the last `unused` are padding. */
export function bitString(content: Uint8Array, unused = 0): Buffer {
  return der(TAG.bitString, Buffer.of(unused), content);
}

/** A whole number of one byte up to 127, or the bytes of a larger one whose first bit is 0. */
export function integer(value: number | Uint8Array): Buffer {
  return der(TAG.integer, typeof value === 'number' ? Buffer.of(value) : value);
}

/** A value in a context tag, as `[number] EXPLICIT` in ASN.1. */
export function explicit(number: number, ...content: readonly Uint8Array[]): Buffer {
  return der(0xa0 | number, ...content);
}

/** Bytes in a context tag, as `[number] IMPLICIT` of a primitive type in ASN.1. */
export function implicit(number: number, content: Uint8Array): Buffer {
  return der(0x80 | number, content);
}

/** An object identifier from its dotted form (section 8.19). */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(TAG.oid, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

/** A moment to the second; RFC 5280, section 4.1.2.5, changes the form with the year 2050. */
export function time(moment: Date): Buffer {
  const digits = `${moment.toISOString().slice(0, 19).replace(/\D/g, '')}Z`;
  return moment.getUTCFullYear() < 2050
    ? der(TAG.utcTime, Buffer.from(digits.slice(2)))
    : der(TAG.generalizedTime, Buffer.from(digits));
}
