/** A moment as it leaves the service: `2020-09-07T04:49:50.268699+00:00` (UTC, six decimals). */
export type Timestamp = string;

/** Where the service takes its time from; the sandbox can move it forward. */
export interface Clock {
  /** The present moment; strictly increasing within a process, so that events keep their order. */
  now(): Timestamp;
  /** The present moment in milliseconds since 1970. */
  epochMs(): number;
}

const MICROSECONDS_PER_MILLISECOND = 1000;
export const MILLISECONDS_PER_HOUR = 3_600_000;
export const MILLISECONDS_PER_DAY = 24 * MILLISECONDS_PER_HOUR;

const RFC_3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const FULL_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Milliseconds since 1970 (whole, or with a fraction for microseconds) as a Timestamp. */
export function toTimestamp(epochMs: number): Timestamp {
  const whole = Math.floor(epochMs);
  const microseconds = Math.floor((epochMs - whole) * MICROSECONDS_PER_MILLISECOND);
  return withMicroseconds(whole, microseconds);
}

/** A Timestamp as milliseconds since 1970; what lies below the millisecond is cut. */
export function toEpochMs(timestamp: Timestamp): number {
  return Date.parse(`${timestamp.slice(0, 23)}Z`);
}

/**
 * Reads an RFC 3339 date-time with any offset.
 * Returns the same moment in UTC with microseconds, or undefined when it is not one (section 5.6; a leap second is not accepted).
 */
export function parseDateTime(text: string): Timestamp | undefined {
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  const [, date = '', time = '', fraction = '', sign, hours, minutes] = match;
  if (!isCalendarDate(date)) return undefined;
  const local = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(local) || time.startsWith('24')) return undefined;
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const digits = fraction.padEnd(6, '0');
  const utc = local - offset * 60_000 + Number(digits.slice(0, 3));
  const year = new Date(utc).getUTCFullYear();
  return year < 0 || year > 9999 ? undefined : withMicroseconds(utc, Number(digits.slice(3, 6)));
}

/** Whether the text is a date without a time (`2026-03-01`) that the calendar has. */
export function isCalendarDate(text: string): boolean {
  if (!FULL_DATE.test(text)) return false;
  const parsed = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
}

/** The first moment of a date (`2026-03-01`) in UTC. */
export function startOfDate(date: string): Timestamp {
  return `${date}T00:00:00.000000+00:00`;
}

/** The last moment of a date (`2026-03-01`) in UTC. */
export function endOfDate(date: string): Timestamp {
  return `${date}T23:59:59.999999+00:00`;
}

/** The first moment of the hour that a moment falls in: the bucket of the counters. */
export function hourOf(timestamp: Timestamp): Timestamp {
  return `${timestamp.slice(0, 13)}:00:00.000000+00:00`;
}

/** The moment so many milliseconds later (or earlier, when negative); microseconds are kept. */
export function plusMilliseconds(timestamp: Timestamp, milliseconds: number): Timestamp {
  return withMicroseconds(toEpochMs(timestamp) + milliseconds, Number(timestamp.slice(23, 26)));
}

/** A PostgreSQL `timestamptz` in text form, read in the time zone UTC, as a Timestamp. */
export function fromPostgres(text: string): Timestamp {
  const [date = '', rest = ''] = text.split(' ');
  const time = rest.slice(0, 8);
  const fraction = rest[8] === '.' ? rest.slice(9, rest.indexOf('+')) : '';
  return `${date}T${time}.${fraction.padEnd(6, '0')}+00:00`;
}

/** A clock that follows the system's, moved by an offset that the sandbox may enlarge. */
export class SystemClock implements Clock {
  #offsetMs: number;
  #lastMicroseconds = 0;

  constructor(offsetMs = 0) {
    this.#offsetMs = offsetMs;
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Moves the clock forward by so many milliseconds. */
  advance(milliseconds: number): void {
    this.#offsetMs += milliseconds;
  }

  epochMs(): number {
    return Date.now() + this.#offsetMs;
  }

  now(): Timestamp {
    const microseconds = Math.max(this.epochMs() * MICROSECONDS_PER_MILLISECOND, this.#lastMicroseconds + 1);
    this.#lastMicroseconds = microseconds;
    return withMicroseconds(
      Math.floor(microseconds / MICROSECONDS_PER_MILLISECOND),
      microseconds % MICROSECONDS_PER_MILLISECOND,
    );
  }
}

function withMicroseconds(epochMs: number, microseconds: number): Timestamp {
  const iso = new Date(epochMs).toISOString();
  return `${iso.slice(0, 23)}${String(microseconds).padStart(3, '0')}+00:00`;
}
