import { domainToASCII } from 'node:url';
import type { ErrorDetail } from '../domain/errors.ts';
import { safeText } from '../domain/safe-text.ts';
import type { DnsFailure, DnsResolver } from './resolver.ts';

/** A CNAME record that the owner of a sending domain has to create. */
export interface ExpectedCname {
  /** The whole name of the record, `cs1._domainkey.example.com`. */
  name: string;
  target: string;
}

/** A DKIM record: the CNAME, and the public key (base64 of the SubjectPublicKeyInfo, or PEM) that must stand behind it. */
export interface ExpectedDkim extends ExpectedCname {
  publicKey: string;
}

/** What one record should hold, and what the DNS holds. `found` is safe to show. */
export interface RecordCheck {
  type: 'CNAME' | 'TXT';
  name: string;
  expected: string;
  found: string;
  ok: boolean;
}

export interface VerificationReport {
  ok: boolean;
  records: RecordCheck[];
}

const LONGEST_CHAIN = 8;
const LONGEST_FOUND = 255;
const MOST_VALUES_SHOWN = 5;
const LONGEST_KEY_RECORD = 1024;

const IN_WORDS: Readonly<Record<DnsFailure, string>> = {
  missing: 'the name does not exist (NXDOMAIN)',
  empty: 'the name exists but has no such record',
  'server failure': 'the DNS server could not answer (SERVFAIL); try again later',
  timeout: 'the DNS server did not answer in time; try again later',
  refused: 'the DNS server refused the question (REFUSED)',
  malformed: 'the DNS server gave an answer that cannot be read',
};

/**
 * Looks up the DKIM records of a sending domain: each CNAME and, where that is right, that the key which it leads to is ours.
 * Never throws; a record that cannot be looked up is one that is not ok.
 */
export async function verifyDkim(
  resolver: DnsResolver,
  expected: readonly ExpectedDkim[],
): Promise<VerificationReport> {
  const checks = await Promise.all(expected.map((record) => checkDkim(resolver, record)));
  return report(checks.flat());
}

/** Looks up the Return-Path record of a sending domain. Never throws. */
export async function verifyReturnPath(
  resolver: DnsResolver,
  expected: ExpectedCname,
): Promise<VerificationReport> {
  return report([await checkCname(resolver, expected)]);
}

/** The records that are not as they should be, each as an error that names what was expected and what was found. */
export function errorsOf(report: VerificationReport, code: ErrorDetail['code']): ErrorDetail[] {
  return report.records
    .filter((record) => !record.ok)
    .map(({ type, name, expected, found }) => ({
      code,
      description: `${type} record of ${name}: expected "${expected}", found ${found}.`,
    }));
}

/**
 * Whether a domain counts as verified without asking the DNS: the names under `.test`, which exist nowhere (RFC 6761), and
 * only in sandbox mode, where no mail leaves the machine.
 */
export function verifiesWithoutDns(domain: string, deliveryMode: 'sandbox' | 'relay' | 'mx'): boolean {
  return deliveryMode === 'sandbox' && canonical(domain).endsWith('.test');
}

function report(records: RecordCheck[]): VerificationReport {
  return { ok: records.every((record) => record.ok), records };
}

async function checkCname(resolver: DnsResolver, { name, target }: ExpectedCname): Promise<RecordCheck> {
  const check = { type: 'CNAME', name: safeText(name, LONGEST_FOUND), expected: target } as const;
  const seen: string[] = [];
  let question = canonical(name);
  while (seen.length < LONGEST_CHAIN) {
    const answer = await resolver.cname(question);
    if (!answer.ok)
      return { ...check, found: seen.length > 0 ? quoted(seen) : IN_WORDS[answer.failure], ok: false };
    if (answer.values.some((value) => canonical(value) === canonical(target))) {
      return { ...check, found: quoted([...seen, ...answer.values]), ok: true };
    }
    const next = answer.values[0] ?? '';
    seen.push(next);
    question = canonical(next);
  }
  return {
    ...check,
    found: `${quoted(seen)} and so on: the chain of names is too long or runs in a circle`,
    ok: false,
  };
}

async function checkDkim(resolver: DnsResolver, record: ExpectedDkim): Promise<RecordCheck[]> {
  const cname = await checkCname(resolver, record);
  return cname.ok ? [cname, await checkKey(resolver, record)] : [cname];
}

async function checkKey(
  resolver: DnsResolver,
  { name, target, publicKey }: ExpectedDkim,
): Promise<RecordCheck> {
  const key = publicKey.replace(/-----[^-]+-----|\s+/g, '');
  const expected = safeText(`v=DKIM1; k=rsa; p=${key}`, LONGEST_KEY_RECORD);
  const check = { type: 'TXT', name: safeText(target, LONGEST_FOUND), expected } as const;
  const answer = await resolver.txt(canonical(name));
  // A server that does not follow the CNAME by itself is asked for what it leads to.
  const followed = answer.ok ? answer : await resolver.txt(canonical(target));
  if (!followed.ok) return { ...check, found: IN_WORDS[followed.failure], ok: false };
  return {
    ...check,
    found: quoted(followed.values),
    ok: followed.values.some((value) => holdsKey(value, key)),
  };
}

/** Whether a TXT record is a DKIM key record (RFC 6376, section 3.6.1) with this key in it. */
function holdsKey(text: string, key: string): boolean {
  const tags = new Map(
    text.split(';').map((tag) => {
      const [name = '', ...value] = tag.split('=');
      return [name.trim(), value.join('=').replace(/\s+/g, '')] as const;
    }),
  );
  const version = tags.get('v');
  return (
    (version === undefined || version === 'DKIM1') &&
    (tags.get('k') ?? 'rsa') === 'rsa' &&
    tags.get('p') === key
  );
}

function quoted(values: readonly string[]): string {
  const shown = values.slice(0, MOST_VALUES_SHOWN).map((value) => `"${safeText(value, LONGEST_FOUND)}"`);
  return values.length > MOST_VALUES_SHOWN
    ? `${shown.join(', ')} and ${values.length - MOST_VALUES_SHOWN} more`
    : shown.join(', ');
}

/** A name in the one form in which names are compared: A-labels, lower case, without the trailing dot. */
function canonical(name: string): string {
  const bare = name.replace(/\.$/, '').toLowerCase();
  return domainToASCII(bare) || bare;
}
