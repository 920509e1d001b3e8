import { bounceHostOf } from '../domain/bounce-host.ts';

/** A DKIM key as it stands in the service's zone: the name that a sending domain's CNAME points to, and the key (base64 DER). */
export interface ZoneKey {
  target: string;
  publicKey: string;
}

const TTL_SECONDS = 3600;
// A character-string of a TXT record holds 255 bytes (RFC 1035, 3.3).
const LONGEST_STRING = 255;

/**
 * The records that the DNS has to answer below the service's own mail name, as a zone file (RFC 1035, section 5):
 * the bounce host that Return-Path records point to (MX, and SPF for envelope senders), and the public key behind every DKIM CNAME.
 */
export function zoneFile(mailHostname: string, keys: readonly ZoneKey[]): string {
  const bounces = bounceHostOf(mailHostname);
  const lines = [
    `; Below ${mailHostname}. The A and AAAA records of ${mailHostname} itself are yours to add.`,
    record(bounces, `MX 10 ${mailHostname}.`),
    record(bounces, `TXT "v=spf1 a:${mailHostname} -all"`),
    ...keys.map(({ target, publicKey }) => record(target, `TXT ${strings(dkimRecord(publicKey))}`)),
  ];
  return `${lines.join('\n')}\n`;
}

/** The content of a DKIM key record (RFC 6376, 3.6.1). */
function dkimRecord(publicKey: string): string {
  return `v=DKIM1; k=rsa; p=${publicKey}`;
}

function record(name: string, data: string): string {
  return `${name}. ${TTL_SECONDS} IN ${data}`;
}

function strings(text: string): string {
  const parts = [];
  for (let start = 0; start < text.length; start += LONGEST_STRING) {
    parts.push(`"${text.slice(start, start + LONGEST_STRING)}"`);
  }
  return parts.join(' ');
}
