import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi, type TestTenant } from '../testing.ts';
import { faultsOf } from './judge.ts';

// A judge that finds nothing proves nothing: here are answers that break the contract, each in one point.

let api: TestApi;
let tenant: TestTenant;
let good: { status: number; headers: Headers; text: string };
let path: string;

beforeAll(async () => {
  api = await startApi();
  tenant = await api.createTenant();
  path = `/v1/accounts/${tenant.account.account_id}`;
  good = await tenant.call('GET', path);
});

afterAll(() => api.close());

const faults = (change: Partial<typeof good>, method = 'GET', target = path) =>
  faultsOf(method, target, { ...good, ...change });

function headers(change: Record<string, string | undefined>): Headers {
  const changed = new Headers(good.headers);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) changed.delete(name);
    else changed.set(name, value);
  }
  return changed;
}

test('lets a right answer pass', () => {
  expect(good.status).toBe(200);
  expect(faults({})).toEqual([]);
});

test('finds a status that the operation does not document', () => {
  expect(faults({ status: 204 })).toEqual(['the status 204 is not documented']);
  expect(faults({ status: 404 })).toEqual(['the status 404 is not documented']);
});

test('finds a header that is missing or malformed', () => {
  expect(faults({ headers: headers({ 'ratelimit-limit': undefined }) })).toEqual([
    'the header RateLimit-Limit is missing',
  ]);
  expect(faults({ headers: headers({ 'ratelimit-limit': 'many' }) }).join()).toContain('must be integer');
});

test('finds a wrong content type and a body that is none', () => {
  expect(faults({ headers: headers({ 'content-type': 'text/html' }) }).join()).toContain('content type');
  expect(faults({ headers: headers({ 'content-type': undefined }) }).join()).toContain('content type');
  expect(faults({ text: '' })).toEqual(['the body is not JSON']);
});

test('finds a property too many, one too few, and a malformed one', () => {
  const { data, meta } = JSON.parse(good.text);
  const bodies = [
    { data: { ...data, secret: 1 }, meta },
    { data: { ...data, name: undefined }, meta },
    { data: { ...data, account_id: '1' }, meta },
    { data },
  ];
  for (const body of bodies) expect(faults({ text: JSON.stringify(body) })).not.toEqual([]);
});

test('finds an error code that the operation does not document for the status', async () => {
  const missing = await tenant.call('GET', '/v1/accounts/00000000-0000-4000-8000-000000000000');
  expect(missing.code).toBe('ACCOUNT_NOT_FOUND');
  const text = missing.text.replaceAll('ACCOUNT_NOT_FOUND', 'DOMAIN_NOT_FOUND');
  expect(faults({ ...missing, text })).not.toEqual([]);
});

test('knows the export from a message, and an unknown endpoint from both', async () => {
  const exported = await tenant.call('GET', '/v1/messages/export');
  expect(faultsOf('GET', '/v1/messages/export', exported)).toEqual([]);
  expect(faultsOf('GET', `/v1/messages/${tenant.account.account_id}`, exported)).not.toEqual([]);
  const unknown = await api.call('GET', '/v1/nowhere');
  expect(unknown).toMatchObject({ status: 404, code: 'ENDPOINT_NOT_FOUND' });
  expect(faultsOf('GET', '/v1/accounts', unknown)).not.toEqual([]);
});
