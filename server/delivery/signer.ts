import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { SigningKey } from '../store/delivery-rows.ts';
import { type DkimIdentity, signMail } from './dkim.ts';
import { createRecent } from './recent.ts';

/** Signs a mail with the key of this id. Rejects with KeyUnusable when there is none, or it is damaged; and when the store fails. */
export type Signer = (raw: Buffer, dkimKeyId: string) => Promise<Buffer>;

/** What should be a key of a domain is none: trying again soon is of no use, somebody has to see to it. */
export class KeyUnusable extends Error {}

// Parsing a key takes as long as a signature; an installation sends from few domains at a time.
const MOST_KEYS = 1000;

/** A signer that reads each key once and keeps those that were used last. A key never changes: a new one has another id. */
export function createSigner(
  read: (dkimKeyId: string) => Promise<SigningKey | undefined>,
  mostKeys = MOST_KEYS,
): Signer {
  const kept = createRecent<string, Promise<DkimIdentity>>(mostKeys);

  async function parse(id: string): Promise<DkimIdentity> {
    const found = await read(id);
    if (found === undefined) throw new KeyUnusable(`There is no DKIM key ${id}.`);
    const { domain, selector, privateKey } = found;
    return { domain, selector, key: keyOf(privateKey, id) };
  }

  function identityOf(id: string): Promise<DkimIdentity> {
    const known = kept.get(id);
    if (known !== undefined) return known;
    const identity = parse(id);
    kept.set(id, identity);
    identity.catch(() => kept.delete(id));
    return identity;
  }

  return async (raw, id) => signMail(raw, await identityOf(id));
}

function keyOf(pem: string, id: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new KeyUnusable(`The DKIM key ${id} in the database is damaged.`, { cause });
  }
}
