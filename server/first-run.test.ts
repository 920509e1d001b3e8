import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Target } from './sandbox/target.ts';
import {
  basicOf,
  bearerOf,
  call,
  commandUnder,
  createDatabase,
  eventually,
  paste,
  readTarget,
  type ServiceProcess,
  start,
  stop,
  type TestDatabase,
} from './testing/service-process.ts';

// One folder, started again and again, as people do, on PostgreSQL when DATABASE_URL is set. The tests follow each other.
let folder: string;
let service: ServiceProcess;
let target: Target;
let database: TestDatabase;

async function restart(): Promise<void> {
  service = await start(folder, database.env);
  target = await readTarget(folder);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendspec-first-'));
  database = await createDatabase();
  await restart();
});
afterAll(async () => {
  service.kill('SIGKILL');
  await service.exited;
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const ops = (path: string) => new URL(path, target.hooks?.messages).href;
const firstMail = { from: { email: 'hello@demo.test' }, subject: 'Hello', body: { text: 'Hello' } };

async function send(to: string, change: Record<string, unknown> = {}) {
  const { status, body } = await call(folder, 'POST', `${target.base_url}/v1/send_email`, {
    authorization: basicOf(target),
    body: [{ ...firstMail, to: [{ email: to }], ...change }],
  });
  expect(status, JSON.stringify(body)).toBe(200);
  const [result] = body.data as { message_id: string }[];
  return result?.message_id ?? '';
}

async function inbox(
  to: string,
): Promise<{ from: string; to: string[]; raw: string; received_at: string }[]> {
  const { body } = await call(folder, 'GET', ops(`/sandbox/messages?to=${to}`));
  return body.messages as never;
}

test('the printed commands send a first mail and show it', async () => {
  const sent = JSON.parse(await paste(folder, commandUnder(service.stdout(), 'Send a first mail')));
  expect(sent.data).toEqual([
    { message_id: expect.any(String), custom_id: '', status: 'accepted', errors: [] },
  ]);
  const look = commandUnder(service.stdout(), 'See it arrive');
  const [mail] = await eventually(async () => {
    const { messages } = JSON.parse(await paste(folder, look));
    return messages.length > 0 ? messages : undefined;
  });
  expect(mail).toMatchObject({
    to: ['someone@example.test'],
    from: expect.stringContaining(sent.data[0].message_id),
  });
  expect(mail.raw).toContain('Subject: First mail');
  expect(mail.raw).toContain('It works.');
});

test('target.json describes what runs, for its owner alone', async () => {
  const schema = JSON.parse(
    await readFile(new URL('../conformance/target.schema.json', import.meta.url), 'utf8'),
  );
  const ajv = new Ajv2020({ allErrors: true, strictRequired: false });
  formats.default(ajv);
  expect(ajv.validate(schema, target), JSON.stringify(ajv.errors)).toBe(true);
  expect(target.tenants.map(({ accounts }) => accounts.map(({ type }) => type))).toEqual([
    ['transactional', 'marketing'],
    ['transactional', 'marketing'],
  ]);
  for (const name of ['target.json', 'demo.json', 'tls/key.pem']) {
    expect((await stat(join(folder, 'data', name))).mode & 0o777).toBe(0o600);
  }
});

test('every credential in it works', async () => {
  expect(target.tenants.map(({ accounts }) => accounts.length)).toEqual([2, 2]);
  for (const tenant of target.tenants) {
    await bearerOf(folder, { ...target, tenants: [tenant] });
    for (const account of tenant.accounts) {
      const one = { ...target, tenants: [{ ...tenant, accounts: [account] }] };
      const { status } = await call(folder, 'POST', `${target.base_url}/v1/send_email`, {
        authorization: basicOf(one),
        body: [{ ...firstMail, from: { email: tenant.from_email }, to: [{ email: 'a@example.test' }] }],
      });
      expect(status).toBe(200);
    }
  }
});

test('each simulated address plays its outcome', async () => {
  const authorization = await bearerOf(folder, target);
  const tracked = {
    body: { html: '<p><a href="https://shop.demo.test/">Shop</a></p>' },
    track_opens: true,
    track_clicks: true,
    list_id: 'news.demo.test',
  };
  const addresses = Object.entries(target.simulator ?? {});
  expect(addresses).toHaveLength(7);
  for (const [outcome, address] of addresses) {
    const id = await send(address, tracked);
    const url = `${target.base_url}/v1/messages/${id}/events`;
    const events = await eventually(async () => {
      const { body } = await call(folder, 'GET', url, { authorization });
      const types = (body.data as { type: string }[]).map(({ type }) => type);
      return types.includes(outcome) ? types : undefined;
    });
    const isOfDelivery = ['delivery', 'hard_bounce', 'soft_bounce'].includes(outcome);
    expect(events).toEqual(isOfDelivery ? [outcome, 'new'] : [outcome, 'delivery', 'new']);
  }
});

test('it says that it is well, and what it has done', async () => {
  expect((await call(folder, 'GET', ops('/readyz'))).body).toEqual({ status: 'ready' });
  const metrics = await (await fetch(ops('/metrics'))).text();
  expect(metrics).toMatch(/sendspec_http_requests_total\{operation="sendEmail",status="200"\} [1-9]/);
  expect(metrics).toMatch(/sendspec_deliveries_total\{verdict="delivery"\} [1-9]/);
  expect(metrics).toMatch(/sendspec_deliveries_total\{verdict="hard_bounce"\} 1/);
  expect(metrics).toMatch(/sendspec_queue_jobs\{state="waiting"\} 0/);
});

test.each([
  ['{}'],
  ['{"advance_seconds": "60"}'],
  ['{"advance_seconds": -1}'],
  ['{"advance_seconds": 0}'],
  ['{"advance_seconds": 1e300}'],
  ['{"advance_seconds": null}'],
  ['[60]'],
  ['null'],
])('the clock refuses %s', async (body) => {
  const response = await fetch(ops('/sandbox/clock'), { method: 'POST', body });
  expect(response.status).toBe(422);
  expect(await response.json()).toEqual({ error: expect.stringContaining('advance_seconds') });
});

test.each(['?to=a@b.test&to=c@d.test', '?limit=0', '?limit=1001', '?limit=x', '?to=%00'])(
  'the inbox refuses %s',
  async (query) => {
    const response = await fetch(ops(`/sandbox/messages${query}`));
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({ error: expect.any(String) });
  },
);

test('a hook sends the events of an account to a URL, and to another one when it is asked again', async () => {
  const [account_id = '', other = ''] =
    target.tenants[0]?.accounts.map((account) => account.account_id) ?? [];
  const set = (body: unknown) => call(folder, 'POST', target.hooks?.set_webhook_url ?? '', { body });
  const first = await set({ account_id, url: 'http://127.0.0.1:9/one' });
  expect(first).toMatchObject({ status: 200, body: { webhook_id: expect.any(String) } });
  const { body: second } = await set({ account_id, url: 'http://127.0.0.1:9/two' });
  expect(second).toEqual({ webhook_id: first.body.webhook_id, secret: expect.stringMatching(/^whsec_/) });
  expect(second.secret).not.toBe(first.body.secret);
  expect((await set({ account_id: other, url: 'http://127.0.0.1:9/' })).body.webhook_id).not.toBe(
    second.webhook_id,
  );
  const authorization = await bearerOf(folder, target);
  const path = `${target.base_url}/v1/accounts/${account_id}/webhooks`;
  const { body } = await call(folder, 'GET', path, { authorization });
  expect(body.data).toMatchObject([{ url: 'http://127.0.0.1:9/two', status: 'enabled' }]);
  await call(folder, 'DELETE', `${path}/${second.webhook_id}`, { authorization });
  const { body: third } = await set({ account_id, url: 'http://127.0.0.1:9/three' });
  expect(third.webhook_id).not.toBe(second.webhook_id);
});

const ACCOUNT = '0198c2f0-7d2e-7a31-9c55-2f0b8c1d4e6a';
test.each([
  ['{}', 422, 'account_id'],
  ['null', 422, 'account_id'],
  ['{"account_id": 1, "url": "http://127.0.0.1/"}', 422, 'account_id'],
  ['{"account_id": "x", "url": "http://127.0.0.1/"}', 422, 'UUID'],
  [`{"account_id": "${ACCOUNT}", "url": "http://127.0.0.1/"}`, 409, ACCOUNT],
  [`{"account_id": "${ACCOUNT}", "url": "ftp://127.0.0.1/"}`, 422, 'https://'],
  [`{"account_id": "${ACCOUNT}", "url": "http://a:b@127.0.0.1/"}`, 422, 'password'],
  [`{"account_id": "${ACCOUNT}", "url": "http://127.0.0.1/\\u0000"}`, 422, 'URL'],
  [`{"account_id": "${ACCOUNT}", "url": "http://127.0.0.1/${'x'.repeat(2048)}"}`, 422, '2048'],
])('the hook for events refuses %s', async (body, status, said) => {
  const response = await fetch(ops('/sandbox/webhook'), { method: 'POST', body });
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error: expect.stringContaining(said) });
});

test('the clock moves what the service takes for now', async () => {
  const ahead = 3 * 86_400;
  const { status } = await call(folder, 'POST', ops('/sandbox/clock'), { body: { advance_seconds: ahead } });
  expect(status).toBe(200);
  const id = await send('clock@example.test');
  const authorization = await bearerOf(folder, target);
  const { body } = await call(folder, 'GET', `${target.base_url}/v1/messages/${id}`, { authorization });
  const { created_at } = body.data as { created_at: string };
  expect(Date.parse(created_at)).toBeGreaterThan(Date.now() + (ahead - 3600) * 1000);
});

test('after Ctrl-C and a second start everything is there again', async () => {
  const id = await send('before@example.test');
  await eventually(async () => (await inbox('before@example.test')).length);
  const before = target;
  expect(await stop(service)).toEqual({ code: 0, signal: null });
  await restart();
  expect(target.tenants).toEqual(before.tenants);
  expect(await inbox('BEFORE@example.test')).toHaveLength(1);
  const authorization = await bearerOf(folder, target);
  const { status, body } = await call(folder, 'GET', `${target.base_url}/v1/messages/${id}`, {
    authorization,
  });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ message_id: id, delivery_status: 'delivery' });
  const moved = await call(
    folder,
    'GET',
    `${target.base_url}/v1/messages/${await send('after@example.test')}`,
    { authorization },
  );
  const { created_at } = moved.body.data as { created_at: string };
  expect(Date.parse(created_at)).toBeGreaterThan(Date.now() + 86_400_000);
});

test('nothing accepted is lost when Ctrl-C comes in the middle', async () => {
  const recipients = Array.from({ length: 300 }, (_, index) => `flight-${index}@example.test`);
  const { status } = await call(folder, 'POST', `${target.base_url}/v1/send_email`, {
    authorization: basicOf(target),
    body: recipients.map((email) => ({ ...firstMail, to: [{ email }] })),
  });
  expect(status).toBe(200);
  expect(await stop(service)).toEqual({ code: 0, signal: null });
  await restart();
  const arrived = () => call(folder, 'GET', ops('/sandbox/messages?limit=1000'));
  const flown = await eventually(async () => {
    const { body } = await arrived();
    const mails = (body.messages as { to: string[] }[]).flatMap(({ to }) =>
      to.filter((email) => email.startsWith('flight-')),
    );
    return mails.length >= recipients.length ? mails : undefined;
  });
  // In order means exactly once.
  expect(flown.toSorted()).toEqual(recipients.toSorted());
});

test('when demo.json is lost, the same accounts get fresh credentials', async () => {
  const before = target;
  await stop(service);
  await writeFile(
    join(folder, 'data/demo.json'),
    '{"tenants": [{"email": "owner@demo.test", "password": 7, "acc',
  );
  await restart();
  const ids = (tenants: Target['tenants']) =>
    tenants.map(({ domain_id, accounts }) => [domain_id, ...accounts.map((account) => account.account_id)]);
  expect(ids(target.tenants)).toEqual(ids(before.tenants));
  expect(target.tenants[0]?.password).not.toBe(before.tenants[0]?.password);
  await bearerOf(folder, target);
  await send('fresh@example.test');
});

test('a request that is under way is answered before the end', async () => {
  const authorization = basicOf(target);
  const under = Array.from({ length: 20 }, () =>
    call(folder, 'POST', `${target.base_url}/v1/send_email`, {
      authorization,
      body: [{ ...firstMail, to: [{ email: 'last@example.test' }] }],
    }).then(
      ({ status }) => status,
      // Not yet accepted by the listener: the client knows that it was not served.
      (error: NodeJS.ErrnoException) => error.code,
    ),
  );
  const first = await Promise.race(under);
  service.kill('SIGTERM');
  expect(first).toBe(200);
  for (const outcome of await Promise.all(under))
    expect([200, 'ECONNREFUSED', 'ECONNRESET']).toContain(outcome);
  expect(await service.exited).toEqual({ code: 0, signal: null });
});

test('the log is JSON, line by line, and holds no secret', () => {
  const lines = service.stderr().trim().split('\n');
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  for (const tenant of target.tenants) {
    for (const secret of [tenant.password, ...tenant.accounts.map(({ api_key }) => api_key)]) {
      expect(service.stderr()).not.toContain(secret);
    }
  }
});
