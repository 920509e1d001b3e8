import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Delivery } from '../../suite/receiver.ts';

const PREFIX = 'whsec_';

/** Whether one of a request's signatures fits its id, its time and its body under the secret (Standard Webhooks). */
export function isSignedWith(secret: string, { headers, text }: Delivery): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  const given = (headers['webhook-signature'] ?? '').split(' ').filter((one) => one.startsWith('v1,'));
  return keysOf(secret).some((key) => {
    const right = createHmac('sha256', key).update(signed).digest();
    return given.some((one) => isEqual(Buffer.from(one.slice('v1,'.length), 'base64'), right));
  });
}

/** After `whsec_` stands the key in Base64 (Standard Webhooks); a secret of another form may be the key itself. */
function keysOf(secret: string): readonly Buffer[] {
  if (secret.startsWith(PREFIX)) return [Buffer.from(secret.slice(PREFIX.length), 'base64')];
  return [Buffer.from(secret, 'base64'), Buffer.from(secret)];
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
