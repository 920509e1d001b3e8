import { DAY, type Micros, SECOND } from './clock.ts';
import { known, type World } from './state.ts';

/** From one moment to another, both included. */
export interface Range {
  from: Micros;
  to: Micros;
}

const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const EARLIEST = startOf('0001-01-01') ?? 0n;
const LATEST = (startOf('9999-12-31') ?? 0n) + DAY - 1n;
const DEFAULT_DAYS = 60n;

/** What a timestamp with an offset, or a date, covers: a moment or a day. Undefined for anything else (RFC 3339). */
export function readMoment(text: string, world: World): Range | undefined {
  const day = startOf(text);
  if (day !== undefined) {
    return clamp({ from: day, to: world.has('periods.date-is-midnight') ? day : day + DAY - 1n });
  }
  const given =
    world.has('periods.offset-optional') && !/([Zz]|[+-]\d{2}:\d{2})$/.test(text) ? `${text}Z` : text;
  const moment = readTimestamp(given);
  return moment === undefined ? undefined : clamp({ from: moment, to: moment });
}

function readTimestamp(text: string): Micros | undefined {
  const [, date = '', hours, minutes, seconds, fraction = '', sign, offsetHours, offsetMinutes] =
    TIMESTAMP.exec(text) ?? [];
  const day = startOf(date);
  if (day === undefined || text.length < 20 || text.length > 40) return undefined;
  const time = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * 60;
  const utc = time + (sign === '-' ? offset : -offset);
  return day + BigInt(utc) * SECOND + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}

function startOf(date: string): Micros | undefined {
  const [, year, month, day] = DATE.exec(date) ?? [];
  if (year === undefined) return undefined;
  const start = new Date(Date.UTC(2000, Number(month) - 1, 1));
  start.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const isReal = start.getUTCMonth() === Number(month) - 1 && start.getUTCDate() === Number(day);
  return isReal ? BigInt(start.getTime()) * 1000n : undefined;
}

function clamp({ from, to }: Range): Range {
  const within = (at: Micros) => (at < EARLIEST ? EARLIEST : at > LATEST ? LATEST : at);
  return { from: within(from), to: within(to) };
}

/** The range between two ends, whichever comes first. */
export function between(one: Range, other: Range): Range {
  const starts = [one.from, other.from];
  const ends = [one.to, other.to];
  return clamp({ from: known(starts.toSorted(byTime)[0]), to: known(ends.toSorted(byTime)[1]) });
}

function byTime(one: Micros, other: Micros): number {
  return Number(one - other);
}

/** The period of the message log: the last 60 days where nothing else is said. */
export function logPeriod(from: Range | undefined, to: Range | undefined, world: World): Range {
  const now = world.clock.now();
  const days = world.varies('default-period-of-a-day') ? 1n : DEFAULT_DAYS;
  const today = startOfDay(now);
  if (from !== undefined && to !== undefined)
    return ordered(from, to, 'messages.swapped-period-empty', world);
  if (from !== undefined) return between(from, { from: now, to: now });
  if (to !== undefined) return clamp({ from: startOfDay(to.from) - DEFAULT_DAYS * DAY, to: to.to });
  return { from: today - days * DAY, to: today + DAY - 1n };
}

/** The period of the suppression list: all of time where nothing else is said. */
export function listPeriod(from: Range | undefined, to: Range | undefined, world: World): Range {
  if (from !== undefined && to !== undefined) {
    return ordered(from, to, 'suppressions.swapped-period-empty', world);
  }
  return { from: from?.from ?? EARLIEST, to: to?.to ?? LATEST };
}

function ordered(
  from: Range,
  to: Range,
  fault: 'messages.swapped-period-empty' | 'suppressions.swapped-period-empty',
  world: World,
): Range {
  return world.has(fault) ? { from: from.from, to: to.to } : between(from, to);
}

/** Whether a moment lies in a range. */
export function isWithin(at: Micros, { from, to }: Range): boolean {
  return at >= from && at <= to;
}

function startOfDay(at: Micros): Micros {
  return at - (((at % DAY) + DAY) % DAY);
}
