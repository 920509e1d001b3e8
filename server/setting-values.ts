import { isIP } from 'node:net';
import { resolve } from 'node:path';

// How the text of a setting becomes its value. Each throws a SettingFault for what the setting cannot have.

/** A value that a setting cannot have. The message says what is allowed. */
export class SettingFault extends Error {}

/** A whole number between two others, these included. */
export function integer(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= minimum && value <= maximum)) {
      throw new SettingFault(`must be a whole number from ${minimum} to ${maximum}`);
    }
    return value;
  };
}

/** 1 or 0, or what people write for them. */
export function flag(text: string): boolean {
  if (/^(?:1|true|yes|on)$/i.test(text)) return true;
  if (/^(?:0|false|no|off)$/i.test(text)) return false;
  throw new SettingFault('must be 1 or 0');
}

/** One of these words, in any case. */
export function oneOf<const T extends string>(allowed: readonly T[]): (text: string) => T {
  return (text) => {
    const value = allowed.find((candidate) => candidate === text.toLowerCase());
    if (value === undefined) throw new SettingFault(`must be one of ${allowed.join(', ')}`);
    return value;
  };
}

/** Values separated by commas; nothing between two commas is none. */
export function list<T>(parseItem: (text: string) => T): (text: string) => T[] {
  return (text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map(parseItem);
}

/** A file or a folder, from where the process was started. */
export function path(text: string): string {
  return resolve(text);
}

/** An address of this machine, without brackets. */
export function ipAddress(text: string): string {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  if (text.toLowerCase() === 'localhost') return '127.0.0.1';
  if (isIP(bare) === 0) throw new SettingFault('must be an IP address of this machine, such as 127.0.0.1');
  return bare;
}

/** An address for an A or AAAA record. */
export function publicAddress(text: string): string {
  if (isIP(text) === 0 || text.includes('%'))
    throw new SettingFault('must be IP addresses, separated by commas');
  return text;
}

/** The address of a resolver, with its port if it is not 53. */
export function dnsServer(text: string): string {
  const [, bracketed, plain, portText] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = isIP(text) === 6 ? text : (bracketed ?? plain ?? '');
  const number = portText === undefined ? 53 : Number(portText);
  const family = isIP(address);
  if (family === 0 || (bracketed !== undefined && family !== 6) || number < 1 || number > 65_535) {
    throw new SettingFault('must be IP addresses, each with a port if it is not 53, separated by commas');
  }
  return family === 6 && portText !== undefined
    ? `[${address}]:${number}`
    : text.replace(/^\[([^\]]+)\]$/, '$1');
}

/** A scheme, a host and a port, or * for every origin. */
export function origin(text: string): string {
  const found = text === '*' ? text : originOf(text);
  if (found === undefined) {
    throw new SettingFault('must be origins (scheme, host, port; no path) separated by commas, or *');
  }
  return found;
}

/** The origin that links begin with. */
export function webAddress(text: string): string {
  const found = originOf(text);
  if (found === undefined) {
    throw new SettingFault('must be https:// and a host, with a port if need be, without a path');
  }
  return found;
}

/** The origin that the text is, undefined when it is anything else or more. */
function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  const isOrigin = isWeb && (url.origin === text.toLowerCase() || `${url.origin}/` === text.toLowerCase());
  return isOrigin ? url.origin : undefined;
}

/** A host name of at least two labels (RFC 1123, 2.1), in small letters. */
export function hostname(text: string): string {
  const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
  const name = text.toLowerCase().replace(/\.$/, '');
  const labels = name.split('.');
  if (
    name.length > 253 ||
    labels.length < 2 ||
    isIP(name) !== 0 ||
    !labels.every((part) => label.test(part))
  ) {
    throw new SettingFault('must be a host name with a dot in it, such as mail.example.com');
  }
  return name;
}

/** The address of a mailbox. */
export function mailbox(text: string): string {
  const [, domain = ''] = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@([^@]+)$/.exec(text) ?? [];
  if (!/^(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+[a-z0-9-]{2,63}$/i.test(domain)) {
    throw new SettingFault('must be an address, such as postmaster@example.com');
  }
  return text;
}

/** A URL of one of these schemes; that of a relay names a host, and nothing behind it. */
export function urlOf(text: string, protocols: readonly string[]): string {
  const url = URL.parse(text);
  const expected = `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  if (url === null || !protocols.includes(url.protocol)) throw new SettingFault(expected);
  const isMail = protocols.includes('smtp:');
  if (isMail && url.hostname === '') throw new SettingFault(`${expected} and names a host`);
  if (isMail && url.pathname !== '' && url.pathname !== '/') throw new SettingFault('must not have a path');
  return text;
}
