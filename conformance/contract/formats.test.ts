import { expect, test } from 'vitest';
import { FORMATS } from './formats.ts';

const GOOD: Record<string, string[]> = {
  'date-time': [
    '2026-03-14T09:26:53Z',
    '2026-03-14t09:26:53z',
    '2026-03-14T09:26:53+00:00',
    '2026-03-14T09:26:53.5-03:30',
    '2026-03-14T09:26:53.123456789012345678901234567890+14:00',
    '2016-12-31T23:59:60Z',
    '2024-02-29T00:00:00Z',
    '0000-01-01T00:00:00Z',
  ],
  date: ['2026-03-14', '2000-02-29'],
  email: [
    'ada@customer.test',
    'a+b@x.y.test',
    '"a b"@customer.test',
    'añña@bücher.test',
    "o'neil@xn--bcher-kva.test",
  ],
  uuid: ['6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3', '6F1C0A52-8D3E-4B7F-9A21-5C0E7D94B8F3'],
  hostname: ['demo.test', 'localhost', 'xn--bcher-kva.test', '1a.test'],
  uri: ['https://www.demo.test/orders?a=b#c', 'https://www.demo.test/bücher'],
};

const BAD: Record<string, string[]> = {
  'date-time': [
    '2026-03-14 09:26:53+00:00',
    '2026-03-14T09:26:53',
    '2026-03-14T09:26Z',
    '2026-03-14',
    '2026-03-14T09:60:00Z',
    '2026-03-14T09:26:61Z',
    '2026-03-14T24:00:00Z',
    '2026-03-14T09:26:53.Z',
    '2026-03-14T09:26:53,5Z',
    '2026-03-14T09:26:53+0000',
    '2026-03-14T09:26:53+00',
    '2026-03-14T09:26:53+24:00',
    '2026-03-14T09:26:53+00:60',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '1773480414',
    ' 2026-03-14T09:26:53Z',
    '2026-03-14T09:26:53Z\n',
  ],
  date: ['2026-02-30', '1900-02-29', '2026-04-31', '2026-3-14', '14.03.2026', '2026-03-14T00:00:00Z'],
  email: [
    '',
    'ada',
    'ada@',
    '@customer.test',
    'ada@customer',
    'a b@customer.test',
    'a@b@customer.test',
    'a@b.test\r\n',
  ],
  uuid: ['', '42', '6f1c0a528d3e4b7f9a215c0e7d94b8f3', '{6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3}'],
  hostname: [
    '',
    '-a.test',
    'a-.test',
    'a..test',
    'a b.test',
    'a_b.test',
    `${'a'.repeat(64)}.test`,
    'demo.test.',
  ],
  uri: ['', 'www.demo.test', '/orders', 'https://', 'https://www.demo.test/\r\nBcc: x'],
};

const cases = (texts: Record<string, string[]>) =>
  Object.entries(texts).flatMap(([format, list]) => list.map((text) => [format, text] as const));

test.each(cases(GOOD))('%s takes %j', (format, text) => {
  expect(FORMATS[format]?.(text)).toBe(true);
});

test.each(cases(BAD))('%s refuses %j', (format, text) => {
  expect(FORMATS[format]?.(text)).toBe(false);
});
