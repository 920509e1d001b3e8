import { createHmac, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import {
  verifyWebhook,
  type WebhookPayload,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './verify.ts';

// Notifications as the service signs them, for the tests of the helper for receivers.

export const secret = `whsec_${randomBytes(32).toString('base64')}`;
export const otherSecret = `whsec_${randomBytes(32).toString('base64')}`;
export const id = 'msg_2nq8Vd6yKx0TbLw5RfCzPa1Hm4J';

export const common = {
  account_id: '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3',
  custom_id: 'order-10042',
  from_email: 'hello@demo.test',
  message_id: '1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812',
  received_at: '2026-03-14T09:31:07.004512+00:00',
  recipient_email: 'ada@customer.test',
};
const visit = { user_agent: 'Mozilla/5.0 (Ünïcode 😀)', user_ip: '203.0.113.24' };
export const payloads: readonly WebhookPayload[] = [
  { ...common, event: 'message.delivery' },
  { ...common, event: 'message.hard_bounce' },
  { ...common, event: 'message.soft_bounce' },
  { ...common, event: 'message.spam_complaint' },
  { ...common, event: 'message.unsubscribe', list_id: 'orders.demo.test' },
  { ...common, event: 'message.open', ...visit },
  { ...common, event: 'message.click', ...visit, tracking_url_destination: 'https://demo.test/?a=1&b=2' },
];
export const body = JSON.stringify(payloads[0]);
export const now = (): number => Math.floor(Date.now() / 1000);

/** The signature by Node's own HMAC: nothing of the code under test has a part in it. */
export function signatureOf(signed: string | Uint8Array, timestamp: number | string, key = secret): string {
  const hmac = createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'));
  return `v1,${hmac.update(`${id}.${timestamp}.`).update(signed).digest('base64')}`;
}

export function headersFor(signed: string | Uint8Array, timestamp: number | string = now(), key = secret) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(signed, timestamp, key),
  };
}

/** What the error says, after making sure that there is one and that it keeps the secrets. */
export function refusal(...input: Parameters<typeof verifyWebhook>): WebhookVerificationError {
  try {
    verifyWebhook(...input);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    expect(error.message).not.toContain(secret.slice(6));
    return error;
  }
  throw new Error('It was accepted.');
}

export const reasonOf = (...input: Parameters<typeof verifyWebhook>): WebhookVerificationReason =>
  refusal(...input).reason;
