import { domainToASCII } from 'node:url';
import { problem, type Rule } from './validate.ts';

// Addresses and host names: their form, and when two of them are the same.

const LONGEST_ADDRESS = 254;
const SHORTEST_ADDRESS = 5;
const LONGEST_DOMAIN = 220;
// What RFC 5322 calls an atom, and international characters (RFC 6532).
const LOCAL_PART =
  /^[\w!#$%&'*+/=?^`{|}~\u{A1}-\u{10FFFF}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u{A1}-\u{10FFFF}-]+)*$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const RETURN_PATH_HOST = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

export const email: Rule<string> = (value, field) =>
  typeof value === 'string' && isAddress(value)
    ? { value }
    : problem(field, value, 'INVALID_EMAIL', 'must be an email address');

function isAddress(address: string): boolean {
  const at = address.lastIndexOf('@');
  if (at < 1 || address.length < SHORTEST_ADDRESS || address.length > LONGEST_ADDRESS) return false;
  return LOCAL_PART.test(address.slice(0, at)) && isHostName(toAscii(address.slice(at + 1)));
}

/** A host name of two labels or more that is no IP address. */
function isHostName(name: string): boolean {
  const labels = name.split('.');
  return (
    labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

function toAscii(domain: string): string {
  return /[^\0-\x7f]/.test(domain) ? domainToASCII(domain) : domain;
}

export const domainName: Rule<string> = (value, field) =>
  typeof value === 'string' && value.length <= LONGEST_DOMAIN && isHostName(value)
    ? { value: value.toLowerCase() }
    : problem(field, value, 'HOSTNAME', 'must be a domain name');

export const returnPathHostname: Rule<string> = (value, field) =>
  typeof value === 'string' && value.length <= 190 && RETURN_PATH_HOST.test(value)
    ? { value }
    : problem(field, value, 'HOSTNAME', 'must be a host name');

/** The domain of an address, in ASCII and lower case. */
export function domainOf(address: string): string {
  return toAscii(address.slice(address.lastIndexOf('@') + 1)).toLowerCase();
}

/** The address with its domain in ASCII, and its letters as they came. */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}@${toAscii(address.slice(at + 1))}`;
}

/** Whether two addresses are one mailbox. */
export function isSameAddress(one: string, other: string): boolean {
  return asciiAddress(one).toLowerCase() === asciiAddress(other).toLowerCase();
}

/** Whether a text contains another, in any letter case. */
export function containsText(whole: string, part: string): boolean {
  return whole.toLowerCase().includes(part.toLowerCase());
}
