import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../generated/types.ts';
import { loadConfig } from './config.ts';
import { peer } from './delivery/testing.ts';
import { createLogger } from './operations/logger.ts';
import { startService } from './service.ts';
import { createTenant } from './store/testing.ts';
import { createCall } from './testing/http-call.ts';
import { createDatabase, type TestDatabase } from './testing/service-process.ts';
import { type Answer, type Call, eventually, startApi, type TestApi, type TestTenant } from './testing.ts';

type Schemas = components['schemas'];
type Message = Schemas['Message'];

const mailTo = (email: string, change: Record<string, unknown> = {}) => ({
  from: { email: 'hello@demo.test', name: 'Demo' },
  to: [{ email }],
  subject: `Mail to ${email}`,
  body: { text: 'It works.' },
  custom_id: `to ${email}`,
  ...change,
});

const ALWAYS = { period_from: '2000-01-01', period_to: '2100-01-01' };

/** Everything that the service says about its mail, to somebody with these credentials. */
async function readAll(call: Call, options: { token?: string } = {}) {
  const get = async (path: string, query: Record<string, string | number> = {}): Promise<Answer> => {
    const answer = await call('GET', path, { ...options, query });
    expect(answer.status).toBe(200);
    return answer;
  };
  const messages = (await get('/v1/messages', { limit: 1000 })).data as Message[];
  const events = new Map<string, Schemas['MessageEvent'][]>();
  for (const { message_id: id } of messages) {
    events.set(id, (await get(`/v1/messages/${id}/events`)).data as Schemas['MessageEvent'][]);
  }
  const statistics = (await get('/v1/stats', { ...ALWAYS, all_accounts: 1 })).data as Schemas['Statistics'];
  const { text } = await get('/v1/messages/export');
  const rows = parse(text, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
  const suppressions = (await get('/v1/suppressions')).data as Schemas['Suppression'][];
  return { messages, events, statistics, rows, suppressions };
}

/** Waits until no message of the caller is new any more. */
async function settled(call: Call, options: { token?: string } = {}): Promise<void> {
  await eventually(async () => {
    const { data } = await call('GET', '/v1/messages', { ...options, query: { limit: 1000 } });
    return (data as Message[]).every((message) => message.delivery_status !== 'new');
  });
}

describe('in the sandbox', () => {
  let api: TestApi;
  let tenant: TestTenant;
  const outcomes = {
    'ada@customer.test': 'delivery',
    'delivery@simulator.test': 'delivery',
    'hard_bounce+tag@simulator.test': 'hard_bounce',
    'soft_bounce@simulator.test': 'soft_bounce',
  } as const;
  const addresses = Object.keys(outcomes) as (keyof typeof outcomes)[];

  beforeAll(async () => {
    api = await startApi();
    tenant = await api.createTenant();
    const body = addresses.map((address) => mailTo(address));
    const { status } = await api.call('POST', '/v1/send_email', { basic: tenant.account, body });
    expect(status).toBe(200);
    await settled(tenant.call);
  });
  afterAll(() => api.close());

  it('messages, events, statistics, export and inbox tell the same story', async () => {
    const { messages, events, statistics, rows } = await readAll(tenant.call);
    expect(messages.map((message) => message.recipient_email).sort()).toEqual(addresses.toSorted());
    for (const message of messages) {
      const address = message.recipient_email as keyof typeof outcomes;
      const [last, first, ...none] = events.get(message.message_id) ?? [];
      expect(none).toEqual([]);
      expect(first).toEqual({ type: 'new', received_at: message.created_at, details: {} });
      expect(last).toMatchObject({ type: outcomes[address], received_at: message.updated_at });
      expect(message).toMatchObject({ delivery_status: outcomes[address], custom_id: `to ${address}` });
      const reply = last && 'smtp_response' in last.details ? last.details.smtp_response : '';
      const row = rows.find((one) => one.message_id === message.message_id);
      expect(row).toMatchObject({ delivery_status: outcomes[address], smtp_response: reply });
      const arrived = await api.mailsTo(address);
      expect(arrived).toHaveLength(outcomes[address] === 'delivery' ? 1 : 0);
      for (const raw of arrived) {
        expect(raw).toContain(`Message-ID: <${message.message_id}@demo.test>`);
        expect(raw).toContain(`X-Message-Custom-Id: to ${address}`);
        expect(raw).toContain(`Subject: Mail to ${address}`);
      }
    }
    const { stats_summary: summary, breakdown = [] } = statistics;
    expect(summary).toMatchObject({ messages: 4, delivery: 2, hard_bounce: 1, soft_bounce: 1, open: 0 });
    expect(breakdown).toEqual([
      { ...summary, account_id: tenant.account.account_id, account_name: tenant.account.name },
    ]);
  });

  it('a hard bounce suppresses the address in its account, and nothing else does', async () => {
    const { messages, suppressions } = await readAll(tenant.call);
    const bounced = messages.find((message) => message.delivery_status === 'hard_bounce');
    expect(suppressions).toEqual([
      {
        suppression_id: expect.any(String),
        account_id: tenant.account.account_id,
        account_name: tenant.account.name,
        created_at: bounced?.updated_at,
        message_custom_id: bounced?.custom_id,
        message_id: bounced?.message_id,
        reason: '',
        recipient_email: 'hard_bounce+tag@simulator.test',
        type: 'hard_bounce',
      },
    ]);
    const again = mailTo('Hard_Bounce+TAG@simulator.test');
    const { data } = await api.call('POST', '/v1/send_email', { basic: tenant.account, body: [again] });
    expect(data).toMatchObject([{ status: 'rejected', code: 'EMAIL_SUPPRESSED' }]);
    const other = await api.createAccount(tenant, 'Other');
    await api.createDomain(tenant, 'other.test', [other]);
    const body = [{ ...again, from: { email: 'hello@other.test' } }];
    expect((await api.call('POST', '/v1/send_email', { basic: other, body })).status).toBe(200);
    await settled(tenant.call);
  });
});

describe('over a relay that defers', () => {
  let api: TestApi;
  afterEach(() => api.close());

  async function startWithRelay() {
    let refusals = 0;
    const relay = await peer({
      onRcptTo(_address, _session, done) {
        if (refusals === 0) return done();
        refusals -= 1;
        return done(Object.assign(new Error('4.3.2 Come back later'), { responseCode: 451 }));
      },
    });
    const url = `smtp://127.0.0.1:${relay.port}`;
    api = await startApi({ SENDSPEC_DELIVERY: 'relay', SENDSPEC_SMTP_URL: url });
    // Without the sandbox no domain verifies without DNS.
    const { account, apiKey, email, password, userId } = await createTenant(api.store);
    const { token } = await api.signIn({ user_id: userId, email, password });
    const basic = { account_id: account.account_id, api_key: apiKey };
    const send = async (address: string) => {
      const { status, data } = await api.call('POST', '/v1/send_email', { basic, body: [mailTo(address)] });
      expect(status).toBe(200);
      return (data as { message_id: string }[])[0]?.message_id ?? '';
    };
    return { relay, token, account, send, refuse: (times: number) => (refusals = times) };
  }

  it('the message is tried again when its time has come, and not before', async () => {
    const { relay, token, send, refuse } = await startWithRelay();
    refuse(1);
    const id = await send('ada@customer.test');
    await settled(api.call, { token });
    const waiting = await readAll(api.call, { token });
    expect(waiting.messages).toMatchObject([{ message_id: id, delivery_status: 'soft_bounce' }]);
    expect(waiting.rows[0]?.smtp_response).toContain('451');
    expect(await api.queue.depth()).toEqual({ ready: 0, waiting: 1, active: 0 });
    expect(relay.received).toEqual([]);

    await api.advance(6 * 60);
    await eventually(() => relay.received.length > 0);
    await eventually(async () => {
      const { waiting, active } = await api.queue.depth();
      return waiting + active === 0;
    });
    const { messages, events, statistics, rows, suppressions } = await readAll(api.call, { token });
    expect(messages).toMatchObject([{ message_id: id, delivery_status: 'delivery' }]);
    expect(events.get(id)).toMatchObject([
      { type: 'delivery', details: { smtp_response: expect.stringMatching(/^250 /) } },
      { type: 'soft_bounce', details: { smtp_response: expect.stringMatching(/^451 .*later/) } },
      { type: 'new' },
    ]);
    expect(statistics.stats_summary).toMatchObject({
      messages: 1,
      soft_bounce: 1,
      delivery: 1,
      hard_bounce: 0,
    });
    expect(rows[0]?.smtp_response).toMatch(/^250 /);
    expect(suppressions).toEqual([]);
    expect(relay.received.map(({ to }) => to)).toEqual([['ada@customer.test']]);
  });

  it('deleting the account cancels what waits', async () => {
    const { relay, token, account, send, refuse } = await startWithRelay();
    refuse(2);
    await Promise.all([send('ada@customer.test'), send('bela@customer.test')]);
    await settled(api.call, { token });
    expect((await api.queue.depth()).waiting).toBe(2);
    const { status } = await api.call('DELETE', `/v1/accounts/${account.account_id}`, { token });
    expect(status).toBe(200);
    expect(await api.queue.depth()).toEqual({ ready: 0, waiting: 0, active: 0 });
    await api.advance(24 * 3600);
    expect(relay.received).toEqual([]);
  });
});

describe('after a restart', () => {
  let folder: string;
  let database: TestDatabase;
  const agent = new Agent({ keepAlive: true });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sendspec-journey-'));
    database = await createDatabase();
  });
  afterAll(async () => {
    agent.destroy();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The whole service on the folder, and a session of its first demo user. */
  async function start() {
    const config = loadConfig({
      ...database.env,
      PORT: '0',
      SENDSPEC_WEB_PORT: '0',
      SENDSPEC_SMTP_PORT: '0',
      SENDSPEC_OPS_PORT: '0',
      SENDSPEC_INSECURE_HTTP: '1',
      SENDSPEC_RATE_LIMIT: '0',
      SENDSPEC_DATA_DIR: folder,
    });
    const faults: string[] = [];
    const service = await startService(
      config,
      createLogger('error', { write: (line) => void faults.push(line) }),
    );
    const call = createCall(service.addresses.apiPort, agent);
    const { email = '', password = '', accounts = [] } = service.tenants[0] ?? {};
    const { json } = await call('POST', '/v1/login', { body: { email, password, grant_type: 'password' } });
    const inbox = async (to: string) => {
      const response = await fetch(`http://127.0.0.1:${service.addresses.opsPort}/sandbox/messages?to=${to}`);
      return ((await response.json()) as { messages: { raw: string }[] }).messages;
    };
    return {
      call,
      inbox,
      token: (json as Schemas['Token']).access_token,
      basic: accounts[0] ?? { account_id: '', api_key: '' },
      stop: async () => {
        await service.stop();
        expect(faults).toEqual([]);
      },
    };
  }

  it('everything is found again, and what was queued is delivered, once', async () => {
    const first = await start();
    const once = mailTo('ada@customer.test', { custom_id: 'only once', custom_id_unique: true });
    await first.call('POST', '/v1/send_email', { basic: first.basic, body: [once] });
    await settled(first.call, { token: first.token });
    const before = await readAll(first.call, { token: first.token });
    const inboxBefore = await first.inbox('ada@customer.test');
    expect(before.messages).toHaveLength(1);
    expect(inboxBefore).toHaveLength(1);
    const crowd = Array.from({ length: 100 }, (_, index) => mailTo(`customer-${index}@customer.test`));
    const { data } = await first.call('POST', '/v1/send_email', { basic: first.basic, body: crowd });
    await first.stop();

    const second = await start();
    expect(await second.inbox('ada@customer.test')).toEqual(inboxBefore);
    await settled(second.call, { token: second.token });
    const after = await readAll(second.call, { token: first.token });
    expect(after.messages.slice(-1)).toEqual(before.messages);
    expect(after.rows.slice(-1)).toEqual(before.rows);
    for (const [id, events] of before.events) expect(after.events.get(id)).toEqual(events);
    expect(after.statistics.stats_summary).toMatchObject({ messages: 101, delivery: 101, soft_bounce: 0 });
    const ids = (data as { message_id: string }[]).map((item) => item.message_id);
    expect(new Set(after.messages.slice(0, -1).map((message) => message.message_id))).toEqual(new Set(ids));
    for (const { to } of crowd) expect(await second.inbox(to[0]?.email ?? '')).toHaveLength(1);
    const again = await second.call('POST', '/v1/send_email', { basic: first.basic, body: [once] });
    expect(again.data).toMatchObject([{ code: 'CUSTOM_ID_NOT_UNIQUE' }]);
    await second.stop();
  });
});
