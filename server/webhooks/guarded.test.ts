import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type DnsZone, startDnsServer } from '../testing/dns-server.ts';
import { eventually, startApi, type TestApi, type TestTenant } from '../testing.ts';
import { type Listening, startRawReceiver } from './testing.ts';

// Through the front door, where the operator does not allow private addresses: names are public to look at, and lead inside.

// On loopback there is no public address. Where one is needed, this one is taken for one; nothing listens there, only at 127.0.0.1.
const TAKEN_FOR_PUBLIC = '127.0.0.2';
vi.mock('../domain/public-address.ts', async (importOriginal) => {
  const { isPublicAddress } = await importOriginal<typeof import('../domain/public-address.ts')>();
  return { isPublicAddress: (address: string) => address === TAKEN_FOR_PUBLIC || isPublicAddress(address) };
});

const zone: DnsZone = {};
let dns: { address: string; close(): void };
let api: TestApi;
let tenant: TestTenant;
let receiver: Listening;
/** Connections that got to the receiver: their TLS handshake is enough. */
let intrusions = 0;

beforeAll(async () => {
  dns = await startDnsServer(zone);
  receiver = await startRawReceiver(() => {
    intrusions += 1;
  });
  api = await startApi({ SENDSPEC_WEBHOOK_ALLOW_PRIVATE: '0', SENDSPEC_DNS_SERVERS: dns.address });
  tenant = await api.createTenant();
});
afterAll(async () => {
  await api.close();
  await receiver.close();
  dns.close();
});

test.each([
  ['this machine', [{ a: '127.0.0.1' }], 'forbidden_address', 'not public (127.0.0.1)'],
  ['this machine by IPv6', [{ aaaa: '::1' }], 'forbidden_address', 'not public (::1)'],
  ['IPv4 inside IPv6', [{ aaaa: '::ffff:7f00:1' }], 'forbidden_address', 'not public'],
  ['the metadata of a cloud', [{ a: '169.254.169.254' }], 'forbidden_address', 'not public'],
  ['nowhere', 'SERVFAIL', 'unreachable', 'has no address in the DNS (server failure)'],
] as [string, DnsZone[string], string, string][])(
  'a name that leads to %s',
  async (_where, records, result, words) => {
    zone['hooks.example.com'] = records;
    const attempt = await attemptAt(await hookAt('hooks.example.com'));
    expect(attempt).toMatchObject({ result, status_code: null });
    expect(attempt.response).toContain(words);
    expect(intrusions).toBe(0);
  },
);

test('a name that leads outside when it is asked first, and inside ever after', async () => {
  const asked = new Set<number | undefined>();
  zone['rebinding.example.com'] = (type) => {
    const isFirst = !asked.has(type);
    asked.add(type);
    return [{ a: isFirst ? TAKEN_FOR_PUBLIC : '127.0.0.1' }];
  };
  const webhook = await hookAt('rebinding.example.com');
  expect(await attemptAt(webhook)).toMatchObject({
    result: 'unreachable',
    response: expect.stringContaining('refused'),
  });
  expect(await attemptAt(webhook)).toMatchObject({
    result: 'forbidden_address',
    response: expect.stringContaining('not public (127.0.0.1)'),
  });
  expect(intrusions).toBe(0);
});

/** A new webhook at the port of the receiver, by this name. */
async function hookAt(hostname: string): Promise<{ account_id: string; webhook_id: string }> {
  const path = { account_id: tenant.account.account_id };
  const url = `https://${hostname}:${receiver.port}/`;
  const { data } = await tenant.client.createWebhook({ path, body: { url } });
  return { ...path, webhook_id: data.webhook_id };
}

/** What came of a test of the webhook. */
async function attemptAt(path: { account_id: string; webhook_id: string }) {
  const body = { event: 'message.open' } as const;
  const { notification_id } = (await tenant.client.testWebhook({ path, body })).data;
  return await eventually(async () => {
    const { data } = await tenant.client.listWebhookDeliveries({ path, query: { notification_id } });
    expect(data[0]?.status).not.toBe('delivered');
    return data[0]?.attempts[0];
  });
}
