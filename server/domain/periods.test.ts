import { describe, expect, it } from 'vitest';
import { optionalPeriod, resolvePeriod } from './periods.ts';
import type { Clock } from './time.ts';

const NOW = '2026-03-10T12:30:00.000000+00:00';
const clock: Clock = { now: () => NOW, epochMs: () => Date.parse(NOW) };

describe('resolvePeriod', () => {
  it('takes the ends in either order', () => {
    const [one, other] = ['2026-03-01T10:00:00Z', '2026-03-02T12:00:00+02:00'];
    const expected = { from: '2026-03-01T10:00:00.000000+00:00', to: '2026-03-02T10:00:00.000000+00:00' };
    expect(resolvePeriod({ period_from: one, period_to: other }, clock)).toEqual(expected);
    expect(resolvePeriod({ period_from: other, period_to: one }, clock)).toEqual(expected);
  });

  it('takes dates as whole days, whichever comes first', () => {
    const expected = { from: '2026-03-01T00:00:00.000000+00:00', to: '2026-03-03T23:59:59.999999+00:00' };
    expect(resolvePeriod({ period_from: '2026-03-01', period_to: '2026-03-03' }, clock)).toEqual(expected);
    expect(resolvePeriod({ period_from: '2026-03-03', period_to: '2026-03-01' }, clock)).toEqual(expected);
  });

  it('fills in what is missing', () => {
    expect(resolvePeriod({ period_from: '2026-03-01' }, clock)).toEqual({
      from: '2026-03-01T00:00:00.000000+00:00',
      to: NOW,
    });
    expect(resolvePeriod({ period_to: '2026-03-01T00:00:00Z' }, clock)).toEqual({
      from: '2025-12-31T00:00:00.000000+00:00',
      to: '2026-03-01T00:00:00.000000+00:00',
    });
    expect(resolvePeriod({}, clock)).toEqual({
      from: '2026-01-09T00:00:00.000000+00:00',
      to: '2026-03-10T23:59:59.999999+00:00',
    });
  });

  it('begins with the year 1, before which the database has no year', () => {
    const first = '0001-01-01T00:00:00.000000+00:00';
    const all = { from: first, to: '9999-12-31T23:59:59.999999+00:00' };
    expect(resolvePeriod({ period_from: '0000-01-01', period_to: '9999-12-31' }, clock)).toEqual(all);
    for (const moment of ['0000-05-05', '0000-12-31T23:00:00Z', '0001-01-01T05:00:00+06:00']) {
      const ends = { period_from: moment, period_to: moment };
      expect(resolvePeriod(ends, clock)).toEqual({ from: first, to: first });
      expect(resolvePeriod({ period_to: moment }, clock)).toEqual({ from: first, to: first });
      expect(resolvePeriod({ period_from: moment }, clock)).toEqual({ from: first, to: NOW });
    }
    expect(resolvePeriod({ period_to: '0001-02-01' }, clock).from).toBe(first);
  });

  it('refuses what is no moment', () => {
    expect(() => resolvePeriod({ period_from: 'yesterday' }, clock)).toThrow(RangeError);
  });
});

describe('optionalPeriod', () => {
  it('is absent without parameters', () => {
    expect(optionalPeriod({}, clock)).toBeUndefined();
    expect(optionalPeriod({ period_to: '2026-03-01' }, clock)?.to).toBe('2026-03-01T23:59:59.999999+00:00');
  });
});
