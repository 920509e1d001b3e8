import fc, { type Arbitrary } from 'fast-check';

const SAMPLES = [
  'Zoë & Ängström',
  '日本語の名前',
  'Крыша <b>',
  '“quoted”, (all) of it',
  '😀 shop',
  'null',
  '0',
  '__proto__',
];

/** Texts that any name, subject or reason may be: 1 to `longest` printable characters, none of them white space at an end. */
export function texts(longest = 100): Arbitrary<string> {
  const printable = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: longest });
  return fc.oneof(
    { weight: 3, arbitrary: printable.map((text) => text.trim()).filter((text) => text !== '') },
    { weight: 1, arbitrary: fc.constantFrom(...SAMPLES) },
  );
}
