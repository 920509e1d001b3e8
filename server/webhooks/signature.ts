import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** What is signed. */
export interface Signable {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
}

/** Gives the value of `webhook-signature`: one signature for each secret (`whsec_` and Base64), separated by spaces. */
export type NotificationSigner = (content: Signable, secrets: readonly string[]) => string;

const PREFIX = 'whsec_';
const MOST_KEYS = 1_000;

/**
 * Creates a signer by Standard Webhooks (HMAC-SHA256 of `id.timestamp.body`; DECISIONS, notifications-signature). It keeps the keys of the
 * secrets that it used lately: making one costs ten times what signing does.
 */
export function createNotificationSigner(): NotificationSigner {
  const keys = new Map<string, KeyObject>();
  const keyOf = (secret: string) => {
    const known = keys.get(secret);
    if (known !== undefined) return known;
    const key = createSecretKey(secret.slice(PREFIX.length), 'base64');
    if (keys.size === MOST_KEYS) keys.clear();
    keys.set(secret, key);
    return key;
  };
  return ({ id, timestamp, body }, secrets) => {
    const content = `${id}.${timestamp}.${body}`;
    const sign = (secret: string) =>
      `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`;
    return secrets.map(sign).join(' ');
  };
}
