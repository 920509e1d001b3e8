import { isPublicAddress } from './public-address.ts';

/** What is wrong with the URL of a webhook. */
export interface WebhookUrlFault {
  description: string;
  /** The URL as it can be shown: without a password. */
  shown: string;
}

// Of ASCII, as RFC 3986 has it: a parser would pass over the rest in silence.
const PRINTABLE = /^[!-~]+$/;

/**
 * What forbids that a webhook leads to this URL; undefined when nothing does. A name is not looked up here: what it resolves to
 * is judged whenever a connection is made (DECISIONS, notifications-targets).
 */
export function faultOfWebhookUrl(text: string, allowPrivate: boolean): WebhookUrlFault | undefined {
  const url = PRINTABLE.test(text) ? URL.parse(text) : null;
  if (url === null || url.hostname === '') return { description: 'must be a URL with a host', shown: text };
  if (url.username !== '' || url.password !== '') {
    return { description: 'must not hold a user name or a password', shown: withoutCredentials(url) };
  }
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    return { description: `must begin with https://${allowPrivate ? ' or http://' : ''}`, shown: text };
  }
  if (!allowPrivate && isPrivateHost(url.hostname)) {
    return { description: 'must lead to a public address', shown: text };
  }
  return undefined;
}

// An IPv4 address in another notation (decimal, octal, hexadecimal, shortened) is in the usual one here.
function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  const isIpv4 = /^\d+(?:\.\d+){3}$/.test(host);
  if (host.startsWith('[')) return !isPublicAddress(host.slice(1, -1));
  return isIpv4 && !isPublicAddress(host);
}

function withoutCredentials(url: URL): string {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare.href;
}
