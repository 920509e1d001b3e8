import { isIPv4 } from 'node:net';
import { bounceHostOf } from '../domain/bounce-host.ts';

/** A DKIM key as it stands in the service's zone: the name that a sending domain's CNAME points to, and the key (base64 DER). */
export interface ZoneKey {
  target: string;
  publicKey: string;
}

/** What stands in the zone whatever keys there are. */
export interface ZoneFacts {
  /** The service's own mail name, at the top of the zone. */
  mailHostname: string;
  /** Its IP addresses, as far as they are known here. */
  addresses: readonly string[];
  /** Mail leaves through a relay, whose addresses nobody here knows. */
  isRelayed?: boolean;
}

/** The content of a record. */
export type RecordData =
  | { type: 'A' | 'AAAA'; address: string }
  | { type: 'MX'; preference: number; exchange: string }
  | { type: 'NS'; host: string }
  | { type: 'TXT'; text: string }
  | SoaData;

/** The start of authority (RFC 1035, 3.3.13); `minimum` is how long "there is none" may be remembered (RFC 2308). */
export interface SoaData {
  type: 'SOA';
  host: string;
  mailbox: string;
  serial: number;
  refresh: number;
  retry: number;
  expire: number;
  minimum: number;
}

/** A record of the zone; names without the trailing dot. */
export interface ZoneRecord {
  name: string;
  data: RecordData;
}

/** How long resolvers may keep what they found in the zone. */
export const ZONE_TTL_SECONDS = 3600;
const MX_PREFERENCE = 10;

/**
 * The records below the service's own mail name: the bounce host that Return-Path records point to (MX, and SPF for envelope
 * senders), the public key behind every DKIM CNAME, and the addresses of the mail name itself if they are known.
 */
export function zoneRecords(
  { mailHostname, addresses, isRelayed = false }: ZoneFacts,
  keys: readonly ZoneKey[],
): ZoneRecord[] {
  const bounces = bounceHostOf(mailHostname);
  return [
    ...addresses.map((address) => ({
      name: mailHostname,
      data: { type: isIPv4(address) ? ('A' as const) : ('AAAA' as const), address },
    })),
    { name: bounces, data: { type: 'MX', preference: MX_PREFERENCE, exchange: mailHostname } },
    { name: bounces, data: { type: 'TXT', text: `v=spf1 a:${mailHostname} ${isRelayed ? '~' : '-'}all` } },
    ...keys.map(({ target, publicKey }) => ({
      name: target,
      data: { type: 'TXT' as const, text: dkimRecord(publicKey) },
    })),
  ];
}

/** The content of a DKIM key record (RFC 6376, 3.6.1). */
function dkimRecord(publicKey: string): string {
  return `v=DKIM1; k=rsa; p=${publicKey}`;
}
