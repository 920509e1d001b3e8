import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { components } from '../../generated/types.ts';
import { startApi, type TestAccount, type TestApi, type TestTenant } from '../testing.ts';

type Suppression = components['schemas']['Suppression'];

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startApi();
  tenant = await api.createTenant();
});
afterAll(() => api.close());

const create = (body: Record<string, unknown>) =>
  tenant.call('POST', '/v1/suppressions', { body: { account_id: tenant.account.account_id, ...body } });
const exists = { status: 409, code: 'ENTITY_EXISTS' };
const missing = { status: 409, code: 'SUPPRESSION_NOT_FOUND' };

/** Sends one mail to an address; gives the id of the message, or the code that it was rejected with. */
async function sendTo(email: string, account: TestAccount = tenant.account, custom_id = ''): Promise<string> {
  const message = {
    from: { email: `hello@${tenant.domain.name}` },
    to: [{ email }],
    subject: 'Hi',
    body: { text: 'Hi' },
    custom_id,
  };
  const { data } = await api.call('POST', '/v1/send_email', { basic: account, body: [message] });
  const [{ message_id, code }] = data as [{ message_id: string; code?: string }];
  return code ?? message_id;
}

/** An account that may send from the tenant's domain, which its others then still may. */
async function newSender(name: string): Promise<TestAccount> {
  const account = await api.createAccount(tenant, name);
  const path = { domain_id: tenant.domain.domain_id };
  const { data } = await tenant.client.getDomain({ path });
  const accounts = [...data.accounts, account].map(({ account_id }) => account_id);
  await tenant.client.updateDomain({ path, body: { accounts } });
  return account;
}

describe('a suppression by hand', () => {
  test('is manual, whatever the request says, and has no message', async () => {
    const answer = await create({
      recipient_email: 'Bob@Example.com',
      reason: 'asked by telephone',
      type: 'hard_bounce',
      message_id: randomUUID(),
    });
    const { account_id, name } = tenant.account;
    expect(answer).toMatchObject({
      status: 201,
      data: {
        account_id,
        account_name: name,
        message_id: null,
        message_custom_id: null,
        reason: 'asked by telephone',
        recipient_email: 'Bob@Example.com',
        type: 'manual',
      },
    });
    const { suppression_id } = answer.data as Suppression;
    expect(await tenant.call('GET', `/v1/suppressions/${suppression_id}`)).toMatchObject({
      status: 200,
      data: answer.data,
    });
  });

  test.each([[{}], [{ reason: null }], [{ reason: '' }]])('may have no reason: %j', async (reason) => {
    const recipient_email = `${randomUUID()}@example.com`;
    expect(await create({ recipient_email, ...reason })).toMatchObject({ status: 201, data: { reason: '' } });
  });

  test('stops mail to the address in any case, in this account only, until it is deleted', async () => {
    const other = await newSender('Other');
    const { data } = await create({ recipient_email: 'Carol@Example.com' });
    expect(await sendTo('CAROL@example.COM')).toBe('EMAIL_SUPPRESSED');
    expect(await sendTo('carol@example.com', other)).toMatch(/^[0-9a-f-]{36}$/);
    const path = `/v1/suppressions/${(data as Suppression).suppression_id}`;
    expect(await tenant.call('DELETE', path)).toMatchObject({ status: 200, data });
    expect(await sendTo('carol@example.com')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await tenant.call('GET', path)).toMatchObject(missing);
    expect(await tenant.call('DELETE', path)).toMatchObject(missing);
  });

  test('is there once in an account, in whatever case and at the same moment', async () => {
    expect((await create({ recipient_email: 'once@example.com' })).status).toBe(201);
    expect(await create({ recipient_email: 'ONCE@Example.com', reason: 'again' })).toMatchObject(exists);
    const { account_id } = await api.createAccount(tenant);
    expect((await create({ recipient_email: 'once@example.com', account_id })).status).toBe(201);
    const addresses = ['race@example.com', 'Race@example.com', 'RACE@example.com'];
    const race = await Promise.all(addresses.map((recipient_email) => create({ recipient_email })));
    expect(race.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });

  test('means the mailbox, in either form of an international domain', async () => {
    const { data } = await create({ recipient_email: 'Ann@BÜCHER.example' });
    expect(data).toMatchObject({ recipient_email: 'Ann@xn--bcher-kva.example' });
    expect(await sendTo('ann@bücher.example')).toBe('EMAIL_SUPPRESSED');
    expect(await sendTo('ann@xn--bcher-kva.example')).toBe('EMAIL_SUPPRESSED');
    expect(await create({ recipient_email: 'ann@Xn--bcher-kva.example' })).toMatchObject(exists);
    for (const recipient_email of ['ANN@bücher.example', 'ann@XN--BCHER-KVA.example']) {
      const { data: found } = await tenant.client.listSuppressions({ query: { recipient_email } });
      expect(found).toEqual([data]);
    }
  });

  test.each([
    ['no address', { recipient_email: undefined }, 'recipient_email', 'REQUIRED'],
    ['an address without a dot', { recipient_email: 'bob@localhost' }, 'recipient_email', 'INVALID_EMAIL'],
    ['two addresses', { recipient_email: 'a@b.co, c@d.co' }, 'recipient_email', 'INVALID_EMAIL'],
    ['no account', { account_id: null }, 'account_id', 'REQUIRED'],
    ['an account that is no id', { account_id: 5 }, 'account_id', 'STRING'],
    ['a reason of 1001 characters', { reason: 'x'.repeat(1001) }, 'reason', 'MAX'],
    ['a NUL in the reason', { reason: 'a\u0000b' }, 'reason', 'CONTROL_CHARACTER'],
  ])('is not created with %s', async (_what, change, field, code) => {
    expect(await create({ recipient_email: 'dan@example.com', ...change })).toMatchObject({
      status: 422,
      errors: [{ field, errors: [{ code }] }],
    });
  });
});

describe('an automatic suppression', () => {
  test('follows a hard bounce, and names the message', async () => {
    const address = 'hard_bounce+auto@simulator.test';
    const message_id = await sendTo(address, tenant.account, 'bounce 1');
    const { data } = await expect
      .poll(() => tenant.client.listSuppressions({ query: { message_id } }))
      .toMatchObject({ data: [{}] })
      .then(() => tenant.client.listSuppressions({ query: { message_id } }));
    expect(data).toMatchObject([
      {
        type: 'hard_bounce',
        message_id,
        message_custom_id: 'bounce 1',
        reason: '',
        recipient_email: address,
        account_id: tenant.account.account_id,
      },
    ]);
    expect(await sendTo(address.toUpperCase())).toBe('EMAIL_SUPPRESSED');
    expect(await create({ recipient_email: address })).toMatchObject(exists);
  });

  test('does not replace what was known first', async () => {
    const recipient_email = 'first@example.com';
    const message_id = await sendTo(recipient_email);
    const { data: manual } = await create({ recipient_email, reason: 'first' });
    await complain(message_id);
    const { data } = await tenant.client.listSuppressions({ query: { recipient_email } });
    expect(data).toEqual([manual]);
  });
});

/** Reports a complaint, as a receiving server does. */
async function complain(messageId: string): Promise<void> {
  await api.store.delivery.recordEvents([
    { eventId: randomUUID(), messageId, receivedAt: api.clock.now(), type: 'spam_complaint' },
  ]);
}

describe('the list of suppressions', () => {
  let lister: TestTenant;
  let other: TestAccount;
  /** Those of the list, oldest first: two of each account by hand, a complaint and an unsubscription. */
  const made: Suppression[] = [];
  let messages: string[];

  beforeAll(async () => {
    lister = await api.createTenant('lists.test');
    other = await api.createAccount(lister, 'Other');
    const send = async (email: string, custom_id: string) => {
      const from = { email: 'hello@lists.test' };
      const body = [{ from, to: [{ email }], subject: 'Hi', body: { text: 'Hi' }, custom_id }];
      const { data } = await lister.client.sendEmail({ body });
      return data[0]?.message_id ?? '';
    };
    const add = async (account: TestAccount, recipient_email: string, reason: string) => {
      const { account_id } = account;
      await lister.client.createSuppression({ body: { account_id, recipient_email, reason } });
    };
    const [complained, unsubscribed] = [
      await send('eve@example.com', 'c-1'),
      await send('fay@example.com', ''),
    ];
    messages = [complained, unsubscribed];
    await add(lister.account, 'Gil@example.com', 'Phone 100%');
    await add(lister.account, 'hal@example.com', 'mail_1');
    await add(other, 'gil@example.com', 'PHONE Ä');
    await add(other, 'ida@example.com', '');
    await complain(complained);
    await api.store.delivery.recordEvents([
      {
        eventId: randomUUID(),
        messageId: unsubscribed,
        receivedAt: api.clock.now(),
        type: 'unsubscribe',
        listId: 'news',
      },
    ]);
    for await (const one of lister.client.listSuppressions.all()) made.unshift(one);
  });

  const list = async (query: Record<string, string | number | readonly string[] | undefined>) => {
    const { status, data, meta } = await lister.call('GET', '/v1/suppressions', { query });
    expect(status).toBe(200);
    const places = (data as Suppression[]).map((one) =>
      made.findIndex((own) => own.suppression_id === one.suppression_id),
    );
    return { places, total: (meta as { total: number }).total };
  };
  const found = (...places: number[]) => ({ places, total: places.length });

  test('is newest first, of every account and age', async () => {
    expect(made.map(({ type, recipient_email }) => [type, recipient_email])).toEqual([
      ['manual', 'Gil@example.com'],
      ['manual', 'hal@example.com'],
      ['manual', 'gil@example.com'],
      ['manual', 'ida@example.com'],
      ['spam_complaint', 'eve@example.com'],
      ['unsubscribe', 'fay@example.com'],
    ]);
    expect(made[4]).toMatchObject({ reason: '', message_id: messages[0], message_custom_id: 'c-1' });
    expect(made[5]).toMatchObject({ reason: '', message_id: messages[1] });
    expect(await list({})).toEqual(found(5, 4, 3, 2, 1, 0));
  });

  test('is searched by account, type, address, message, custom ID and reason', async () => {
    const [mine, theirs] = [lister.account.account_id, other.account_id];
    expect(await list({ 'account_ids[]': [theirs] })).toEqual(found(3, 2));
    expect(await list({ 'account_ids[]': [theirs, mine.toUpperCase()] })).toEqual(found(5, 4, 3, 2, 1, 0));
    expect(await list({ 'types[]': ['manual'] })).toEqual(found(3, 2, 1, 0));
    expect(await list({ 'types[]': ['unsubscribe', 'spam_complaint', 'hard_bounce'] })).toEqual(found(5, 4));
    expect(await list({ 'types[]': ['hard_bounce'] })).toEqual(found());
    expect(await list({ recipient_email: 'GIL@Example.com' })).toEqual(found(2, 0));
    expect(await list({ recipient_email: 'il@example.com' })).toEqual(found());
    expect(await list({ message_id: messages[0] })).toEqual(found(4));
    expect(await list({ message_id: randomUUID() })).toEqual(found());
    expect(await list({ message_custom_id: 'c-1' })).toEqual(found(4));
    expect(await list({ message_custom_id: 'C-1' })).toEqual(found());
    expect(await list({ reason: 'phone' })).toEqual(found(2, 0));
    expect(await list({ reason: '0%' })).toEqual(found(0));
    expect(await list({ reason: 'l_' })).toEqual(found(1));
    expect(await list({ reason: 'phone ä' })).toEqual(found(2));
  });

  test('is searched by several filters at once, all of which must hold', async () => {
    const account = { 'account_ids[]': [other.account_id] };
    expect(await list({ ...account, recipient_email: 'gil@example.com' })).toEqual(found(2));
    expect(await list({ ...account, 'types[]': ['spam_complaint'] })).toEqual(found());
    expect(await list({ reason: 'phone', recipient_email: 'gil@example.com', limit: 1 })).toEqual({
      places: [2],
      total: 2,
    });
  });

  test('is searched by a period with its ends in either order, both included', async () => {
    const at = (place: number) => made[place]?.created_at ?? '';
    const period = (period_from?: string, period_to?: string) => list({ period_from, period_to });
    expect(await period(at(1), at(3))).toEqual(found(3, 2, 1));
    expect(await period(at(3), at(1))).toEqual(found(3, 2, 1));
    expect(await period(at(4), undefined)).toEqual(found(5, 4));
    expect(await period(undefined, at(1))).toEqual(found(1, 0));
    const today = at(0).slice(0, 10);
    expect((await period(today, at(5).slice(0, 10))).total).toBe(6);
    expect(await period('2001-01-01', '2001-02-01')).toEqual(found());
    const zoned = `${new Date(Date.parse(`${at(4).slice(0, 23)}Z`) + 7_200_000).toISOString().slice(0, 23)}${at(4).slice(23, 26)}+02:00`;
    expect(await period(zoned, '2100-01-01T00:00:00Z')).toEqual(found(5, 4));
  });

  test('has pages whose union is the list', async () => {
    const pages = [];
    for await (const page of lister.client.listSuppressions.pages({ query: { limit: 4 } })) pages.push(page);
    expect(pages.map(({ data }) => data.length)).toEqual([4, 2]);
    expect(pages.map(({ meta }) => [meta.limit, meta.offset, meta.total])).toEqual([
      [4, 0, 6],
      [4, 4, 6],
    ]);
    expect(pages.flatMap(({ data }) => data)).toEqual(made.toReversed());
    expect(await list({ offset: 6 })).toEqual({ places: [], total: 6 });
  });

  test.each([
    ['a malformed date', 'period_from=2026-02-30', 'period_from', 'TIMESTAMP'],
    ['a time without an offset', 'period_to=2026-02-03T10:00:00', 'period_to', 'TIMESTAMP'],
    ['an unknown type', 'types[]=manual&types[]=bounce', 'types[1]', 'CHOICE'],
    ['a malformed account', 'account_ids[]=5', 'account_ids[0]', 'UUID'],
    ['a malformed message', 'message_id=5', 'message_id', 'UUID'],
    ['a malformed address', 'recipient_email=gil', 'recipient_email', 'INVALID_EMAIL'],
    ['two reasons', 'reason=a&reason=b', 'reason', 'DUPLICATE'],
    ['a NUL in the reason', 'reason=%00', 'reason', 'CONTROL_CHARACTER'],
  ])('is not asked for with %s', async (_what, search, field, code) => {
    const answer = await lister.call('GET', `/v1/suppressions?${search}`);
    expect(answer).toMatchObject({ status: 422, errors: [{ field, errors: [{ code }] }] });
  });
});
