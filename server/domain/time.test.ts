import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fromPostgres,
  hourOf,
  parseDateTime,
  plusMilliseconds,
  SystemClock,
  toEpochMs,
  toTimestamp,
} from './time.ts';

describe('parseDateTime', () => {
  it.each([
    ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000000+00:00'],
    ['2026-03-01t10:00:00z', '2026-03-01T10:00:00.000000+00:00'],
    ['2026-03-01T10:00:00.268699+02:30', '2026-03-01T07:30:00.268699+00:00'],
    ['2026-03-01T23:30:00-01:00', '2026-03-02T00:30:00.000000+00:00'],
    ['2026-03-01T10:00:00.1234567Z', '2026-03-01T10:00:00.123456+00:00'],
    ['1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59.500000+00:00'],
  ])('reads %s', (text, expected) => {
    expect(parseDateTime(text)).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '2026-03-01',
    '2026-03-01 10:00:00Z',
    '2026-03-01T10:00:00',
    '2026-02-30T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T10:60:00Z',
    '2026-03-01T10:00:60Z',
    '2026-03-01T10:00:00+24:00',
    '2026-03-01T10:00:00+00:60',
    '2026-03-01T10:00:00.Z',
    '+02026-03-01T10:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '0000-01-01T00:00:00+01:00',
    '2026-03-01T10:00:00Z\n',
    '٢٠٢٦-03-01T10:00:00Z',
  ])('refuses %j', (text) => {
    expect(parseDateTime(text)).toBeUndefined();
  });

  it('keeps the moment whatever the offset', () => {
    const moment = fc.date({ min: new Date('1970-01-01'), max: new Date('9000-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(moment, fc.integer({ min: -1439, max: 1439 }), (date, offset) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().replace('Z', '');
        const sign = offset < 0 ? '-' : '+';
        const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0');
        const minutes = String(Math.abs(offset) % 60).padStart(2, '0');
        expect(parseDateTime(`${local}${sign}${hours}:${minutes}`)).toBe(toTimestamp(date.getTime()));
      }),
    );
  });
});

describe('timestamps', () => {
  it.each([
    ['2020-09-07 04:49:50.268699+00', '2020-09-07T04:49:50.268699+00:00'],
    ['2020-09-07 04:49:50.2687+00', '2020-09-07T04:49:50.268700+00:00'],
    ['2020-09-07 04:49:50+00', '2020-09-07T04:49:50.000000+00:00'],
  ])('reads %s from PostgreSQL', (text, expected) => {
    expect(fromPostgres(text)).toBe(expected);
  });

  it('keep their microseconds when moved', () => {
    expect(plusMilliseconds('2020-09-07T23:59:59.999699+00:00', 1)).toBe('2020-09-08T00:00:00.000699+00:00');
    expect(plusMilliseconds('1970-01-01T00:00:00.000123+00:00', -1)).toBe('1969-12-31T23:59:59.999123+00:00');
  });

  it('fall into their hour', () => {
    expect(hourOf('2020-09-07T04:49:50.268699+00:00')).toBe('2020-09-07T04:00:00.000000+00:00');
  });
});

describe('SystemClock', () => {
  it('never gives the same moment twice', () => {
    const clock = new SystemClock();
    const moments = Array.from({ length: 5000 }, () => clock.now());
    expect(new Set(moments).size).toBe(moments.length);
    expect([...moments].sort()).toEqual(moments);
  });

  it('moves forward when told to', () => {
    const clock = new SystemClock();
    const before = toEpochMs(clock.now());
    clock.advance(3_600_000);
    expect(toEpochMs(clock.now()) - before).toBeGreaterThanOrEqual(3_600_000);
    expect(clock.offsetMs).toBe(3_600_000);
  });
});
