import { domainToASCII } from 'node:url';

const MAX_ADDRESS = 254;
const MAX_LOCAL_PART = 64;
// A dot-atom (RFC 5322, section 3.2.3), in ASCII. Quoted local parts are legal but nobody's: they only serve to smuggle.
const ADDRESS = /^([\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*)@([^@]+)$/;
// A quick yes to what nearly every address and host name looks like; within 63 characters no part can be too long.
const PLAIN_ADDRESS = /^\w+(?:[.+-]\w+)*@[a-z0-9]+(?:[.-][a-z0-9]+)*\.[a-z]+$/;
const PLAIN_HOSTNAME = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/;
const PLAIN_LENGTH = 63;
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const HOSTNAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const MAX_HOSTNAME = 253;
const ASCII_LETTERS_AND_DOTS = /^[A-Za-z0-9.-]+$/;
// What ends like this is an IP address, or nothing (WHATWG URL, section 3.5: "ends in a number").
const NUMBER_AT_THE_END = /(?:^|\.)(?:\d+|0x[\da-f]*)$/i;

/**
 * Whether the text is an address that mail can be sent to: a dot-atom, `@`, and a domain with a dot.
 * An internationalised domain is accepted (it travels as its ASCII form); an internationalised local part (RFC 6531) is not,
 * since half of the world's servers cannot take it. Quoted local parts and address literals are not accepted either.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length <= PLAIN_LENGTH && PLAIN_ADDRESS.test(text)) return true;
  if (text.length > MAX_ADDRESS) return false;
  const match = ADDRESS.exec(text);
  if (match === null) return false;
  const [, local = '', domain = ''] = match;
  return local.length <= MAX_LOCAL_PART && isMailDomain(domain);
}

/** Whether the text is a host name of RFC 1123: letters, digits and hyphens in labels of 1 to 63, 253 in all, no final dot; an IP address is none. */
export function isHostname(text: string): boolean {
  if (NUMBER_AT_THE_END.test(text)) return false;
  if (text.length <= PLAIN_LENGTH && PLAIN_HOSTNAME.test(text)) return true;
  return text.length <= MAX_HOSTNAME && HOSTNAME.test(text);
}

function isMailDomain(domain: string): boolean {
  const ascii = ASCII_LETTERS_AND_DOTS.test(domain) ? domain : internationalDomain(domain);
  return ascii.includes('.') && isHostname(ascii);
}

/** The ASCII form of an internationalised domain, or "" when it has none. ASCII characters that no domain has are not mapped away. */
function internationalDomain(domain: string): string {
  for (const character of domain) {
    if (character < '\u0080' && !ASCII_LETTERS_AND_DOTS.test(character)) return '';
  }
  return domainToASCII(domain);
}
