import { isIP } from 'node:net';
import { isCalendarDate, parseDateTime } from '../domain/time.ts';
import { isEmailAddress, isHostname } from './email-address.ts';

const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
// The characters of RFC 3986; everything else has to be percent-encoded.
const URI_CHARACTERS = /^(?:[\w!#$&'()*+,./:;=?@[\]~-]|%[0-9a-f]{2})+$/i;
const HTTP_URI = /^https?:\/\/[^/?#]/i;
const OWN_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;
const DAYS_IN_EVERY_MONTH = 28;

/** The formats of the contract, judged by the service itself: strictly, and the same in requests and responses. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  uuid: (text) => UUID.test(text),
  email: isEmailAddress,
  hostname: isHostname,
  'date-time': isDateTime,
  date: isCalendarDate,
  uri: isHttpUri,
  ipv4: (text) => isIP(text) === 4,
  ipv6: (text) => isIP(text) === 6,
  // Marks a secret; any text may be one.
  password: () => true,
};

/** Whether the text is an RFC 3339 date-time with an offset. */
function isDateTime(text: string): boolean {
  return isOwnTimestamp(text) || parseDateTime(text) !== undefined;
}

/** A quick yes to the form in which the service writes timestamps itself; a page of messages holds over a hundred of them. */
function isOwnTimestamp(text: string): boolean {
  if (!OWN_TIMESTAMP.test(text)) return false;
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= DAYS_IN_EVERY_MONTH &&
    twoDigits(text, 11) <= 23 &&
    twoDigits(text, 14) <= 59 &&
    twoDigits(text, 17) <= 59
  );
}

const ZERO = 48;

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}

/** Whether the text is an absolute http or https URI (RFC 3986) with a host. */
function isHttpUri(text: string): boolean {
  return URI_CHARACTERS.test(text) && HTTP_URI.test(text) && URL.canParse(text);
}
