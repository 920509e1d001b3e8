import fc from 'fast-check';
import { expect, it } from 'vitest';
import { safeText } from './safe-text.ts';

it('keeps ordinary text', () =>
  expect(safeText('250 2.0.0 Ok: žluťoučký 🐎', 100)).toBe('250 2.0.0 Ok: žluťoučký 🐎'));

it('makes one line of several and drops what a terminal or a database would choke on', () => {
  expect(safeText('550-a\r\n550 b\u0000\u001b[31m\u202e', 100)).toBe('550-a 550 b [31m');
});

it('gives one line of whole characters within the limit, whatever comes', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.integer({ min: 1, max: 100 }),
      (text, maximum) => {
        const safe = safeText(text, maximum);
        expect(safe.length).toBeLessThanOrEqual(maximum);
        expect(safe.isWellFormed()).toBe(true);
        expect(safe).not.toMatch(/\p{Cc}/u);
      },
    ),
  );
});

it('does not read a huge text to its end', () =>
  expect(safeText('\u0000a'.repeat(5_000_000), 10)).toHaveLength(10));
