import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Delivery } from '../../suite/receiver.ts';

/** Whether one of a request's signatures fits its id, its time and its body under the secret (Standard Webhooks). */
export function isSignedWith(secret: string, { headers, text }: Delivery): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  const given = (headers['webhook-signature'] ?? '').split(' ').filter((one) => one.startsWith('v1,'));
  return keysOf(secret).some((key) => {
    const right = createHmac('sha256', key).update(signed).digest();
    return given.some((one) => isEqual(Buffer.from(one.slice('v1,'.length), 'base64'), right));
  });
}

/** A secret is Base64 after `whsec_` in Standard Webhooks; where it is not, the text itself may be the key. */
function keysOf(secret: string): readonly Buffer[] {
  const text = secret.replace(/^whsec_/, '');
  return [Buffer.from(text, 'base64'), Buffer.from(text), Buffer.from(secret)];
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
