import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually, startApi, type TestApi, type TestTenant, type TestUser } from '../testing.ts';
import { type Answering, type Received, type Receiver, startReceiver } from './testing.ts';

// Through the front door: messages are sent, the sandbox delivers them, and receivers on loopback are notified.

type Client = TestUser['client'];
interface Hook extends Receiver {
  webhook_id: string;
  secret: string;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LONGER_BY_JITTER = 1.1;
const PAUSES = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY];
/** Several looks of the dispatcher, in which nothing must happen. */
const A_WHILE_MS = 700;
const undos: (() => unknown)[] = [];
let api: TestApi;
let tenant: TestTenant;
let client: Client;
let account: TestTenant['account'];

beforeAll(async () => {
  api = await startApi();
  tenant = await api.createTenant();
  ({ client, account } = tenant);
});
afterAll(() => api.close());
afterEach(async () => {
  for (const undo of undos.splice(0).reverse()) await undo();
});

/** A receiver, and a webhook that leads to it. */
async function hook(answer?: Answering): Promise<Hook> {
  const receiver = await startReceiver(answer);
  const path = { account_id: account.account_id };
  const { data } = await client.createWebhook({ path, body: { url: receiver.url } });
  undos.push(async () => {
    await client.deleteWebhook({ path: pathOf(data) });
    await receiver.close();
  });
  return { ...receiver, webhook_id: data.webhook_id, secret: data.secret };
}

const pathOf = ({ webhook_id }: { webhook_id: string }) => ({ account_id: account.account_id, webhook_id });
const stateOf = async (of: Hook) => (await client.getWebhook({ path: pathOf(of) })).data;
const logOf = async (of: Hook) => (await client.listWebhookDeliveries({ path: pathOf(of) })).data;
const idsOf = (received: readonly Received[]) => received.map(({ headers }) => headers['webhook-id']);
const customIdsOf = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body).custom_id);

/** Sends a message, whose delivery is what webhooks are told of. */
async function send(custom_id: string, to = 'ada@customer.test'): Promise<string> {
  const message = {
    from: { email: 'a@demo.test' },
    to: [{ email: to }],
    subject: 'Hi',
    body: { text: 'Hi' },
  };
  const { data } = await client.sendEmail({ body: [{ ...message, custom_id }] });
  return data[0]?.message_id ?? '';
}

/** Moves the service's time; the session would be too old afterwards. */
async function advance(seconds: number): Promise<void> {
  await api.advance(seconds);
  ({ client } = await api.signIn(tenant.owner, account));
}

function answeringWith(status: number, headers: Record<string, string> = {}): Answering {
  return (_request, response) => response.writeHead(status, headers).end('no');
}

describe('a notification', () => {
  test('arrives with a signature that Standard Webhooks verifies, and stands in the log', async () => {
    const target = await hook();
    const message_id = await send('signed');
    const request = await eventually(() => target.received[0]);
    expect(new Verifier(target.secret).verify(request.body, headersOf(request))).toMatchObject({
      event: 'message.delivery',
      custom_id: 'signed',
      message_id,
    });
    expect(request).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(request.headers['user-agent']).toMatch(/^sendspec\/\d/);
    const entry = await eventually(async () =>
      (await logOf(target)).find((one) => one.status === 'delivered'),
    );
    expect(entry).toMatchObject({
      notification_id: request.headers['webhook-id'],
      payload: JSON.parse(request.body),
      next_attempt_at: null,
      attempts: [{ url: target.url, status_code: 200, result: 'delivered', response: 'ok' }],
    });
  });

  test('is signed with the old and the new secret while both are valid', async () => {
    const target = await hook();
    const { data: rotated } = await client.rotateWebhookSecret({
      path: pathOf(target),
      body: { overlap_seconds: HOUR },
    });
    const verifiedWith = async (custom_id: string) => {
      const seen = target.received.length;
      await send(custom_id);
      const request = await eventually(() => target.received[seen]);
      return [target.secret, rotated.secret].map((secret) => isGenuine(request, secret));
    };
    expect(await verifiedWith('in between')).toEqual([true, true]);
    await advance(HOUR + 1);
    expect(await verifiedWith('afterwards')).toEqual([false, true]);
  });

  test('that would break the contract is not sent, told to the operator, and ends', async () => {
    const target = await hook();
    await client.updateWebhook({ path: pathOf(target), body: { status: 'disabled' } });
    await send('broken');
    await eventually(async () => (await logOf(target)).length === 1);
    await sql`
      update webhook_deliveries set payload = replace(payload, 'received_at', 'recieved_at')
      where webhook_id = ${target.webhook_id}`.execute(api.database.db);
    await client.updateWebhook({ path: pathOf(target), body: { status: 'enabled' } });
    await eventually(async () => {
      const { rows } = await sql<{ status: string; result: string }>`
        select status, attempts->0->>'result' as result from webhook_deliveries
        where webhook_id = ${target.webhook_id}`.execute(api.database.db);
      return rows[0]?.status === 'failed' && rows[0].result === 'invalid_payload';
    });
    expect(JSON.stringify(api.takeFaults())).toContain('received_at');
    expect(target.received).toEqual([]);
    expect(await stateOf(target)).toMatchObject({ status: 'enabled', failing_since: null });
  });
});

describe('what comes of an attempt', () => {
  test.each([
    [204, 'delivered', 'delivered'],
    [302, 'redirected', 'pending'],
    [404, 'rejected', 'pending'],
    [500, 'rejected', 'pending'],
  ])('%i is %s', async (status, result, standing) => {
    const elsewhere = await startReceiver();
    undos.push(elsewhere.close);
    const target = await hook(answeringWith(status, { location: elsewhere.url }));
    await send(`status ${status}`);
    const entry = await eventually(async () => (await logOf(target)).find((one) => one.attempts.length > 0));
    expect(entry).toMatchObject({ status: standing, attempts: [{ status_code: status, result }] });
    expect(elsewhere.received).toEqual([]);
  });

  test('nothing listens', async () => {
    const target = await hook();
    await target.close();
    await send('closed');
    const entry = await eventually(async () => (await logOf(target)).find((one) => one.attempts.length > 0));
    expect(entry.attempts).toMatchObject([{ status_code: null, result: 'unreachable' }]);
    expect(entry.attempts[0]?.response).toContain('refused');
    undos.pop();
    await client.deleteWebhook({ path: pathOf(target) });
  });

  test('hostile bytes in the answer do no harm', async () => {
    const target = await hook((_request, response) =>
      response.writeHead(500).end(Buffer.from(`${'a\0b\u001b[31m\u202e'.repeat(500)}\xff`, 'latin1')),
    );
    await send('hostile');
    const entry = await eventually(async () => (await logOf(target)).find((one) => one.attempts.length > 0));
    expect(entry.attempts[0]?.response).toMatch(/^a b/);
    expect(entry.attempts[0]?.response).not.toMatch(/\p{Cc}/u);
  });

  test('the whole schedule passes, with the same id, and then it has failed', async () => {
    const target = await hook(answeringWith(500));
    await send('unlucky');
    const attempts = async (count: number) =>
      await eventually(async () => {
        const [entry] = await logOf(target);
        return entry?.attempts.length === count ? entry : undefined;
      });
    for (const [index, pause] of PAUSES.entries()) {
      const { status, next_attempt_at } = await attempts(index + 1);
      expect([status, next_attempt_at]).toEqual(['pending', expect.any(String)]);
      await advance(Math.ceil(pause * LONGER_BY_JITTER));
    }
    expect(await attempts(PAUSES.length + 1)).toMatchObject({ status: 'failed', next_attempt_at: null });
    expect(new Set(idsOf(target.received)).size).toBe(1);
    expect(target.received).toHaveLength(PAUSES.length + 1);
    await advance(2 * DAY);
    await delay(A_WHILE_MS);
    expect(target.received).toHaveLength(PAUSES.length + 1);
  });

  test('Retry-After holds back everything for that endpoint', async () => {
    let status = 429;
    const target = await hook((request, response) =>
      answeringWith(status, { 'retry-after': String(2 * HOUR) })(request, response),
    );
    await send('first');
    await eventually(async () => (await logOf(target))[0]?.attempts.length === 1);
    status = 200;
    await send('second');
    await advance(HOUR);
    await delay(A_WHILE_MS);
    expect(customIdsOf(target.received)).toEqual(['first']);
    await advance(HOUR + 1);
    await eventually(() => target.received.length === 3);
    expect(customIdsOf(target.received).slice(1).sort()).toEqual(['first', 'second']);
  });
});

describe('a webhook is disabled', () => {
  test('by 410, and a test that arrives enables it again: then comes what was held', async () => {
    let status = 410;
    const target = await hook((request, response) => answeringWith(status)(request, response));
    await send('gone');
    const disabled = await eventually(async () => {
      const state = await stateOf(target);
      return state.status === 'disabled' ? state : undefined;
    });
    expect(disabled.status_changes[0]).toMatchObject({ status: 'disabled', reason: 'gone' });
    await send('held');
    await eventually(async () => (await logOf(target)).length === 2);
    await advance(HOUR);
    await delay(A_WHILE_MS);
    expect(customIdsOf(target.received)).toEqual(['gone']);
    status = 200;
    await client.testWebhook({ path: pathOf(target), body: { event: 'message.click' } });
    await eventually(() => target.received.length === 4);
    expect(customIdsOf(target.received).sort()).toEqual(['gone', 'gone', 'held', 'test']);
    expect(await stateOf(target)).toMatchObject({
      status: 'enabled',
      status_changes: [{ reason: 'recovered' }, {}, {}],
    });
  });

  test('by five days of failure; once it is enabled everything of its last days comes, the rest by a replay', async () => {
    let status = 500;
    const target = await hook((request, response) => answeringWith(status)(request, response));
    await send('old');
    await eventually(async () => (await stateOf(target)).failing_since !== null);
    await advance(5 * DAY);
    await eventually(async () => (await stateOf(target)).status === 'disabled');
    expect((await stateOf(target)).status_changes[0]).toMatchObject({ reason: 'failing' });
    await send('held 1');
    await send('held 2');
    await eventually(async () => (await logOf(target)).length === 3);
    status = 200;
    const refused = target.received.length;
    await client.updateWebhook({ path: pathOf(target), body: { status: 'enabled' } });
    await eventually(() => target.received.length === refused + 2);
    expect(customIdsOf(target.received).slice(refused).sort()).toEqual(['held 1', 'held 2']);
    const old = (await logOf(target)).at(-1);
    expect(old).toMatchObject({ status: 'failed', payload: { custom_id: 'old' } });
    const notification_id = old?.notification_id ?? '';
    await client.replayWebhook({ path: pathOf(target), body: { notification_id } });
    await eventually(() => target.received.length === refused + 3);
    expect(idsOf(target.received).at(-1)).toBe(notification_id);
  });
});

test('a test is tried once', async () => {
  const target = await hook(answeringWith(503));
  await client.testWebhook({ path: pathOf(target), body: { event: 'message.open' } });
  const entry = await eventually(async () => (await logOf(target)).find((one) => one.attempts.length > 0));
  expect(entry).toMatchObject({ is_test: true, status: 'failed', next_attempt_at: null });
  await advance(DAY);
  await delay(A_WHILE_MS);
  expect(target.received).toHaveLength(1);
});

test('an endpoint that hangs delays no other', async () => {
  const hanging = await hook(() => {});
  const good = await hook();
  const ids = Array.from({ length: 60 }, (_, index) => `beside ${index}`);
  await Promise.all(ids.map((id) => send(id)));
  await eventually(() => good.received.length === ids.length);
  expect(customIdsOf(good.received).sort()).toEqual([...ids].sort());
  // None of its requests is over, and those are all that there are.
  expect((await logOf(hanging)).flatMap(({ attempts }) => attempts)).toEqual([]);
  expect(hanging.received.length).toBeLessThanOrEqual(8);
});

function headersOf({ headers }: Received): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function isGenuine(request: Received, secret: string): boolean {
  try {
    new Verifier(secret).verify(request.body, headersOf(request));
    return true;
  } catch {
    return false;
  }
}
