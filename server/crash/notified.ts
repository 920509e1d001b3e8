import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { createClient } from '../../generated/client.ts';
import type { TargetTenant } from '../sandbox/target.ts';
import type { Finding } from './audit.ts';
import type { Receiver } from './receiver.ts';

// The webhooks of the accounts, as their customer uses them, and what must hold of what they were told.

/** A customer of the API. */
export interface Customer {
  apiUrl: string;
  tenant: TargetTenant;
}

const ALWAYS = '2000-01-01';
const POLL_MS = 500;

/** Registers the receiver for every event of every account. */
export async function registerWebhooks(customer: Customer, receiver: Receiver): Promise<void> {
  const client = await signIn(customer);
  for (const { account_id } of customer.tenant.accounts) {
    const url = `http://127.0.0.1:${receiver.port}/${account_id}`;
    await client.createWebhook({ path: { account_id }, body: { url } });
  }
}

/**
 * Has everything that waits for a later attempt sent now, as customers do whose receiver is well again; then waits until nothing
 * is left. False when nothing gets less any more.
 */
export async function catchUp(
  customer: Customer,
  client: pg.Client,
  longestStandstillMs: number,
): Promise<boolean> {
  await replayPending(customer);
  let last = { left: Number.POSITIVE_INFINITY, at: Date.now() };
  for (;;) {
    const { rows } = await client.query<{ left: number }>(
      "select count(*)::int as left from webhook_deliveries where status <> 'delivered'",
    );
    const left = rows[0]?.left ?? 0;
    if (left === 0) return true;
    if (left < last.left) last = { left, at: Date.now() };
    if (Date.now() - last.at > longestStandstillMs) return false;
    await wait(POLL_MS);
  }
}

/** Every event but `new` has come at least once, under its own id, and nothing else has come. */
export async function auditNotified(client: pg.Client, receiver: Receiver): Promise<Finding[]> {
  const { rows } = await client.query<{ event_id: string; message_id: string; type: string }>(
    "select event_id, message_id, type from message_events where type <> 'new'",
  );
  const events = new Map(rows.map((row) => [row.event_id, row]));
  const isOf = (id: string, body: string) => {
    const { message_id, event } = JSON.parse(body);
    const row = events.get(id);
    return row?.message_id === message_id && `message.${row?.type}` === event;
  };
  return [
    listed(
      'events never arrived at the receiver',
      [...events.keys()].filter((id) => !receiver.arrivals.has(id)),
    ),
    listed(
      'notifications were of no event',
      [...receiver.arrivals.keys()].filter((id) => !events.has(id)),
    ),
    listed(
      'notifications came under the id of another event',
      [...receiver.arrivals].filter(([id, { body }]) => events.has(id) && !isOf(id, body)).map(([id]) => id),
    ),
    listed('notifications were not the same when they came again', receiver.contradictions),
  ].filter(({ count }) => count > 0);
}

async function replayPending(customer: Customer): Promise<void> {
  const client = await signIn(customer);
  for (const { account_id } of customer.tenant.accounts) {
    const { data: webhooks } = await client.listWebhooks({ path: { account_id } });
    for (const { webhook_id } of webhooks) {
      const selection = { period_from: ALWAYS, statuses: ['pending' as const, 'failed' as const] };
      for (let remaining = 1; remaining > 0; ) {
        const { data } = await client.replayWebhook({ path: { account_id, webhook_id }, body: selection });
        remaining = data.remaining;
      }
    }
  }
}

async function signIn({ apiUrl, tenant: { email, password } }: Customer) {
  const login = { email, password, grant_type: 'password' } as const;
  const { data } = await createClient({ baseUrl: apiUrl }).login({ body: login });
  return createClient({ baseUrl: apiUrl, accessToken: data.access_token });
}

function listed(what: string, examples: readonly string[]): Finding {
  return { what, count: examples.length, examples: examples.slice(0, 3) };
}
