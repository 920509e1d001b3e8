import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);
const KEY_BITS = 2048;

/** A new DKIM key: the private one in PEM, the public one as a DNS record's `p=` wants it (base64 DER). Takes a good part of a second. */
export async function newDkimKey(): Promise<{ privateKey: string; publicKey: string }> {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: KEY_BITS });
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}
