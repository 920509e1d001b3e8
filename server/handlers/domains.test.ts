import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { components } from '../../generated/types.ts';
import { type Answer, startApi, type TestAccount, type TestApi, type TestTenant } from '../testing.ts';

type Domain = components['schemas']['Domain'];

let api: TestApi;
let tenant: TestTenant;
let second: TestAccount;

beforeAll(async () => {
  api = await startApi();
  tenant = await api.createTenant();
  second = await api.createAccount(tenant, 'Second');
});
afterAll(() => api.close());

const create = (name: string, more: Record<string, unknown> = {}) =>
  tenant.call('POST', '/v1/domains', { body: { name, accounts: [], ...more } });
const update = ({ domain_id }: Domain, body: unknown) =>
  tenant.call('PATCH', `/v1/domains/${domain_id}`, { body });
const verify = ({ domain_id }: Domain, what: 'dkim' | 'return_path') =>
  tenant.call('POST', `/v1/domains/${domain_id}/verify_${what}`);
const read = async ({ domain_id }: Domain) => (await tenant.client.getDomain({ path: { domain_id } })).data;

async function createdDomain(name: string, more: Record<string, unknown> = {}): Promise<Domain> {
  const answer = await create(name, more);
  expect(answer).toMatchObject({ status: 201 });
  return answer.data as Domain;
}

/** The code that a mail from an address is rejected with, "accepted" when it is not. */
async function sendFrom(email: string, account: TestAccount = tenant.account): Promise<string> {
  const message = {
    from: { email },
    to: [{ email: 'ann@example.com' }],
    subject: 'Hi',
    body: { text: 'Hi' },
  };
  const { data } = await api.call('POST', '/v1/send_email', { basic: account, body: [message] });
  const [{ status, code }] = data as [{ status: string; code?: string }];
  return code ?? status;
}

describe('a domain', () => {
  test('starts unverified, with the records that its DNS has to show', async () => {
    const { account_id, name } = tenant.account;
    const answer = await create('Fresh.Example.COM', { accounts: [account_id], dkim_verified_at: 'x' });
    expect(answer).toMatchObject({
      status: 201,
      data: {
        name: 'fresh.example.com',
        accounts: [{ account_id, name }],
        dkim_verified_at: null,
        return_path_verified_at: null,
        return_path_hostname: 'cs-bounces',
        return_path_cname: expect.stringMatching(/\.mail\.sendspec\.test$/),
        dkim_selector_1: expect.stringMatching(/\._domainkey\.fresh\.example\.com$/),
        dkim_selector_2: expect.stringMatching(/\._domainkey\.fresh\.example\.com$/),
      },
    });
    const domain = answer.data as Domain;
    expect(domain.dkim_selector_1).not.toBe(domain.dkim_selector_2);
    expect(domain.dkim_cname_1).not.toBe(domain.dkim_cname_2);
    expect(await read(domain)).toEqual(domain);
    expect(await sendFrom('a@fresh.example.com')).toBe('SENDING_DOMAIN_NOT_VERIFIED');
  });

  test('is there once in an organisation, in whatever case, and may be another’s too', async () => {
    const exists = { status: 409, code: 'ENTITY_EXISTS' };
    expect(await create('demo.test')).toMatchObject(exists);
    expect(await create('DEMO.Test')).toMatchObject(exists);
    const names = ['race.test', 'RACE.test', 'Race.Test'];
    const race = await Promise.all(names.map((name) => create(name)));
    expect(race.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const other = await api.createTenant('demo.test');
    expect(other.domain.name).toBe('demo.test');
    expect(other.domain.dkim_cname_1).not.toBe(tenant.domain.dkim_cname_1);
  });

  test('with an international name is created in its ASCII form, and sends for both', async () => {
    const domain = await createdDomain('XN--Bcher-KVA.test', { accounts: [tenant.account.account_id] });
    expect(domain.name).toBe('xn--bcher-kva.test');
    for (const what of ['dkim', 'return_path'] as const)
      expect((await verify(domain, what)).status).toBe(200);
    expect(await sendFrom('a@xn--bcher-kva.test')).toBe('accepted');
    expect(await sendFrom('a@bücher.test')).toBe('accepted');
    expect(await sendFrom('a@BÜCHER.test')).toBe('accepted');
  });

  test.each([
    ['Unicode', 'bücher.test'],
    ['one label', 'localhost'],
    ['a final dot', 'demo.test.'],
    ['an empty label', 'demo..test'],
    ['a space', 'demo .test'],
    ['a URL', 'https://demo.test'],
    ['an address', 'ann@demo.test'],
    ['a label of 64 characters', `${'a'.repeat(64)}.test`],
    ['an IP address', '192.0.2.1'],
    ['an IP address in another form', '0x7f.1'],
    ['a number at the end', 'demo.123'],
    ['a wildcard', '*.demo.test'],
    ['an underscore', '_dmarc.demo.test'],
    ['a line break', 'demo.test\n'],
  ])('is not named with %s', async (_what, name) => {
    const answer = await create(name);
    expect(answer).toMatchObject({ status: 422, code: 'VALIDATION_ERROR', errors: [{ field: 'name' }] });
    expect(answer.text).toContain('"HOSTNAME"');
  });

  test('has a name that leaves room for the names of its records', async () => {
    const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(23)}.test`;
    expect(longest).toHaveLength(220);
    expect(await create(longest)).toMatchObject({ status: 201, data: { name: longest } });
    expect(await create(`x${longest.slice(2)}.de`)).toMatchObject({
      status: 422,
      errors: [{ field: 'name', errors: [{ code: 'MAX' }] }],
    });
  });

  test.each([
    ['no accounts', { accounts: undefined }, 'accounts', 'REQUIRED'],
    ['accounts that are null', { accounts: null }, 'accounts', 'REQUIRED'],
    ['one account in place of a list', { accounts: randomUUID() }, 'accounts', 'ARRAY'],
    ['an account that is no id', { accounts: ['x'] }, 'accounts[0]', 'UUID'],
    ['a Return-Path host of two words', { return_path_hostname: 'a b' }, 'return_path_hostname', 'HOSTNAME'],
    ['an empty Return-Path host', { return_path_hostname: '' }, 'return_path_hostname', 'MIN'],
  ])('is not created with %s', async (_what, change, field, code) => {
    const answer = await create('faulty.test', change);
    expect(answer).toMatchObject({ status: 422 });
    const faults = answer.errors as { field: string; errors: { code: string }[] }[];
    expect(faults.flatMap((fault) => fault.errors.map((error) => [fault.field, error.code]))).toContainEqual([
      field,
      code,
    ]);
  });

  test('is deleted for good: no new mail, a readable log, and room for the same name', async () => {
    const account = await api.createAccount(tenant, 'Leaving');
    const domain = await api.createDomain(tenant, 'leaving.test', [account]);
    const message = {
      from: { email: 'a@leaving.test' },
      to: [{ email: 'ann@example.com' }],
      subject: 'Hi',
      body: { text: 'Hi' },
    };
    const sent = await api.call('POST', '/v1/send_email', { basic: account, body: [message] });
    const [{ message_id }] = sent.data as [{ message_id: string }];
    const path = `/v1/domains/${domain.domain_id}`;
    const deleted = await tenant.call('DELETE', path);
    expect(deleted).toMatchObject({ status: 200, data: domain });
    const missing = { status: 409, code: 'DOMAIN_NOT_FOUND' };
    const calls: (() => Promise<Answer>)[] = [
      () => tenant.call('GET', path),
      () => tenant.call('DELETE', path),
      () => update(domain, { accounts: [] }),
      () => verify(domain, 'dkim'),
      () => verify(domain, 'return_path'),
    ];
    for (const call of calls) expect(await call()).toMatchObject(missing);
    expect(await sendFrom('a@leaving.test', account)).toBe('SENDING_DOMAIN_NOT_FOUND');
    const { data } = await tenant.client.listMessages({ query: { 'domain_ids[]': [domain.domain_id] } });
    expect(data).toMatchObject([{ message_id, domain_name: 'leaving.test' }]);
    const again = await createdDomain('leaving.test');
    expect(again.domain_id).not.toBe(domain.domain_id);
    expect(again.dkim_cname_1).not.toBe(domain.dkim_cname_1);
    expect(again.dkim_verified_at).toBeNull();
  });
});

describe('the accounts of a domain', () => {
  test('are replaced as a whole, and may be none', async () => {
    const domain = await api.createDomain(tenant, 'assigned.test', [tenant.account]);
    const from = 'a@assigned.test';
    expect(await sendFrom(from)).toBe('accepted');
    expect(await sendFrom(from, second)).toBe('SENDING_DOMAIN_NOT_ASSIGNED');
    const { account_id } = second;
    expect(await update(domain, { accounts: [account_id, account_id.toUpperCase()] })).toMatchObject({
      status: 200,
      data: { ...domain, accounts: [{ account_id, name: 'Second' }] },
    });
    expect(await sendFrom(from)).toBe('SENDING_DOMAIN_NOT_ASSIGNED');
    expect(await sendFrom(from, second)).toBe('accepted');
    expect(await update(domain, { accounts: [] })).toMatchObject({ data: { ...domain, accounts: [] } });
    expect(await sendFrom(from, second)).toBe('SENDING_DOMAIN_NOT_ASSIGNED');
    expect(await update(domain, {})).toMatchObject({
      status: 422,
      errors: [{ field: 'accounts', errors: [{ code: 'REQUIRED' }] }],
    });
    const both = [tenant.account.account_id, account_id];
    const { data } = await update(domain, { accounts: both.toReversed() });
    expect((data as Domain).accounts.map((account) => account.account_id).toSorted()).toEqual(
      both.toSorted(),
    );
  });

  test('stay as they were when one of the new ones is not there', async () => {
    const domain = await createdDomain('kept.test', { accounts: [second.account_id] });
    const wrong = { accounts: [tenant.account.account_id, randomUUID()], return_path_hostname: 'new' };
    expect(await update(domain, wrong)).toMatchObject({ status: 409, code: 'ACCOUNT_NOT_FOUND' });
    expect(await read(domain)).toEqual(domain);
    expect(await create('never.test', { accounts: wrong.accounts })).toMatchObject({
      status: 409,
      code: 'ACCOUNT_NOT_FOUND',
    });
    expect((await create('never.test')).status).toBe(201);
  });
});

describe('the Return-Path host', () => {
  test('is chosen at creation, and has to be verified again after a change', async () => {
    const domain = await createdDomain('bounces.test', { return_path_hostname: 'Mail.Return' });
    expect(domain.return_path_hostname).toBe('Mail.Return');
    await verify(domain, 'return_path');
    const { return_path_verified_at: verifiedAt } = await read(domain);
    expect(verifiedAt).not.toBeNull();
    for (const same of [undefined, null, 'Mail.Return']) {
      expect(await update(domain, { accounts: [], return_path_hostname: same })).toMatchObject({
        data: { return_path_hostname: 'Mail.Return', return_path_verified_at: verifiedAt },
      });
    }
    await verify(domain, 'dkim');
    expect(await update(domain, { accounts: [], return_path_hostname: 'other' })).toMatchObject({
      data: {
        return_path_hostname: 'other',
        return_path_verified_at: null,
        dkim_verified_at: expect.any(String),
      },
    });
    const account = await api.createAccount(tenant);
    await update(domain, { accounts: [account.account_id] });
    expect(await sendFrom('a@bounces.test', account)).toBe('SENDING_DOMAIN_NOT_VERIFIED');
    expect((await verify(domain, 'return_path')).status).toBe(200);
    expect(await sendFrom('a@bounces.test', account)).toBe('accepted');
  });
});

describe('the list of domains', () => {
  test('is newest first, searched by part of the name, and paged', async () => {
    const lister = await api.createTenant('list-a.test');
    for (const name of ['list-b.example', 'sub.list-b.example']) {
      await lister.client.createDomain({ body: { name, accounts: [lister.account.account_id] } });
    }
    const list = async (query: Record<string, string | number>) => {
      const { status, data, meta } = await lister.call('GET', '/v1/domains', { query });
      expect(status).toBe(200);
      return [(data as Domain[]).map(({ name }) => name), (meta as { total: number }).total];
    };
    const all = ['sub.list-b.example', 'list-b.example', 'list-a.test'];
    expect(await list({})).toEqual([all, 3]);
    expect(await list({ name: 'LIST-B' })).toEqual([all.slice(0, 2), 2]);
    expect(await list({ name: 'demo' })).toEqual([[], 0]);
    expect(await list({ limit: 1, offset: 1 })).toEqual([['list-b.example'], 3]);
    expect(await list({ name: 'example', limit: 5, offset: 1 })).toEqual([['list-b.example'], 2]);
    const { data } = await lister.client.listDomains({ query: { name: 'sub.' } });
    expect(data[0]?.accounts).toEqual([{ account_id: lister.account.account_id, name: 'Mail' }]);
  });
});
