import fc, { type Arbitrary } from 'fast-check';

// Texts that no implementation has a reason to refuse. What might be disputed (spaces at the ends, addresses beyond ASCII, names of
// hundreds of characters) is not among them: refusing it is no fault. The first of each list is what shrinking ends at.

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const LETTERS_AND_DIGITS = [...LETTERS, ...'0123456789'];
const PRINTABLE = [
  ...LETTERS_AND_DIGITS,
  ...'ABCXYZ',
  ...` '"-_.,:;!?&%#/\\()<>[]{}=+*@$`,
  ...'äéøßñçλжя中日한',
  '😀',
];
const VISIBLE_ASCII = [...LETTERS_AND_DIGITS, ...'ABCXYZ', ...'!#$%&*+-.:=?@_'];
const LONGEST_TEXT = 100;
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2035, 0, 1);

/** How long a text may be. */
export interface Length {
  minLength?: number;
  maxLength?: number;
}

/** Printable text, beyond ASCII as well, without spaces at its ends or next to one another. */
export function printable({ minLength = 1, maxLength = LONGEST_TEXT }: Length): Arbitrary<string> {
  const length = { minLength: Math.max(1, minLength), maxLength: Math.min(maxLength, LONGEST_TEXT) };
  return fc
    .string({ unit: fc.constantFrom(...PRINTABLE), ...length })
    .filter((text) => !/^ | {2}| $/.test(text));
}

/** Something that may be a password. */
export function password({ minLength = 8 }: Length): Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...VISIBLE_ASCII), minLength, maxLength: minLength + 24 });
}

/** A label of a host name: letters, digits and hyphens, a letter at both ends. */
export function label(): Arbitrary<string> {
  const inner = fc.string({ unit: fc.constantFrom(...LETTERS_AND_DIGITS, '-'), maxLength: 12 });
  const end = fc.constantFrom(...LETTERS);
  return fc
    .tuple(end, inner, end)
    .map((parts) => parts.join(''))
    .filter((text) => !text.includes('--'));
}

/** A host name of two labels under a top-level domain that is nobody's (RFC 6761). */
export function hostname(): Arbitrary<string> {
  return fc.array(label(), { minLength: 1, maxLength: 2 }).map((labels) => [...labels, 'test'].join('.'));
}

/** A plain address in ASCII, in lower case. */
export function email(): Arbitrary<string> {
  const atom = fc.string({ unit: fc.constantFrom(...LETTERS_AND_DIGITS), minLength: 1, maxLength: 12 });
  const local = fc.tuple(fc.array(atom, { minLength: 1, maxLength: 3 }), fc.constantFrom('.', '+', '-', '_'));
  return fc
    .tuple(local, hostname())
    .map(([[atoms, separator], domain]) => `${atoms.join(separator)}@${domain}`);
}

/** An `https` address. */
export function uri(): Arbitrary<string> {
  const path = fc.array(label(), { maxLength: 3 });
  return fc.tuple(hostname(), path).map(([host, steps]) => `https://${host}/${steps.join('/')}`);
}

/** A moment with an offset: to the second, the millisecond or the microsecond, in UTC or not. */
export function timestamp(): Arbitrary<string> {
  const moment = fc
    .integer({ min: EARLIEST, max: LATEST })
    .map((time) => new Date(time).toISOString().slice(0, 19));
  const offset = fc.constantFrom('Z', '+00:00', '+02:00', '-05:30');
  return fc.tuple(moment, fc.constantFrom('', '.120', '.120943'), offset).map((parts) => parts.join(''));
}

/** A day of the calendar. */
export function date(): Arbitrary<string> {
  return fc.integer({ min: EARLIEST, max: LATEST }).map((time) => new Date(time).toISOString().slice(0, 10));
}

/** An id that nothing has. */
export function uuid(): Arbitrary<string> {
  return fc.uuid({ version: 4 });
}
