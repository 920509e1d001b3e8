import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openResolver } from '../dns/resolver.ts';
import { createTenant, openTestStore, type TestStore, type TestTenant } from '../store/testing.ts';
import { eventually } from '../testing.ts';
import { attempt } from './attempt.ts';
import { startDispatcher } from './dispatcher.ts';
import { createGuardedConnector } from './guard.ts';
import { openLine } from './http-sender.ts';
import { createNameLookup } from './name-lookup.ts';
import { createNotificationSigner } from './signature.ts';
import { startReceiver } from './testing.ts';

// More endpoints hang than there are places, each with more waiting than it is given. They are given so long to answer that
// nothing would come through if it had to wait for them.

const HANGING = 260;
const EACH = 8;
const FOREVER = { answerMs: 3_600_000, bodyMs: 1_000 };
const undos: (() => unknown)[] = [];
let parts: TestStore;
let tenant: TestTenant;

beforeEach(async () => {
  parts = await openTestStore();
  undos.push(() => parts.close());
  tenant = await createTenant(parts.store);
});
afterEach(async () => {
  for (const undo of undos.splice(0).reverse()) await undo();
});

test('hundreds of endpoints that hang delay no other', async () => {
  const hanging = await receiver(() => {});
  const good = await receiver();
  await hooks(hanging.url, HANGING, EACH);
  start();
  await eventually(() => hanging.received.length >= HANGING);
  await hooks(good.url, 1, 20);
  await eventually(() => good.received.length === 20);
  expect(hanging.received).toHaveLength(HANGING);
});

async function receiver(...parameters: Parameters<typeof startReceiver>) {
  const started = await startReceiver(...parameters);
  undos.push(started.close);
  return started;
}

function start(): void {
  const lookup = createNameLookup(openResolver(), true);
  const connect = createGuardedConnector({ lookup, allowPrivate: true, timeoutMs: FOREVER.answerMs });
  const attemptParts = {
    clock: parts.clock,
    faultIn: () => undefined,
    sign: createNotificationSigner(),
    userAgent: 'sendspec',
  };
  const dispatcher = startDispatcher({
    store: parts.store.notifications,
    clock: parts.clock,
    attempt: (due, line) => attempt(due, line, attemptParts),
    openLine: () => openLine({ connect, limits: FOREVER }),
    observer: { attemptFinished() {}, statusChanged() {}, fault() {} },
  });
  undos.push(() => dispatcher.stop(0));
}

/** So many webhooks that lead to this URL, each with so many notifications. */
async function hooks(url: string, count: number, notifications: number): Promise<void> {
  const now = parts.clock.now();
  await sql`
    with made as (
      insert into webhooks (
        webhook_id, organisation_id, account_id, url, events, status, secrets, status_changes, created_at, updated_at
      )
      select gen_random_uuid(), ${tenant.organisationId}, ${tenant.account.account_id}, ${url}, '{message.open}', 'enabled',
        '[{"secret": "whsec_c2VjcmV0", "expires_at": null}]', '[]', ${now}, ${now}
      from generate_series(1, ${count}::int)
      returning webhook_id, organisation_id
    )
    insert into webhook_deliveries (
      webhook_id, organisation_id, notification_id, event, message_id, payload, created_at, next_attempt_at
    )
    select webhook_id, organisation_id, gen_random_uuid(), 'message.open', gen_random_uuid(), '{}', ${now}, ${now}
    from made, generate_series(1, ${notifications}::int)`.execute(parts.database.db);
}
