import { get } from 'node:https';
import { afterEach, expect, test } from 'vitest';
import { createAuthority, createServerCertificate } from '../../server/http/local-ca.ts';
import { type BrokenServerOptions, startBrokenServer } from './server.ts';
import { eventually, message, openReceiver, openStage, type Reply, type Stage } from './testing.ts';
import type { VariantId } from './variants.ts';

let stage: Stage | undefined;
afterEach(async () => await stage?.server.stop());

async function open(options: BrokenServerOptions): Promise<Stage> {
  stage = await openStage(options);
  return stage;
}

function withVariant(variant: VariantId): Promise<Stage> {
  return open({ variants: [variant] });
}

/** The message log, once a mail to the simulated reader of this kind has had its fate. */
async function settled({ call, send, server }: Stage, outcome: 'open' | 'hard_bounce'): Promise<Reply> {
  const to = [{ email: server.target.simulator[outcome] }];
  await send(message(server, { to, track_opens: true }));
  return await eventually(async () => {
    const log = await call('GET', '/v1/messages');
    return log.text.includes('"delivery_status":"new"') ? undefined : log;
  });
}

test('fields may be more, and in another order', async () => {
  const more = await withVariant('extra-fields');
  expect((await more.call('GET', '/v1/accounts')).text).toMatch(/"x_extra":.*"x_extra":/);
  await more.server.stop();
  const reversed = await withVariant('reversed-keys');
  const [account] = JSON.parse((await reversed.call('GET', '/v1/accounts')).text).data;
  expect(Object.keys(account)).toEqual(['type', 'status', 'name', 'account_id']);
});

test('a page may be smaller than its limit, or a large limit refused', async () => {
  const clamped = await withVariant('page-clamped-at-50');
  expect((await clamped.call('GET', '/v1/accounts?limit=51')).json.meta).toMatchObject({ limit: 50 });
  await clamped.server.stop();
  const refused = await withVariant('page-refused-above-50');
  expect((await refused.call('GET', '/v1/accounts?limit=51')).status).toBe(422);
  expect((await refused.call('GET', '/v1/accounts?limit=50')).status).toBe(200);
});

test('timestamps may end in Z, in lists, files and notifications', async () => {
  const zulu = await withVariant('z-timestamps');
  const { server, hook, call } = zulu;
  const receiver = await openReceiver();
  const account_id = server.target.tenants[0]?.accounts[0]?.account_id;
  await hook(server.target.hooks.set_webhook_url, { account_id, url: receiver.url });
  const log = await settled(zulu, 'hard_bounce');
  expect(log.text).toMatch(/"created_at":"[\dT:-]+\.\d{3}Z"/);
  expect((await call('GET', '/v1/messages/export')).text).not.toContain('+00:00');
  const notified = await eventually(() => receiver.received[0]);
  receiver.close();
  expect(notified.body).toMatch(/"received_at":"[\dT:-]+\.\d{3}Z"/);
});

test('counters may be text, and ids of manual suppressions empty text', async () => {
  const counting = await withVariant('counters-as-text');
  const stats = await counting.call('GET', '/v1/stats?period_from=2020-01-01&period_to=2100-01-01');
  expect(stats.text).toContain('"messages":"0"');
  await counting.server.stop();
  const { server, call } = await withVariant('empty-text-for-manual');
  const body = {
    account_id: server.target.tenants[0]?.accounts[0]?.account_id,
    recipient_email: 'ada@customer.test',
  };
  expect((await call('POST', '/v1/suppressions', { body })).text).toContain('"message_id":""');
});

test('a malformed id may be like one that does not exist', async () => {
  const { call } = await withVariant('malformed-id-409');
  expect((await call('GET', '/v1/accounts/x')).status).toBe(409);
  expect((await call('GET', '/v1/messages?account_ids[]=x')).status).toBe(409);
  expect((await call('POST', '/v1/accounts', { body: {} })).status).toBe(422);
});

test.each(['accepted-201', 'accepted-202'] as const)('an accepted batch may be %s', async (variant) => {
  const { send, server } = await withVariant(variant);
  expect((await send(message(server))).status).toBe(Number(variant.slice(-3)));
  expect((await send(message(server), {})).status).toBe(207);
});

test('headers may be others, and bodies compressed or in chunks', async () => {
  const charset = await withVariant('charset');
  expect((await charset.call('GET', '/v1/accounts')).headers.get('content-type')).toBe(
    'application/json; charset=utf-8',
  );
  await charset.server.stop();
  const silent = await withVariant('no-rate-limit-headers');
  expect((await silent.call('GET', '/v1/accounts')).headers.get('ratelimit-limit')).toBeNull();
  await silent.server.stop();
  const chunked = await withVariant('chunked');
  expect((await chunked.call('GET', '/v1/accounts')).headers.get('content-length')).toBeNull();
  await chunked.server.stop();
  const zipped = await withVariant('gzip');
  expect((await zipped.call('GET', '/v1/accounts')).headers.get('content-encoding')).toBe('gzip');
});

test('field errors may carry codes of the server’s own', async () => {
  const { call } = await withVariant('more-error-codes');
  expect((await call('POST', '/v1/accounts', { body: {} })).text).toContain('"OWN_RULE_7"');
});

test('more requests than the limit are 429, with the time to wait', async () => {
  const { call } = await open({ rateLimit: 3 });
  const statuses = [1, 2, 3, 4].map(() => call('GET', '/v1/accounts'));
  const [first, , , last] = await Promise.all(statuses);
  expect(first?.status).toBe(200);
  expect(last?.status).toBe(429);
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('the API may be below a path', async () => {
  const { call, server } = await withVariant('prefixed');
  expect(server.target.base_url).toMatch(/\/mail\/api$/);
  expect((await call('GET', '/v1/accounts')).status).toBe(200);
  const bare = await fetch(server.target.base_url.replace('/mail/api', '/v1/accounts'));
  expect(bare.status).toBe(404);
});

test('a reader may open twice, and counts once as unique', async () => {
  const twice = await withVariant('opens-repeat');
  await settled(twice, 'open');
  const path = '/v1/stats?period_from=2020-01-01&period_to=2100-01-01';
  const counted = await eventually(async () => {
    const { text } = await twice.call('GET', path);
    return text.includes('"open":2') ? text : undefined;
  });
  expect(counted).toContain('"unique_opens":1');
});

test('notifications may be unsigned, and of different messages overtake each other', async () => {
  const { server, hook, send } = await withVariant('unsigned');
  expect(server.target.webhooks.secret).toBeNull();
  const receiver = await openReceiver();
  const account_id = server.target.tenants[0]?.accounts[0]?.account_id;
  await hook(server.target.hooks.set_webhook_url, { account_id, url: receiver.url });
  await send(message(server));
  const notified = await eventually(() => receiver.received[0]);
  receiver.close();
  expect(Object.keys(notified.headers)).not.toContain('webhook-signature');
});

/** What a receiver gets of a message whose server varies so. */
async function notified(variant: VariantId, ...statuses: number[]) {
  const { server, hook, send, call } = await withVariant(variant);
  const receiver = await openReceiver(...statuses);
  const account_id = server.target.tenants[0]?.accounts[0]?.account_id;
  await hook(server.target.hooks.set_webhook_url, { account_id, url: receiver.url });
  const [{ message_id }] = JSON.parse((await send(message(server))).text).data;
  const typesInLog = async () => {
    const { data } = JSON.parse((await call('GET', `/v1/messages/${message_id}/events`)).text);
    return data.map(({ type }: { type: string }) => type);
  };
  return { ...receiver, typesInLog };
}

test('notifications may come late, and in other HTTP', async () => {
  const late = await notified('webhooks-late');
  await eventually(async () => ((await late.typesInLog()).includes('delivery') ? true : undefined));
  expect(late.received).toEqual([]);
  await stage?.server.stop();
  late.close();
  const other = await notified('webhooks-of-another-client');
  const { headers } = await eventually(() => other.received[0]);
  other.close();
  expect(headers).toMatchObject({ 'transfer-encoding': 'chunked', upgrade: 'h2c' });
  expect(headers['content-length']).toBeUndefined();
});

test('notifications may come before the log has their event, with ids that are no UUID', async () => {
  const early = await notified('events-late');
  await eventually(() => early.received[0]);
  expect(await early.typesInLog()).toEqual(['new']);
  await stage?.server.stop();
  early.close();
  const named = await notified('webhook-ids-of-its-own');
  const { headers } = await eventually(() => named.received[0]);
  named.close();
  expect(headers['webhook-id']).toMatch(/^msg_[0-9a-f]{32}$/);
});

test('notifications may come twice, under one id', async () => {
  const { server, hook, send } = await withVariant('webhooks-twice');
  const receiver = await openReceiver();
  const account_id = server.target.tenants[0]?.accounts[0]?.account_id;
  await hook(server.target.hooks.set_webhook_url, { account_id, url: receiver.url });
  await send(...Array.from({ length: 60 }, () => message(server)));
  const repeats = await eventually(() => {
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    return new Set(ids).size === 60 && ids.length > 60 ? ids.length - 60 : undefined;
  });
  receiver.close();
  expect(repeats).toBeLessThan(60);
});

test('HTTPS is served with the certificate that was given', async () => {
  const authority = await createAuthority(new Date());
  const { cert, key } = await createServerCertificate(authority, new Date());
  const server = await startBrokenServer({ tls: { cert, key, caFile: 'ca.pem' } });
  const status = await new Promise((resolve, reject) => {
    get(`${server.target.base_url}/v1/accounts`, { ca: authority.cert, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
  await server.stop();
  expect(status).toBe(401);
  expect(server.target.ca_file).toBe('ca.pem');
});
