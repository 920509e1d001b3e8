import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { components } from '../../generated/types.ts';
import { startApi, type TestApi, type TestTenant } from '../testing.ts';

type Webhook = components['schemas']['Webhook'];

const URL = 'https://shop.customer.test/hooks';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startApi({ SENDSPEC_WEBHOOK_ALLOW_PRIVATE: '0' });
  tenant = await api.createTenant();
});
afterAll(() => api.close());

const pathOf = ({ account_id }: { account_id: string }, ...rest: string[]) =>
  ['/v1/accounts', account_id, 'webhooks', ...rest].join('/');

describe('where private addresses are not allowed', () => {
  test.each([
    'http://shop.customer.test/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://api.localhost/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://10.0.0.7:8443/hooks',
    'https://172.16.0.1/',
    'https://192.168.1.1./',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://[64:ff9b::7f00:1]/',
  ])('%s is refused, for a new webhook and for a known one', async (url) => {
    const { call, account } = tenant;
    const refused = { status: 422, errors: [{ field: 'url', value: url, errors: [{ code: 'URL' }] }] };
    expect(await call('POST', pathOf(account), { body: { url } })).toMatchObject(refused);
    const { data } = await call('POST', pathOf(account), { body: { url: URL } });
    const path = pathOf(account, (data as Webhook).webhook_id);
    expect(await call('PATCH', path, { body: { url } })).toMatchObject(refused);
    expect(await call('DELETE', path)).toMatchObject({ status: 200, data: { url: URL } });
  });

  test.each([
    URL,
    'https://203.0.113.9.nip.test/',
    'https://8.8.8.8:8443/hooks',
    'https://[2606:4700::1111]/',
  ])('%s is taken', async (url) => {
    const { call, account } = tenant;
    expect(await call('POST', pathOf(account), { body: { url } })).toMatchObject({
      status: 201,
      data: { url },
    });
  });
});
