import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TlsMode } from '../config.ts';
import { StartupError } from '../errors.ts';
import { codeOf, reasonOf, replaceFile } from '../files.ts';
import { lockFolder } from '../folder-lock.ts';
import type { KeyedCertificate } from './local-ca.ts';

/** What the API's listener presents to its clients. */
export interface TlsMaterial {
  cert: string;
  key: string;
  /** The file that clients are to trust; undefined for a certificate of the operator's own. */
  caFile: string | undefined;
  expiresAt: Date;
}

const CA_FILE = 'ca.pem';
const LOCK_TRIES = 200;
const LOCK_PAUSE_MS = 50;
const DAY_MS = 86_400_000;
const RENEW_BEFORE_MS = 30 * DAY_MS;

/**
 * The certificate and key for the API, or undefined when it speaks plain HTTP.
 * For `local` they are made in `dataDir/tls` on the first start and renewed a month before they expire; the authority stays the same.
 * @throws StartupError when files are missing, unreadable or do not belong together.
 */
export async function loadTls(mode: TlsMode, dataDir: string, now: Date): Promise<TlsMaterial | undefined> {
  switch (mode.kind) {
    case 'files':
      return await loadFiles(mode.cert, mode.key);
    case 'local':
      return await loadLocal(join(dataDir, 'tls'), now);
    case 'proxy':
    case 'insecure':
      return undefined;
  }
}

async function loadFiles(certFile: string, keyFile: string): Promise<TlsMaterial> {
  const cert = await readOwn('SENDSPEC_TLS_CERT', certFile);
  const key = await readOwn('SENDSPEC_TLS_KEY', keyFile);
  const certificate = parseCertificate(
    cert,
    () => new StartupError(`${certFile} is not a PEM certificate`, 'SENDSPEC_TLS_CERT must name one.'),
  );
  const privateKey = parseKey(
    key,
    () =>
      new StartupError(
        `${keyFile} is not a PEM private key without a passphrase`,
        'SENDSPEC_TLS_KEY must name one.',
      ),
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new StartupError(
      `${keyFile} is not the key of ${certFile}`,
      'Set SENDSPEC_TLS_CERT and SENDSPEC_TLS_KEY to files that belong together; the own certificate comes first in its chain.',
    );
  }
  return { cert, key, caFile: undefined, expiresAt: certificate.validToDate };
}

async function readOwn(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new StartupError(
      `cannot read ${path}: ${reasonOf(error)}`,
      `Set ${setting} to a file that can be read.`,
      {
        cause: error,
      },
    );
  }
}

async function loadLocal(folder: string, now: Date): Promise<TlsMaterial> {
  const found = await findLocal(folder, now);
  if (found.server !== undefined) return materialOf(folder, found.server);
  // Several processes may start in one folder at the same moment: one of them makes what the others then find.
  const unlock = await lockWhenFree(folder);
  try {
    return await makeLocal(folder, now);
  } finally {
    unlock();
  }
}

function filesOf(folder: string): { ca: PairFiles; server: PairFiles } {
  return {
    ca: { cert: join(folder, CA_FILE), key: join(folder, 'ca-key.pem') },
    server: { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') },
  };
}

function materialOf(folder: string, server: KeyedCertificate): TlsMaterial {
  const expiresAt = new X509Certificate(server.cert).validToDate;
  return { ...server, caFile: join(folder, CA_FILE), expiresAt };
}

/** What is there and will last for a while. */
async function findLocal(
  folder: string,
  now: Date,
): Promise<{ authority?: KeyedCertificate; server?: KeyedCertificate }> {
  const files = filesOf(folder);
  const soon = new Date(now.getTime() + RENEW_BEFORE_MS);
  const authority = await loadPair(files.ca, folder);
  if (authority === undefined || !isValidAt(authority, soon)) return {};
  const server = await loadPair(files.server, folder);
  const isUsable = server !== undefined && isValidAt(server, soon) && isIssuedBy(server, authority);
  return isUsable ? { authority, server } : { authority };
}

async function makeLocal(folder: string, now: Date): Promise<TlsMaterial> {
  const files = filesOf(folder);
  const found = await findLocal(folder, now);
  if (found.server !== undefined) return materialOf(folder, found.server);
  const authority = found.authority ?? (await (await localCa()).createAuthority(now));
  if (found.authority === undefined) await savePair(files.ca, authority);
  const server = await (await localCa()).createServerCertificate(authority, now);
  await savePair(files.server, server);
  return materialOf(folder, server);
}

async function lockWhenFree(folder: string): Promise<() => void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return lockFolder(folder);
    } catch (error) {
      if (tries === LOCK_TRIES || (error instanceof StartupError && error.cause !== undefined)) throw error;
      await delay(LOCK_PAUSE_MS);
    }
  }
}

/** Loaded only when something has to be made: most starts find their certificates. */
function localCa(): Promise<typeof import('./local-ca.ts')> {
  return import('./local-ca.ts');
}

interface PairFiles {
  cert: string;
  key: string;
}

/** Undefined when one of the two files is not there: then both are made. What is there and damaged is for a person to judge. */
async function loadPair(files: PairFiles, folder: string): Promise<KeyedCertificate | undefined> {
  const cert = await readIfPresent(files.cert);
  const key = await readIfPresent(files.key);
  if (cert === undefined || key === undefined) return undefined;
  const damaged = (path: string) => () =>
    new StartupError(
      `${path} is damaged`,
      `Delete the folder ${folder} to have new certificates made; clients then have to trust the new ca.pem.`,
    );
  const certificate = parseCertificate(cert, damaged(files.cert));
  const privateKey = parseKey(key, damaged(files.key));
  if (!certificate.checkPrivateKey(privateKey)) throw damaged(files.key)();
  return { cert, key };
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new StartupError(
      `cannot read ${path}: ${reasonOf(error)}`,
      'Give this user the right to read it.',
      {
        cause: error,
      },
    );
  }
}

async function savePair(files: PairFiles, pair: KeyedCertificate): Promise<void> {
  try {
    await mkdir(dirname(files.cert), { recursive: true });
    await replaceFile(files.key, pair.key, 0o600);
    await replaceFile(files.cert, pair.cert, 0o644);
  } catch (error) {
    throw new StartupError(
      `cannot write ${files.cert}: ${reasonOf(error)}`,
      'Set SENDSPEC_DATA_DIR to a folder that this user can write to.',
      { cause: error },
    );
  }
}

function parseCertificate(text: string, fault: () => StartupError): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch {
    throw fault();
  }
}

function parseKey(text: string, fault: () => StartupError): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    throw fault();
  }
}

function isValidAt({ cert }: KeyedCertificate, moment: Date): boolean {
  return new X509Certificate(cert).validToDate > moment;
}

function isIssuedBy({ cert }: KeyedCertificate, authority: KeyedCertificate): boolean {
  return new X509Certificate(cert).verify(new X509Certificate(authority.cert).publicKey);
}
