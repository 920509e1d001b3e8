import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.UTC(2026, 2, 14, 9, 26, 53);
const MINUTE = 60_000;

test.each([
  ['0', 0],
  ['120', 2 * MINUTE],
  [' 120\t', 2 * MINUTE],
  ['9999999999', 9_999_999_999_000],
  ['Sat, 14 Mar 2026 09:27:53 GMT', MINUTE],
  ['Saturday, 14-Mar-26 09:27:53 GMT', MINUTE],
  ['Sat Mar 14 09:27:53 2026', MINUTE],
  ['Sat, 14 Mar 2026 09:26:52 GMT', 0],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
])('"%s" asks for %i ms', (header, expected) => {
  expect(retryAfterMs(header, NOW)).toBe(expected);
});

test.each([
  '',
  'soon',
  '-1',
  '+5',
  '1.5',
  '1e3',
  '0x10',
  '12 s',
  '99999999999',
  '2026-03-14T09:27:53Z',
  'Sat, 14 Mar 2026 09:27:53',
  'Sat, 14 Mar 2026 09:27:53 +0100',
  'Sat, 99 Mar 2026 09:27:53 GMT',
  '120, 60',
  '1'.repeat(100_000),
])('"%s" asks for nothing', (header) => {
  expect(retryAfterMs(header, NOW)).toBeUndefined();
});
