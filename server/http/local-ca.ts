import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { promisify } from 'node:util';
import {
  bitString,
  explicit,
  implicit,
  integer,
  octetString,
  oid,
  sequence,
  set,
  TRUE,
  time,
  utf8String,
} from './der.ts';

/** A certificate and its private key, both PEM. */
export interface KeyedCertificate {
  cert: string;
  key: string;
}

/** A name that a certificate vouches for. */
export type SubjectName = { dns: string } | { ip: Uint8Array };

const DAY_MS = 86_400_000;
const CA_DAYS = 3650;
// Browsers refuse certificates that are valid for more than 398 days.
const SERVER_DAYS = 397;
const CA_NAME = 'sendspec local CA';

const IPV4_LOOPBACK = Uint8Array.of(127, 0, 0, 1);
const IPV6_LOOPBACK = Uint8Array.of(...new Array(15).fill(0), 1);
const THIS_MACHINE: readonly SubjectName[] = [
  { dns: 'localhost' },
  { ip: IPV4_LOOPBACK },
  { ip: IPV6_LOOPBACK },
];

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
const VERSION_3 = explicit(0, integer(2));

/**
 * Makes a certificate authority that can vouch for localhost, 127.0.0.1 and ::1 and for nothing else (RFC 5280,
 * section 4.2.1.10): who trusts it has nothing to fear on the rest of the network, even if its key is stolen.
 */
export async function createAuthority(now: Date): Promise<KeyedCertificate> {
  const { publicKey, privateKey } = await newKeys();
  // Each authority has its own name, lest a client takes it for an older one that it trusts.
  const name = `${CA_NAME} ${randomBytes(4).toString('hex')}`;
  const extensions = [
    critical('2.5.29.19', sequence(TRUE, integer(0))),
    critical('2.5.29.15', keyUsage(0b0000_0110, 1)),
    critical('2.5.29.30', sequence(explicit(0, ...THIS_MACHINE.map(permittedName)))),
    extension('2.5.29.14', octetString(keyId(publicKey))),
  ];
  const validity = sequence(time(plusDays(now, -1)), time(plusDays(now, CA_DAYS)));
  const cert = signed(privateKey, [nameOf(name), validity, nameOf(name), spki(publicKey)], extensions);
  return { cert, key: keyPem(privateKey) };
}

/** Makes a server certificate, signed by the authority, for the names of this machine unless others are given. */
export async function createServerCertificate(
  authority: KeyedCertificate,
  now: Date,
  names: readonly SubjectName[] = THIS_MACHINE,
): Promise<KeyedCertificate> {
  const { publicKey, privateKey } = await newKeys();
  const issuerKey = createPrivateKey(authority.key);
  const issuerName = new X509Certificate(authority.cert).subject.replace(/^CN=/, '');
  const extensions = [
    critical('2.5.29.19', sequence()),
    critical('2.5.29.15', keyUsage(0b1000_0000, 7)),
    extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.17', sequence(...names.map((name) => generalName(name)))),
    extension('2.5.29.14', octetString(keyId(publicKey))),
    extension('2.5.29.35', sequence(implicit(0, keyId(createPublicKey(issuerKey))))),
  ];
  const validity = sequence(time(plusDays(now, -1)), time(plusDays(now, SERVER_DAYS - 1)));
  const fields = [nameOf(issuerName), validity, nameOf('localhost'), spki(publicKey)];
  return { cert: signed(issuerKey, fields, extensions), key: keyPem(privateKey) };
}

const newKeyPair = promisify(generateKeyPair);

async function newKeys(): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  return await newKeyPair('ec', { namedCurve: 'P-256' });
}

/** RFC 5280, section 4.1: issuer, validity, subject and key between the serial number and the extensions. */
function signed(issuerKey: KeyObject, fields: readonly Buffer[], extensions: readonly Buffer[]): string {
  const body = sequence(
    VERSION_3,
    integer(serialNumber()),
    ECDSA_WITH_SHA256,
    ...fields,
    explicit(3, sequence(...extensions)),
  );
  const signature = sign('sha256', body, issuerKey);
  return pem('CERTIFICATE', sequence(body, ECDSA_WITH_SHA256, bitString(signature)));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), octetString(value));
}

function critical(id: string, value: Buffer): Buffer {
  return sequence(oid(id), TRUE, octetString(value));
}

function keyUsage(bits: number, unused: number): Buffer {
  return bitString(Buffer.of(bits), unused);
}

function generalName(name: SubjectName): Buffer {
  return 'dns' in name ? implicit(2, Buffer.from(name.dns)) : implicit(7, name.ip);
}

/** An address is constrained together with its mask. */
function permittedName(name: SubjectName): Buffer {
  if ('dns' in name) return sequence(generalName(name));
  return sequence(generalName({ ip: Buffer.concat([name.ip, Buffer.alloc(name.ip.length, 0xff)]) }));
}

function nameOf(commonName: string): Buffer {
  return sequence(set(sequence(oid('2.5.4.3'), utf8String(commonName))));
}

function spki(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' });
}

/** RFC 7093, section 2, method 4: the first 160 bits of the key's SHA-256. */
function keyId(publicKey: KeyObject): Buffer {
  return createHash('sha256').update(spki(publicKey)).digest().subarray(0, 20);
}

/** 128 bits, of which the first two are 01: positive in DER and never short. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

function keyPem(privateKey: KeyObject): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

function plusDays(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * DAY_MS);
}
