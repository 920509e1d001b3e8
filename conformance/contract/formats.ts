const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-](\d\d):(\d\d))$/;
// Addresses may be international (RFC 6532) and quoted; only what no reader could send to is refused.
const EMAIL = /^(?:"(?:[^"\\\r\n]|\\.)*"|[^\s@"]+)@[^\s@.]+(?:\.[^\s@.]+)+$/u;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const HOSTNAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, 'i');
const LONGEST_HOSTNAME = 253;
const MONTHS_OF_30_DAYS = new Set([4, 6, 9, 11]);
const LEAP_SECOND = 60;

/** The formats of the contract, judged by the suite itself and not by the server's code. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  uuid: (text) => UUID.test(text),
  email: (text) => EMAIL.test(text),
  hostname: (text) => text.length <= LONGEST_HOSTNAME && HOSTNAME.test(text),
  'date-time': isDateTime,
  date: isDate,
  // The URL parser takes line breaks out in silence.
  uri: (text) => !/\s/.test(text) && URL.canParse(text),
  password: () => true,
};

/** What a format is called in a sentence. */
export const FORMAT_NAMES: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  email: 'an email address',
  hostname: 'a host name',
  'date-time': 'an RFC 3339 timestamp with an offset',
  date: 'a date',
  uri: 'a URI',
};

/** Whether the text is a date-time of RFC 3339, section 5.6: with an offset, any number of digits of the second, a leap second tolerated. */
export function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text);
  if (match === null) return false;
  const [, date = '', hour, minute, second, offsetHour = '0', offsetMinute = '0'] = match;
  return (
    isDate(date) &&
    Number(hour) <= 23 &&
    Number(minute) <= 59 &&
    Number(second) <= LEAP_SECOND &&
    Number(offsetHour) <= 23 &&
    Number(offsetMinute) <= 59
  );
}

/** Whether the text is a full-date of RFC 3339 that is in the calendar. */
export function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return MONTHS_OF_30_DAYS.has(month) ? 30 : 31;
}
