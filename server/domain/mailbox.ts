import { asciiDomain, isAscii } from './ascii.ts';

/**
 * The address with its domain in A-labels (`ann@bücher.test` as `ann@xn--bcher-kva.test`), so that both ways to write one
 * mailbox are the same text but for the case of its letters. An address in ASCII stays as it is.
 */
export function withAsciiDomain(address: string): string {
  const domainAt = address.lastIndexOf('@') + 1;
  const domain = address.slice(domainAt);
  return isAscii(domain) ? address : address.slice(0, domainAt) + asciiDomain(domain);
}

/** The text that is the same for all ways to write one mailbox. */
export function mailboxKey(address: string): string {
  return withAsciiDomain(address).toLowerCase();
}
