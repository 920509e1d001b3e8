import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const hashWithArgon2 = promisify(argon2);

// OWASP's parameters for argon2id where memory matters: 19 MiB, two passes, one lane.
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const HASH_BYTES = 32;
const SALT_BYTES = 16;
const SECRET_BYTES = 32;
const FAMILY_BYTES = 16;
const PREFIX_SHOWN = 16;

/** Hashes a password with argon2id, off the event loop; the result names its parameters (PHC string format). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt);
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(salt)}$${base64(hash)}`;
}

/**
 * Whether a password is the one behind a hash. Without a hash (nobody has the address) it takes as long and says no,
 * so that the time of a login does not tell which addresses exist.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, , , , salt = '', expected = ''] = (hash ?? '').split('$');
  const saltBytes = salt === '' ? randomBytes(SALT_BYTES) : Buffer.from(salt, 'base64');
  const actual = await derive(password, saltBytes);
  const expectedBytes = Buffer.from(expected, 'base64');
  return expectedBytes.length === actual.length && timingSafeEqual(expectedBytes, actual);
}

/** A new access token: 32 random bytes behind a prefix that secret scanners recognise. */
export function newAccessToken(): string {
  return newSecret('ss_at_', SECRET_BYTES);
}

/** A new password reset token. */
export function newResetToken(): string {
  return newSecret('ss_pr_', SECRET_BYTES);
}

/** A new API key, and the part of it that may be shown again. */
export function newApiKey(): { key: string; prefix: string } {
  const key = newSecret('ss_key_', SECRET_BYTES);
  return { key, prefix: key.slice(0, PREFIX_SHOWN) };
}

/**
 * A new secret of a webhook, in the form of Standard Webhooks: `whsec_` and 32 random bytes in Base64. It has to be read again to
 * sign, so unlike the others it is not kept as a hash.
 */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** A refresh token: a family that stays the same over its rotations, and a secret that does not. */
export interface RefreshToken {
  family: Buffer;
  secret: Buffer;
}

const REFRESH_PREFIX = 'ss_rt_';

/** A refresh token of a new family, or the next one of a family. */
export function newRefreshToken(family: Buffer = randomBytes(FAMILY_BYTES)): RefreshToken {
  return { family, secret: randomBytes(SECRET_BYTES) };
}

/** The refresh token as its holder sees it. */
export function formatRefreshToken({ family, secret }: RefreshToken): string {
  return REFRESH_PREFIX + Buffer.concat([family, secret]).toString('base64url');
}

/** Reads a refresh token; undefined when it cannot be one. */
export function parseRefreshToken(token: string): RefreshToken | undefined {
  if (!token.startsWith(REFRESH_PREFIX)) return undefined;
  const text = token.slice(REFRESH_PREFIX.length);
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== FAMILY_BYTES + SECRET_BYTES || bytes.toString('base64url') !== text) return undefined;
  return { family: bytes.subarray(0, FAMILY_BYTES), secret: bytes.subarray(FAMILY_BYTES) };
}

/** What is kept of a token or key: random enough that a plain hash cannot be searched. */
export function digest(secret: string | Buffer): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Whether two digests are the same, in a time that does not tell where they differ. */
export function sameDigest(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function newSecret(prefix: string, bytes: number): string {
  return prefix + randomBytes(bytes).toString('base64url');
}

function derive(password: string, nonce: Buffer): Promise<Buffer> {
  return hashWithArgon2('argon2id', {
    message: password,
    nonce,
    parallelism: LANES,
    tagLength: HASH_BYTES,
    memory: MEMORY_KIB,
    passes: PASSES,
  });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
