import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDateTime } from '../domain/time.ts';
import { FORMATS } from './formats.ts';

function accepts(format: string, text: string): boolean | undefined {
  return FORMATS[format]?.(text);
}

const label63 = 'a'.repeat(63);

describe.each<[string, string[], string[]]>([
  [
    'email',
    [
      'ada@customer.test',
      'Ada.Marlow+tag@mail.Customer.test',
      "o'neil!#$%&*/=?^_`{|}~@customer.test",
      'a@b.co',
      'a@xn--bcher-kva.test',
      'a@bücher.test',
      `${'a'.repeat(64)}@customer.test`,
      `a@${label63}.test`,
      'a@1and1.test',
    ],
    [
      '',
      'ada',
      '@customer.test',
      'ada@',
      'ada@localhost',
      'ada@customer.',
      'ada@.customer.test',
      'ada@customer..test',
      'ada@-customer.test',
      'ada@customer-.test',
      'ada@cust_omer.test',
      '.ada@customer.test',
      'ada.@customer.test',
      'a..da@customer.test',
      'a da@customer.test',
      ' ada@customer.test',
      'ada@customer.test ',
      'ada@customer.test\r\nBcc: x@y.test',
      'ada@customer.test\n',
      'ada@customer.test\0',
      'ada@customer.test@other.test',
      '<ada@customer.test>',
      'Ada <ada@customer.test>',
      '"a b"@customer.test',
      'ädä@customer.test',
      'ada@[192.0.2.1]',
      'ada@192.0.2.1',
      'ada@customer.0x1',
      'ada@bü cher.test',
      'ada@bücher/x.test',
      'ada@customer。',
      `${'a'.repeat(65)}@customer.test`,
      `a@${'a'.repeat(64)}.test`,
      `a@${`${label63}.`.repeat(4)}test`,
    ],
  ],
  [
    'hostname',
    ['demo.test', 'localhost', 'a-b.C3', 'demo.0xyz', '1.2.3a', 'xn--bcher-kva.test', `${label63}.test`],
    [
      '',
      '.',
      'a.',
      '.a',
      'a..b',
      '-a',
      'a-',
      'a_b',
      'bücher.test',
      'a b',
      'a\n',
      `${label63}a`,
      `${'a.'.repeat(127)}`,
      '192.0.2.1',
      'demo.123',
      '0x7f.1',
      'demo.0x',
    ],
  ],
  [
    'uuid',
    [
      '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3',
      '6F1C0A52-8D3E-4B7F-9A21-5C0E7D94B8F3',
      '00000000-0000-0000-0000-000000000000',
    ],
    [
      '',
      '6f1c0a528d3e4b7f9a215c0e7d94b8f3',
      '{6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3}',
      'urn:uuid:6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3',
      '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8fg',
      '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3\n',
    ],
  ],
  [
    'date-time',
    [
      '2026-03-14T09:26:53.589793+00:00',
      '2026-03-14T09:26:53Z',
      '2026-03-14t09:26:53z',
      '2026-03-14T09:26:53.1-08:00',
      '2024-02-29T23:59:59.999999+00:00',
    ],
    [
      '2026-03-14',
      '2026-03-14T09:26:53',
      '2026-03-14 09:26:53+00:00',
      '2026-02-29T00:00:00.000000+00:00',
      '2026-04-31T00:00:00.000000+00:00',
      '2026-13-01T00:00:00.000000+00:00',
      '2026-00-10T00:00:00.000000+00:00',
      '2026-03-00T00:00:00.000000+00:00',
      '2026-03-14T24:00:00.000000+00:00',
      '2026-03-14T23:60:00.000000+00:00',
      '2026-03-14T09:26:53.589793+00:00\n',
      '1773480413',
    ],
  ],
  [
    'date',
    ['2026-03-14', '2024-02-29'],
    ['2026-02-29', '2026-3-14', '14.03.2026', '2026-03-14T00:00:00Z', '2026-03-14\n'],
  ],
  [
    'uri',
    [
      'https://demo.test',
      'http://demo.test:8080/leave?a=b%20c#d',
      'HTTPS://Demo.test/',
      'https://[2001:db8::1]/',
    ],
    [
      '',
      'demo.test',
      '//demo.test',
      'ftp://demo.test',
      'javascript:alert(1)',
      'mailto:a@demo.test',
      'https://',
      'https:///path',
      'https://demo.test/a b',
      'https://demo.test/\r\nX: y',
      'https://demo.test/<x>',
      'https://demo.test/é',
      'https://demo.test/%zz',
      'https://demo.test:99999/',
    ],
  ],
])('%s', (format, valid, invalid) => {
  test.each(valid)('takes %j', (text) => {
    expect(accepts(format, text)).toBe(true);
  });
  test.each(invalid)('does not take %j', (text) => {
    expect(accepts(format, text)).toBe(false);
  });
});

test('the quick way to a timestamp takes nothing that the careful way does not', () => {
  const digits = (count: number) =>
    fc.integer({ min: 0, max: 10 ** count - 1 }).map((n) => String(n).padStart(count, '0'));
  const parts = fc.tuple(digits(4), digits(2), digits(2), digits(2), digits(2), digits(2), digits(6));
  fc.assert(
    fc.property(parts, ([year, month, day, hour, minute, second, fraction]) => {
      const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}+00:00`;
      expect(accepts('date-time', text)).toBe(parseDateTime(text) !== undefined);
    }),
    { numRuns: 2_000 },
  );
});
