import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { runCli } from '../cli.ts';
import { plusMilliseconds } from '../domain/time.ts';
import { createTenant, type TestStore, type TestTenant } from '../store/testing.ts';
import { openTestOperator, type TestOperator } from './testing.ts';

// `sendspec webhooks tail` as an operator types it, against a real operations listener.

const HOUR_MS = 3_600_000;
const NOBODY = '019a0000-0000-7000-8000-000000000000';
const HOSTILE = '451 4.7.1 \u001b]0;owned\u0007\u202eLater\r\n  fake line';
const URL = 'https://shop.customer.test/hooks';

let operator: TestOperator;
let parts: TestStore;
let tenant: TestTenant;

beforeAll(async () => {
  operator = await openTestOperator();
  parts = operator.parts;
});
afterAll(async () => {
  expect(await operator.close()).toEqual([]);
});
beforeEach(async () => {
  tenant = await createTenant(parts.store, `o${randomUUIDv7()}.test`);
});

const type: TestOperator['type'] = (...args) => operator.type(...args);

/** A notification that is sent and recorded as the answer says. */
async function notify(webhookId: string, response: string): Promise<string> {
  const { account_id } = tenant.account;
  const made = await tenant.store.webhooks.test(account_id, webhookId, 'message.open');
  const heldUntil = plusMilliseconds(parts.clock.now(), HOUR_MS);
  const { taken } = await parts.store.notifications.take({
    limit: 10,
    rooms: [],
    roomOfOthers: 10,
    roomOfFailing: 10,
    heldUntil,
  });
  await parts.store.notifications.record(
    taken.map((due) => ({
      ...due,
      status: 'failed',
      nextAttemptAt: null,
      attempt: {
        attempted_at: parts.clock.now(),
        url: due.url,
        duration_ms: 12,
        status_code: 500,
        result: 'rejected',
        response,
      },
    })),
  );
  return made.notification_id;
}

const hook = async () =>
  (await tenant.store.webhooks.create(tenant.account.account_id, { url: URL, events: ['message.open'] }))
    .webhook_id;

/** Runs the command until it has printed so many lines, and ends it as Ctrl-C does. */
async function watch(args: string[], lines: number, happening: () => Promise<unknown>): Promise<string[]> {
  let out = '';
  const before = process.listenerCount('SIGINT');
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    out += String(chunk);
    return true;
  });
  const polled = vi.spyOn(parts.store.notifications, 'attemptsSince');
  try {
    const ended = runCli(['webhooks', 'tail', ...args], operator.env);
    await vi.waitUntil(() => polled.mock.calls.length > 0, { timeout: 60_000 });
    await happening();
    await vi.waitUntil(() => out.split('\n').length > lines, { timeout: 60_000 });
    const rounds = polled.mock.calls.length;
    // Two looks more, which read the same part of the past again.
    await vi.waitUntil(() => polled.mock.calls.length > rounds + 2, { timeout: 60_000 });
    process.emit('SIGINT');
    expect(await ended).toBe(0);
    expect(process.listenerCount('SIGINT')).toBe(before);
    return out.trimEnd().split('\n');
  } finally {
    write.mockRestore();
    polled.mockRestore();
  }
}

test('prints each attempt once, on one line, whatever the other side wrote, until Ctrl-C', async () => {
  const webhook = await hook();
  await notify(webhook, 'before the command began');
  const lines = await watch([], 2, async () => {
    await notify(webhook, HOSTILE);
    await notify(webhook, '\u009b31m\u2028bye');
  });
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}Mail {2}message\.open {2}failed {2}rejected {2}500 {2}12 ms {2}https:\/\/shop\.customer\.test\/hooks {2}451 4\.7\.1 {2}\]0;owned Later {3}fake line$/,
  );
  expect(lines[1]).toMatch(/31m bye$/);
  expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
});

test('of one account, as lines of JSON', async () => {
  const other = tenant;
  const others = await hook();
  tenant = await createTenant(parts.store, `t${randomUUIDv7()}.test`);
  const webhook = await hook();
  const invisible = `${HOSTILE}\u{e0041}`;
  let id = '';
  const lines = await watch([tenant.account.account_id, '--json'], 1, async () => {
    const mine = tenant;
    tenant = other;
    await notify(others, 'of somebody else');
    tenant = mine;
    id = await notify(webhook, invisible);
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    account_id: tenant.account.account_id,
    notification_id: id,
    attempt: { response: invisible },
  });
});

test.each([
  [['webhooks'], 2, 'tail'],
  [['webhooks', 'tail', NOBODY, NOBODY], 2, 'one account'],
  [['webhooks', 'tail', '--follow'], 2, '--follow'],
  [['webhooks', 'tail', NOBODY], 1, `There is no account ${NOBODY}`],
  [['webhooks', 'tail', '\u001b[31m'], 1, 'UUID'],
])('%j is refused in plain words', async (args, code, said) => {
  const answer = await type(...args);
  expect(answer).toMatchObject({ code, err: expect.stringContaining(said) });
  expect(answer.err).not.toContain('\u001b');
});

test('says so when no service answers', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(await runCli(['webhooks', 'tail'], { SENDSPEC_OPS_PORT: '9' })).toBe(1);
  expect(error.mock.calls.join()).toMatch(/No service answers .* Start the service first/);
  error.mockRestore();
});
