import { simpleParser } from 'mailparser';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test } from 'vitest';
import { faultsOf } from '../../server/testing/judge.ts';
import { basic, eventually, message, openReceiver, openStage, type Reply } from './testing.ts';

const OUTCOMES = ['delivery', 'hard_bounce', 'soft_bounce', 'spam_complaint', 'unsubscribe', 'open', 'click'];
const FINAL = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, outcome]));

/** Every answer of this file is held against the contract. */
function judged({ method, path, status, headers, text }: Reply): void {
  expect(faultsOf(method, path, { status, headers, text }), `${method} ${path} ${status} ${text}`).toEqual(
    [],
  );
}

const stage = await openStage({}, judged);
const { call, server } = stage;
const [tenant, other] = server.target.tenants;
const first = tenant?.accounts[0]?.account_id ?? '';
const second = tenant?.accounts[1]?.account_id ?? '';
afterAll(() => server.stop());

function dataOf<T = Record<string, unknown>>(reply: Reply): T {
  return JSON.parse(reply.text).data;
}
function codeOf(reply: Reply): string {
  return `${reply.status} ${dataOf<{ code: string }>(reply).code}`;
}

test('an account is created, read, renamed, found and deleted', async () => {
  const created = await call('POST', '/v1/accounts', { body: { name: 'Orders (EU)', type: 'marketing' } });
  expect(created.status).toBe(201);
  const account = dataOf<{ account_id: string; status: string }>(created);
  expect(account.status).toBe('active');
  const path = `/v1/accounts/${account.account_id}`;
  const changed = await call('PATCH', path, { body: { name: 'Orders (US)', type: 'transactional' } });
  expect(dataOf(changed)).toEqual({ ...account, name: 'Orders (US)' });
  expect(dataOf(await call('GET', path))).toEqual(dataOf(changed));
  expect(dataOf(await call('GET', '/v1/accounts?name=orders%20(us&type=marketing'))).toEqual([
    dataOf(changed),
  ]);
  expect(dataOf(await call('DELETE', path))).toEqual(dataOf(changed));
  expect(codeOf(await call('GET', path))).toBe('409 ACCOUNT_NOT_FOUND');
});

test('a domain sends once it is verified and assigned', async () => {
  const body = { name: 'Shop.test', accounts: [first] };
  const created = await call('POST', '/v1/domains', { body });
  const { domain_id, name } = dataOf<{ domain_id: string; name: string }>(created);
  expect(name).toBe('shop.test');
  const from = { from: { email: 'hello@shop.test' } };
  const rejected = async () => dataOf<{ code: string }[]>(await stage.send(message(server, from)))[0]?.code;
  expect(await rejected()).toBe('SENDING_DOMAIN_NOT_VERIFIED');
  expect(dataOf(await call('POST', `/v1/domains/${domain_id}/verify_dkim`))).toBe('OK');
  expect(await rejected()).toBe('SENDING_DOMAIN_NOT_VERIFIED');
  expect(dataOf(await call('POST', `/v1/domains/${domain_id}/verify_return_path`))).toBe('OK');
  expect(await rejected()).toBeUndefined();
  await call('PATCH', `/v1/domains/${domain_id}`, { body: { accounts: [second] } });
  expect(await rejected()).toBe('SENDING_DOMAIN_NOT_ASSIGNED');
  expect(codeOf(await call('POST', '/v1/domains', { body }))).toBe('409 ENTITY_EXISTS');
  const elsewhere = await call('POST', '/v1/domains', { body: { name: 'shop.example', accounts: [] } });
  const { domain_id: unverifiable } = dataOf<{ domain_id: string }>(elsewhere);
  expect(codeOf(await call('POST', `/v1/domains/${unverifiable}/verify_dkim`))).toBe('409 DKIM_NOT_VERIFIED');
  await call('DELETE', `/v1/domains/${domain_id}`);
  expect(await rejected()).toBe('SENDING_DOMAIN_NOT_FOUND');
});

test('every simulated outcome shows in the log, the statistics, the suppressions, the export and the webhooks', async () => {
  const receiver = await openReceiver(500);
  await stage.hook(server.target.hooks.set_webhook_url, { account_id: second, url: receiver.url });
  const submitted = OUTCOMES.map((outcome) =>
    message(server, {
      to: [{ email: `${outcome}+x@simulator.test` }],
      subject: `=${outcome}, "quoted"`,
      custom_id: `id-${outcome}`,
      list_id: 'news.first.test',
      track_opens: true,
      track_clicks: true,
    }),
  );
  const sent = await call('POST', '/v1/send_email', { body: submitted, authorization: basic(server, 1) });
  expect(sent.status).toBe(200);
  const ids = dataOf<{ message_id: string }[]>(sent).map(({ message_id }) => message_id);
  const outcomes = await eventually(async () => {
    const pages = await Promise.all(ids.map((id) => call('GET', `/v1/messages/${id}/events`)));
    const types = pages.map((page) => dataOf<{ type: string }[]>(page).map(({ type }) => type));
    return types.every(([newest], index) => newest === OUTCOMES[index]) ? types : undefined;
  });
  expect(outcomes.map((types) => types.at(-1))).toEqual(OUTCOMES.map(() => 'new'));
  expect(Object.fromEntries(outcomes.map(([newest = '']) => [newest, newest]))).toEqual(FINAL);

  const stats = await call('GET', '/v1/stats?period_from=2020-01-01&period_to=2100-01-01&all_accounts=1');
  const { breakdown } = dataOf<{ breakdown: Record<string, unknown>[] }>(stats);
  const counts = breakdown.find(({ account_id }) => account_id === second);
  expect(counts).toMatchObject({
    messages: 7,
    delivery: 5,
    hard_bounce: 1,
    soft_bounce: 1,
    open: 1,
    click: 1,
  });
  expect(counts).toMatchObject({ spam_complaint: 1, unsubscribe: 1, unique_opens: 1, track_opens: 7 });

  const suppressions = await call('GET', `/v1/suppressions?account_ids[]=${second}`);
  const types = dataOf<{ type: string }[]>(suppressions).map(({ type }) => type);
  expect(types.toSorted()).toEqual(['hard_bounce', 'spam_complaint', 'unsubscribe']);

  const csv = await call('GET', `/v1/messages/export?account_ids[]=${second}&events[]=unsibscribe`);
  expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
  const [header, row, end] = csv.text.split('\r\n');
  expect(header?.split(',')).toHaveLength(17);
  expect(row).toContain(`,"'=unsubscribe, ""quoted""",`);
  expect(row).toMatch(/,250 2\.0\.0 OK queued$/);
  expect(end).toBe('');

  const expected = 5 + 2 + 4;
  const notified = await eventually(() =>
    receiver.received.length === expected + 1 ? receiver.received : undefined,
  );
  receiver.close();
  const [failed] = notified;
  const again = notified.filter(({ headers }) => headers['webhook-id'] === failed?.headers['webhook-id']);
  expect(again).toHaveLength(2);
  const webhook = new Webhook(server.target.webhooks.secret ?? '');
  const payloads = notified.slice(1).map(({ body, headers }) => webhook.verify(body, headers));
  expect(payloads).toContainEqual(
    expect.objectContaining({
      event: 'message.click',
      custom_id: 'id-click',
      tracking_url_destination: 'https://shop.test/a?b=1&c=2',
    }),
  );
});

test('a mail carries what the message asked for', async () => {
  const to = [{ email: 'bela@customer.test', name: 'Béla' }];
  const more = { custom_id: 'order-1', reply_to: [{ email: 'help@first.test' }], list_id: 'news.first.test' };
  await stage.send(message(server, { ...more, to, subject: 'Grüße', track_opens: true, track_clicks: true }));
  const mail = await eventually(async () => (await stage.mailsTo('Bela@customer.test'))[0]);
  const parsed = await simpleParser(mail.raw);
  expect(parsed.subject).toBe('Grüße');
  expect(parsed.from?.text).toBe('"Shop" <hello@first.test>');
  expect(parsed.to).toMatchObject({ value: [{ address: 'bela@customer.test', name: 'Béla' }] });
  expect(parsed.replyTo?.text).toBe('help@first.test');
  expect(parsed.headers.get('x-message-custom-id')).toBe('order-1');
  expect(mail.raw).toContain('\r\nList-Id: <news.first.test>\r\n');
  expect(parsed.text?.trim()).toBe('Thank you.');
  const [, link = ''] = /href="([^"]+)"/.exec(String(parsed.html)) ?? [];
  const followed = await fetch(link, { redirect: 'manual' });
  expect(followed.headers.get('location')).toBe('https://shop.test/a?b=1&c=2');
});

test('a custom ID is taken for 72 hours of the clock, and tokens for an hour', async () => {
  const unique = message(server, { custom_id: 'once', custom_id_unique: true });
  const statusesOf = (reply: Reply) => dataOf<{ status: string }[]>(reply).map(({ status }) => status);
  const both = await stage.send(unique, unique);
  expect(both.status).toBe(207);
  expect(statusesOf(both)).toEqual(['accepted', 'rejected']);
  await stage.hook(server.target.hooks.advance_clock, { advance_seconds: 71 * 3600 });
  expect(statusesOf(await stage.send(unique))).toEqual(['rejected']);
  await stage.hook(server.target.hooks.advance_clock, { advance_seconds: 3600 + 1 });
  expect(statusesOf(await stage.send(unique))).toEqual(['accepted']);
  expect((await call('GET', '/v1/accounts')).status).toBe(401);
  const renewed = await stage.login();
  expect((await call('GET', '/v1/accounts', { authorization: renewed })).status).toBe(200);
});

test('statuses come in their order, and credentials are not exchanged', async () => {
  const session = await stage.login();
  const foreign = other?.accounts[0]?.account_id ?? '';
  const asked = (method: string, path: string, more = {}) =>
    call(method, path, { authorization: session, ...more }).then(codeOf);
  expect(await asked('PUT', '/v1/accounts')).toBe('404 ENDPOINT_NOT_FOUND');
  expect(await asked('POST', '/v1/accounts', { raw: '{', authorization: 'Bearer x' })).toBe(
    '401 INVALID_CREDENTIALS',
  );
  expect(await asked('POST', '/v1/accounts', { raw: '{' })).toBe('400 INVALID_JSON');
  expect(await asked('PATCH', `/v1/accounts/${foreign}`, { body: {} })).toBe('422 VALIDATION_ERROR');
  expect(await asked('PATCH', `/v1/accounts/${foreign}`, { body: { name: 'x' } })).toBe('403 ACCESS_DENIED');
  expect(await asked('GET', `/v1/messages?account_ids[]=${foreign}`)).toBe('403 ACCESS_DENIED');
  expect(await asked('GET', '/v1/messages?limit=1&limit=2')).toBe('422 VALIDATION_ERROR');
  expect(await asked('GET', '/v1/accounts', { authorization: basic(server) })).toBe(
    '401 INVALID_CREDENTIALS',
  );
  expect(await asked('POST', '/v1/send_email', { body: [] })).toBe('401 INVALID_CREDENTIALS');
  expect((await call('POST', '/v1/logout', { authorization: session })).status).toBe(200);
  expect(await asked('GET', '/v1/accounts')).toBe('401 INVALID_CREDENTIALS');
});

test('the extensions work: registering, users and roles, keys, refreshing and a reset', async () => {
  const person = { organisation_name: 'New', name: 'Ada', email: 'ada@new.test', password: 'correct horse' };
  expect((await call('POST', '/v1/register', { body: person })).status).toBe(201);
  const login = (email: string, password: string) =>
    call('POST', '/v1/login', { body: { email, password, grant_type: 'password' } });
  const tokens = JSON.parse((await login(person.email, person.password)).text);
  const authorization = `Bearer ${tokens.access_token}`;
  const account = dataOf<{ account_id: string }>(
    await call('POST', '/v1/accounts', { authorization, body: { name: 'One', type: 'marketing' } }),
  );
  const keys = `/v1/accounts/${account.account_id}/api_keys`;
  const key = dataOf<{ api_key_id: string }>(
    await call('POST', keys, { authorization, body: { name: 'shop' } }),
  );
  expect(dataOf(await call('GET', keys, { authorization }))).toMatchObject([{ api_key_id: key.api_key_id }]);
  expect((await call('DELETE', `${keys}/${key.api_key_id}`, { authorization })).status).toBe(200);

  const viewer = { email: 'bela@new.test', name: 'Bela', role: 'viewer', password: 'battery staple' };
  expect((await call('POST', '/v1/users', { authorization, body: viewer })).status).toBe(201);
  const viewing = `Bearer ${JSON.parse((await login(viewer.email, viewer.password)).text).access_token}`;
  const users = dataOf<{ user_id: string; role: string }[]>(
    await call('GET', '/v1/users', { authorization: viewing }),
  );
  expect(users.map(({ role }) => role)).toEqual(['viewer', 'owner']);
  expect(codeOf(await call('DELETE', `/v1/users/${users[0]?.user_id}`, { authorization: viewing }))).toBe(
    '403 ACCESS_DENIED',
  );
  expect(codeOf(await call('DELETE', `/v1/users/${users[1]?.user_id}`, { authorization }))).toBe(
    '409 LAST_OWNER',
  );

  const refresh = () =>
    call('POST', '/v1/token/refresh', {
      body: { refresh_token: tokens.refresh_token, grant_type: 'refresh_token' },
    });
  const renewed = JSON.parse((await refresh()).text);
  expect(codeOf(await refresh())).toBe('401 INVALID_CREDENTIALS');
  expect((await call('GET', '/v1/users', { authorization: `Bearer ${renewed.access_token}` })).status).toBe(
    401,
  );

  await call('POST', '/v1/password_reset', { body: { email: viewer.email } });
  const [mail] = await stage.mailsTo(viewer.email);
  const [token] = /^\S{40,}$/m.exec((await simpleParser(mail?.raw ?? '')).text ?? '') ?? [];
  const confirm = { token, password: 'another password' };
  expect((await call('POST', '/v1/password_reset/confirm', { body: confirm })).status).toBe(200);
  expect(codeOf(await call('POST', '/v1/password_reset/confirm', { body: confirm }))).toBe(
    '409 PASSWORD_RESET_NOT_FOUND',
  );
  expect((await login(viewer.email, 'another password')).status).toBe(200);
});
