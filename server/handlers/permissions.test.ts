import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OperationId, operations } from '../../generated/operations.ts';
import { type CallOptions, startApi, type TestApi, type TestTenant } from '../testing.ts';

// Who may call what, for every operation of the contract: a new one is in here by being in there.

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startApi();
  tenant = await api.createTenant();
});
afterAll(() => api.close());

const ids = Object.keys(operations) as OperationId[];
const protectedIds = ids.filter((id) => operations[id].security !== 'none');
// Logging out writes, too, but ends only one's own session.
const writes = protectedIds.filter(
  (id) => operations[id].security === 'bearer' && operations[id].method !== 'get' && id !== 'logout',
);
const reads = protectedIds.filter((id) => operations[id].method === 'get');

/** Bodies that have the right shape, whatever they name. */
const BODIES: Partial<Record<OperationId, unknown>> = {
  createAccount: { name: 'New', type: 'marketing' },
  updateAccount: { name: 'New' },
  createApiKey: { name: 'New' },
  createDomain: { name: 'new.test', accounts: [] },
  updateDomain: { accounts: [] },
  createSuppression: { account_id: randomUUID(), recipient_email: 'ann@example.com' },
  createUser: { email: 'new@demo.test', name: 'New', role: 'owner', password: 'a long password' },
  updateUser: { name: 'New' },
  createWebhook: { url: 'https://hooks.example.com/mail' },
  updateWebhook: { status: 'disabled' },
  testWebhook: { event: 'message.open' },
  rotateWebhookSecret: { overlap_seconds: 0 },
  replayWebhook: { period_from: '2026-03-01' },
  sendEmail: [{}],
};
const QUERIES: Partial<Record<OperationId, CallOptions['query']>> = {
  getStats: { period_from: '2026-03-01', period_to: '2026-03-02' },
};

/** Calls an operation with a request of the right shape; its ids name nothing. */
function callOf(id: OperationId, options: CallOptions) {
  const { method, path } = operations[id];
  const filled = path.replaceAll(/\{\w+\}/g, () => randomUUID());
  return api.call(method.toUpperCase(), filled, { query: QUERIES[id], body: BODIES[id], ...options });
}

describe('without credentials of the right kind', () => {
  test.each(protectedIds)('%s is 401, before anything else is looked at', async (id) => {
    const wrong: CallOptions[] = [
      {},
      { headers: { authorization: 'Bearer' } },
      { token: `${tenant.owner.token}x` },
      { token: tenant.owner.refreshToken },
      { basic: { account_id: tenant.account.account_id, api_key: `${tenant.account.api_key}x` } },
      { basic: { account_id: randomUUID(), api_key: tenant.account.api_key } },
      operations[id].security === 'bearer' ? { basic: tenant.account } : { token: tenant.owner.token },
    ];
    for (const credentials of wrong) {
      const answer = await callOf(id, { rawBody: '{"not json', body: undefined, ...credentials });
      expect(answer).toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' });
    }
  });
});

describe('a viewer', () => {
  test.each(writes)('may not %s', async (id) => {
    const answer = await callOf(id, { token: tenant.viewer.token });
    expect(answer).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
  });

  test.each(writes.filter((id) => operations[id].requestBody))(
    'learns of a malformed request to %s before that',
    async (id) => {
      const { token } = tenant.viewer;
      expect(await callOf(id, { token, rawBody: '{"not json', body: undefined })).toMatchObject({
        status: 400,
      });
      expect(await callOf(id, { token, body: 'text' })).toMatchObject({ status: 422 });
    },
  );

  test.each(reads)('may %s', async (id) => {
    const { status } = await callOf(id, { token: tenant.viewer.token });
    expect([200, 409]).toContain(status);
  });

  test('may not change even their own record', async () => {
    const { call, user_id } = tenant.viewer;
    const path = `/v1/users/${user_id}`;
    const denied = { status: 403, code: 'ACCESS_DENIED' };
    expect(await call('PATCH', path, { body: { name: 'Me' } })).toMatchObject(denied);
    expect(await call('PATCH', path, { body: { role: 'owner' } })).toMatchObject(denied);
    expect(await call('DELETE', path)).toMatchObject(denied);
    expect(await call('GET', path)).toMatchObject({
      status: 200,
      data: { role: 'viewer', name: 'Vera Viewer' },
    });
  });
});

test('an owner may do all of it', async () => {
  for (const id of writes) {
    const { status } = await callOf(id, { token: tenant.owner.token });
    expect([201, 409], id).toContain(status);
  }
});
