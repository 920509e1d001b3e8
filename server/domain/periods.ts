import {
  type Clock,
  endOfDate,
  isCalendarDate,
  MILLISECONDS_PER_DAY,
  parseDateTime,
  plusMilliseconds,
  startOfDate,
  type Timestamp,
} from './time.ts';

/** A span of time; both ends belong to it. */
export interface Period {
  from: Timestamp;
  to: Timestamp;
}

/** The ends of a period as a caller gives them: RFC 3339 date-times or dates, in either order, or absent. */
export interface PeriodParameters {
  period_from?: string | undefined;
  period_to?: string | undefined;
}

const DEFAULT_DAYS = 60;
// The calendar of PostgreSQL has no year 0, in which RFC 3339 allows a moment to be. Nothing happened before it either.
const EARLIEST = startOfDate('0001-01-01');
const FIRST_WITH_DAYS_BEFORE = startOfDate('0001-03-02');

/**
 * The period that the parameters name.
 * The ends may come in either order; a date without a time is that whole day in UTC; with only a beginning it lasts until
 * now, with only an end it covers the 60 days before, with neither the last 60 days up to the end of today.
 * Throws RangeError for a text that is neither a date nor a date-time: the contract's check comes first.
 */
export function resolvePeriod(parameters: PeriodParameters, clock: Clock): Period {
  const { period_from: from, period_to: to } = parameters;
  if (from !== undefined && to !== undefined) return span(wholeOf(from), wholeOf(to));
  if (from !== undefined) return span(wholeOf(from), wholeOf(clock.now()));
  if (to !== undefined) {
    const end = wholeOf(to).to;
    return { from: daysBefore(end), to: notBefore(EARLIEST, end) };
  }
  const today = clock.now().slice(0, 10);
  return { from: daysBefore(startOfDate(today)), to: endOfDate(today) };
}

/** The period that the parameters name, or undefined (all of time) when they name none. */
export function optionalPeriod(parameters: PeriodParameters, clock: Clock): Period | undefined {
  const isAbsent = parameters.period_from === undefined && parameters.period_to === undefined;
  return isAbsent ? undefined : resolvePeriod(parameters, clock);
}

function wholeOf(text: string): Period {
  if (isCalendarDate(text)) return { from: startOfDate(text), to: endOfDate(text) };
  const moment = parseDateTime(text);
  if (moment === undefined) throw new RangeError(`Neither a date nor a date-time: ${text}`);
  return { from: moment, to: moment };
}

function span(one: Period, other: Period): Period {
  return {
    from: notBefore(EARLIEST, isBefore(one.from, other.from) ? one.from : other.from),
    to: notBefore(EARLIEST, isBefore(one.to, other.to) ? other.to : one.to),
  };
}

function notBefore(limit: Timestamp, moment: Timestamp): Timestamp {
  return isBefore(moment, limit) ? limit : moment;
}

// Timestamps are all in one form, so their order is that of their text.
function isBefore(one: Timestamp, other: Timestamp): boolean {
  return one < other;
}

function daysBefore(moment: Timestamp): Timestamp {
  if (isBefore(moment, FIRST_WITH_DAYS_BEFORE)) return EARLIEST;
  return plusMilliseconds(moment, -DEFAULT_DAYS * MILLISECONDS_PER_DAY);
}
