import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolvePeriod } from '../domain/periods.ts';
import {
  acceptAll,
  createTenant,
  openTestStore,
  type TestStore,
  type TestTenant,
  testMessage,
} from './testing.ts';

let test: TestStore;
let mine: TestTenant;
let theirs: TestTenant;
let theirMessage: string;
let theirSuppression: string;
let theirKey: string;

beforeAll(async () => {
  test = await openTestStore();
  mine = await createTenant(test.store, 'mine.test');
  theirs = await createTenant(test.store, 'theirs.test');
  await acceptAll(mine, [testMessage({ from: { email: 'a@mine.test', name: null } })]);
  [theirMessage = ''] = await acceptAll(theirs, [
    testMessage({ from: { email: 'a@theirs.test', name: null } }),
  ]);
  const suppression = await theirs.store.suppressions.create({
    account_id: theirs.account.account_id,
    recipient_email: 'x@example.com',
  });
  theirSuppression = suppression.suppression_id;
  theirKey = (await theirs.store.apiKeys.create(theirs.account.account_id, { name: 'k' })).api_key_id;
});
afterAll(() => test.close());

const page = { limit: 10, offset: 0 };

/** Every way to name a thing by its id. */
function calls(
  tenant: TestTenant,
  ids: { account: string; domain: string; suppression: string; message: string; user: string; key: string },
) {
  const { accounts, apiKeys, domains, suppressions, messages, users } = tenant.store;
  const period = resolvePeriod({}, test.clock);
  const own = tenant.account.account_id;
  return {
    'accounts.get': () => accounts.get(ids.account),
    'accounts.update': () => accounts.update(ids.account, { name: 'x' }),
    'accounts.delete': () => accounts.delete(ids.account),
    'apiKeys.create': () => apiKeys.create(ids.account, { name: 'x' }),
    'apiKeys.list': () => apiKeys.list(ids.account, page),
    'apiKeys.revoke by account': () => apiKeys.revoke(ids.account, ids.key),
    'apiKeys.revoke by key': () => apiKeys.revoke(own, ids.key),
    'domains.create with account': () => domains.create({ name: 'x.test', accounts: [own, ids.account] }),
    'domains.get': () => domains.get(ids.domain),
    'domains.update': () => domains.update(ids.domain, { accounts: [] }),
    'domains.update with account': () => domains.update(tenant.domain.domain_id, { accounts: [ids.account] }),
    'domains.delete': () => domains.delete(ids.domain),
    'domains.dkimKeys': () => domains.dkimKeys(ids.domain),
    'suppressions.create': () =>
      suppressions.create({ account_id: ids.account, recipient_email: 'y@example.com' }),
    'suppressions.get': () => suppressions.get(ids.suppression),
    'suppressions.delete': () => suppressions.delete(ids.suppression),
    'suppressions.list by account': () => suppressions.list({ account_ids: [ids.account] }, page),
    'messages.get': () => messages.get(ids.message),
    'messages.listEvents': () => messages.listEvents(ids.message, page),
    'messages.list by account': () => messages.list({ period, account_ids: [own, ids.account] }, page),
    'messages.list by domain': () => messages.list({ period, domain_ids: [ids.domain] }, page),
    'messages.export by account': () => messages.exportPages({ period, account_ids: [ids.account] }),
    'users.get': () => users.get(ids.user),
    'users.update': () => users.update(ids.user, { name: 'x' }),
    'users.delete': () => users.delete(ids.user),
  };
}

describe('an id of another organisation', () => {
  it('is refused wherever it stands', async () => {
    const ids = {
      account: theirs.account.account_id,
      domain: theirs.domain.domain_id,
      suppression: theirSuppression,
      message: theirMessage,
      user: theirs.userId,
      key: theirKey,
    };
    for (const [name, call] of Object.entries(calls(mine, ids))) {
      await expect(call(), name).rejects.toMatchObject({ code: 'ACCESS_DENIED', status: 403 });
    }
    const period = resolvePeriod({}, test.clock);
    await expect(mine.store.messages.list({ period, message_id: theirMessage }, page)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
    expect(await theirs.store.accounts.get(theirs.account.account_id)).toEqual(theirs.account);
    expect(await theirs.store.domains.get(theirs.domain.domain_id)).toEqual(theirs.domain);
  });

  it('is not found when it never was', async () => {
    const nowhere = randomUUID();
    const ids = {
      account: nowhere,
      domain: nowhere,
      suppression: nowhere,
      message: nowhere,
      user: nowhere,
      key: nowhere,
    };
    for (const [name, call] of Object.entries(calls(mine, ids))) {
      await expect(call(), name).rejects.toMatchObject({
        code: expect.stringMatching(/_NOT_FOUND$/),
        status: 409,
      });
    }
    const period = resolvePeriod({}, test.clock);
    expect(await mine.store.messages.list({ period, message_id: nowhere }, page)).toEqual({
      rows: [],
      total: 0,
    });
  });
});

describe('lists', () => {
  it('hold nothing of another organisation', async () => {
    const period = resolvePeriod({}, test.clock);
    const { accounts, domains, suppressions, messages, users, statistics } = mine.store;
    expect((await accounts.list({}, page)).rows).toEqual([mine.account]);
    expect((await domains.list({}, page)).rows).toEqual([mine.domain]);
    expect(await suppressions.list({}, page)).toEqual({ rows: [], total: 0 });
    expect((await users.list(page)).rows.map((user) => user.user_id)).toEqual([mine.userId]);
    const listed = await messages.list({ period }, page);
    expect(listed.rows.map((row) => row.from_email)).toEqual(['a@mine.test']);
    expect(listed.total).toBe(1);
    const exported = [];
    for await (const rows of await messages.exportPages({ period })) exported.push(...rows);
    expect(exported.map((row) => row.from_email)).toEqual(['a@mine.test']);
    const { stats_summary: summary, breakdown } = await statistics.read(period, 'accounts');
    expect(summary.messages).toBe(1);
    expect(breakdown).toMatchObject([{ account_id: mine.account.account_id, messages: 1 }]);
  });

  it('find by part of a name, with every character meaning itself', async () => {
    const { accounts } = mine.store;
    await accounts.create({ name: '100 % _Sales\\', type: 'marketing' });
    const named = async (name: string) => (await accounts.list({ name }, page)).total;
    expect(await named('%')).toBe(1);
    expect(await named('_s')).toBe(1);
    expect(await named('SALES\\')).toBe(1);
    expect(await named('1%s')).toBe(0);
    expect((await accounts.list({ type: 'marketing' }, page)).total).toBe(1);
    expect((await accounts.list({}, { limit: 1, offset: 5 })).total).toBe(2);
  });

  it('do not let one domain be created twice, nor two organisations share its records', async () => {
    const again = mine.store.domains.create({ name: 'MINE.test', accounts: [] });
    await expect(again).rejects.toMatchObject({ code: 'ENTITY_EXISTS' });
    const same = await theirs.store.domains.create({ name: 'mine.test', accounts: [] });
    expect(same.dkim_cname_1).not.toBe(mine.domain.dkim_cname_1);
    expect(same.dkim_verified_at).toBeNull();
  });
});
