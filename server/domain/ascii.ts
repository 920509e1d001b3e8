import { domainToASCII } from 'node:url';

/** A domain in A-labels (`bücher.example` as `xn--bcher-kva.example`), as envelopes and identifiers carry it. */
export function asciiDomain(domain: string): string {
  return domainToASCII(domain) || domain;
}

/** Whether a text can go where nothing but ASCII may stand. */
export function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with them.
  return /^[\x00-\x7f]*$/.test(text);
}
