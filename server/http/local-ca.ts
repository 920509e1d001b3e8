import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '@peculiar/asn1-x509';
import * as x509 from '@peculiar/x509';

/** A certificate and its private key, both PEM. */
export interface KeyedCertificate {
  cert: string;
  key: string;
}

/** A name that a certificate vouches for. */
export type SubjectName = { type: 'dns' | 'ip'; value: string };

const DAY_MS = 86_400_000;
const CA_DAYS = 3650;
// Browsers refuse certificates that are valid for more than 398 days.
const SERVER_DAYS = 397;
const CA_NAME = 'sendspec local CA';
const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

const THIS_MACHINE: readonly SubjectName[] = [
  { type: 'dns', value: 'localhost' },
  { type: 'ip', value: '127.0.0.1' },
  { type: 'ip', value: '::1' },
];
// The same names as subtrees: an address together with its mask.
const PERMITTED = [
  new GeneralName({ dNSName: 'localhost' }),
  new GeneralName({ iPAddress: '127.0.0.1/32' }),
  new GeneralName({ iPAddress: '::1/128' }),
];

x509.cryptoProvider.set(crypto);

/**
 * Makes a certificate authority that can vouch for localhost, 127.0.0.1 and ::1 and for nothing else (RFC 5280,
 * section 4.2.1.10): who trusts it has nothing to fear on the rest of the network, even if its key is stolen.
 */
export async function createAuthority(now: Date): Promise<KeyedCertificate> {
  const keys = await newKeys();
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    // Each authority has its own name, lest a client takes it for an older one that it trusts.
    name: `CN=${CA_NAME} ${randomBytes(4).toString('hex')}`,
    notBefore: plusDays(now, -1),
    notAfter: plusDays(now, CA_DAYS),
    signingAlgorithm: ECDSA,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      nameConstraints(),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: cert.toString('pem'), key: await keyPem(keys.privateKey) };
}

/** Makes a server certificate, signed by the authority, for the names of this machine unless others are given. */
export async function createServerCertificate(
  authority: KeyedCertificate,
  now: Date,
  names: readonly SubjectName[] = THIS_MACHINE,
): Promise<KeyedCertificate> {
  const keys = await newKeys();
  const issuer = new x509.X509Certificate(authority.cert);
  const cert = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: 'CN=localhost',
    issuer: issuer.subject,
    notBefore: plusDays(now, -1),
    notAfter: plusDays(now, SERVER_DAYS - 1),
    signingAlgorithm: ECDSA,
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.key),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([...names]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return { cert: cert.toString('pem'), key: await keyPem(keys.privateKey) };
}

function nameConstraints(): x509.Extension {
  const subtrees = PERMITTED.map((base) => new GeneralSubtree({ base }));
  const constraints = new NameConstraints({ permittedSubtrees: new GeneralSubtrees(subtrees) });
  return new x509.Extension(id_ce_nameConstraints, true, AsnConvert.serialize(constraints));
}

async function newKeys(): Promise<CryptoKeyPair> {
  return await crypto.subtle.generateKey(ECDSA, true, ['sign', 'verify']);
}

async function importKey(pem: string): Promise<CryptoKey> {
  const [der] = x509.PemConverter.decode(pem);
  if (der === undefined) throw new TypeError('This is not a private key in PEM.');
  return await crypto.subtle.importKey('pkcs8', der, ECDSA, false, ['sign']);
}

async function keyPem(key: CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

/** 128 bits, of which the first two are 01: positive in DER and never short. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

function plusDays(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * DAY_MS);
}
