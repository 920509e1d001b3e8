import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { payloadOf } from '../../server/domain/webhooks.ts';
import { type BenchTenant, openBenchStore } from '../tenant.ts';

const POLL_MS = 10;

/** A webhook of the tenant's first account. */
export interface BenchWebhook {
  webhookId: string;
  organisationId: string;
}

/** Registers webhooks at these URLs, as a customer does. */
export async function registerWebhooks(
  databaseUrl: string,
  tenant: BenchTenant,
  urls: readonly string[],
): Promise<BenchWebhook[]> {
  const { store, close } = await openBenchStore(databaseUrl);
  try {
    const caller = await store.authentication.byToken(tenant.token);
    if (caller === undefined) throw new Error('the token of the demo organisation is not known');
    const { organisationId } = caller;
    const accountId = tenant.accounts[0]?.account_id ?? '';
    const webhooks: BenchWebhook[] = [];
    for (const url of urls) {
      const { webhooks: of } = store.forOrganisation(organisationId);
      const { webhook_id } = await of.create(accountId, { url, events: ['message.delivery'] });
      webhooks.push({ webhookId: webhook_id, organisationId });
    }
    return webhooks;
  } finally {
    await close();
  }
}

/** Bodies as the service sends them, each about another message. */
export function payloads(tenant: BenchTenant, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const message = {
      account_id: tenant.accounts[0]?.account_id ?? '',
      custom_id: `order-${index}`,
      from_email: tenant.from_email,
      message_id: randomUUIDv7(),
      recipient_email: `recipient-${index}@customer.test`,
    };
    const receivedAt = '2026-03-14T09:26:53.480935+00:00';
    const event = { eventId: '', messageId: message.message_id, receivedAt, smtpResponse: '', smtpLogId: '' };
    return JSON.stringify(payloadOf({ ...event, type: 'delivery' }, message));
  });
}

/** Writes notifications as the recording of their events does, all due at once. */
export async function makePending(
  client: pg.Client,
  { webhookId, organisationId }: BenchWebhook,
  bodies: readonly string[],
): Promise<void> {
  await client.query(
    `insert into webhook_deliveries (
       webhook_id, organisation_id, notification_id, event, message_id, payload, created_at, next_attempt_at
     )
     select $1, $2, gen_random_uuid(), body::jsonb->>'event', (body::jsonb->>'message_id')::uuid, body, now(), now()
     from unnest($3::text[]) as body`,
    [webhookId, organisationId, bodies],
  );
}

/** Waits until nothing is pending for these webhooks. */
export async function untilSent(client: pg.Client, webhooks: readonly BenchWebhook[]): Promise<void> {
  const ids = webhooks.map(({ webhookId }) => webhookId);
  for (;;) {
    const { rows } = await client.query<{ pending: boolean }>(
      `select exists (select from webhook_deliveries where webhook_id = any($1::uuid[]) and status = 'pending') as pending`,
      [ids],
    );
    if (rows[0]?.pending === false) return;
    await wait(POLL_MS);
  }
}
