import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { readDocument, webhooksOf } from '../document.ts';

// For tests: requests as the service makes them, signed by the library of the standard, and what somebody makes of them who
// is not the service.

/** A request to a receiver. */
export interface SentNotification {
  headers: Record<string, string>;
  body: string;
}

/** A secret in the form that the service shows. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The contract's example of an event, with text beyond ASCII in it, signed under each of the secrets. */
export async function notification(
  event: string,
  secrets: readonly string[],
  sentAt = new Date(),
): Promise<SentNotification> {
  const document = await readDocument(new URL('../../../generated/openapi.json', import.meta.url));
  const found = webhooksOf(document).find((one) => one.event === event);
  const body = JSON.stringify({ ...Object(found?.example), custom_id: 'größe-10042 ✓' });
  const id = 'msg_2nq8Vd6yKx0TbLw5RfCzPa1Hm4J';
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body));
  return {
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}

/** What a receiver must not believe, by what is wrong with it. */
export async function forgeries(secret: string): Promise<Record<string, SentNotification>> {
  const real = await notification('message.click', [secret]);
  const old = await notification('message.click', [secret], new Date(Date.now() - 3_600_000));
  const early = await notification('message.click', [secret], new Date(Date.now() + 3_600_000));
  const without = (name: string): SentNotification => ({
    ...real,
    headers: Object.fromEntries(Object.entries(real.headers).filter(([key]) => key !== name)),
  });
  const changed = (name: string, value: string): SentNotification => ({
    ...real,
    headers: { ...real.headers, [name]: value },
  });
  return {
    'another secret': await notification('message.click', [newSecret()]),
    'another body': { ...real, body: real.body.replace('ada@', 'eve@') },
    'another id': changed('webhook-id', 'msg_other'),
    'a new timestamp on an old signature': {
      ...old,
      headers: { ...old.headers, 'webhook-timestamp': real.headers['webhook-timestamp'] ?? '' },
    },
    'an old request': old,
    'a request from the future': early,
    'no signature': without('webhook-signature'),
    'an empty signature': changed('webhook-signature', ''),
    'a version without a signature': changed('webhook-signature', 'v1,'),
    'a signature of another version': changed(
      'webhook-signature',
      (real.headers['webhook-signature'] ?? '').replace('v1,', 'v2,'),
    ),
    'no timestamp': without('webhook-timestamp'),
    'a timestamp that is no number': changed('webhook-timestamp', 'now'),
    'no id': without('webhook-id'),
  };
}
