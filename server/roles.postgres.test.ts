import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Target } from './sandbox/target.ts';
import {
  basicOf,
  bearerOf,
  call,
  createDatabase,
  readTarget,
  type ServiceProcess,
  start,
  stop,
  type TestDatabase,
} from './testing/service-process.ts';

const BATCH = 500;
const MESSAGES = 2000;
// What is promised of a worker that dies.
const TAKEN_OVER_WITHIN_MS = 60_000;

let folder: string;
let database: TestDatabase;
let sql: pg.Client;
let processes: ServiceProcess[];
let ports: { web: string; smtp: string };
let target: Target;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendspec-roles-'));
  database = await createDatabase();
  processes = [];
  ports = { web: await freePort(), smtp: await freePort() };
  const api = await run('api', { SENDSPEC_WEB_PORT: ports.web, SENDSPEC_SMTP_PORT: ports.smtp });
  expect(api.stdout()).toContain('sendspec (api) is running.');
  target = await readTarget(folder);
  sql = new pg.Client(database.env.DATABASE_URL);
  await sql.connect();
});
afterEach(async () => {
  await Promise.all(processes.map(stop));
  await sql.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

async function run(role: string, env: Record<string, string>): Promise<ServiceProcess> {
  const settings = { ...database.env, SENDSPEC_ROLE: role, SENDSPEC_WORKER_CONCURRENCY: '20', ...env };
  const service = await start(folder, settings);
  processes.push(service);
  return service;
}

const runWorker = (env: Record<string, string> = {}) =>
  run('worker', { SENDSPEC_WEB_PORT: ports.web, ...env });

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(Object(address).port);
}

const recipientOf = (index: number) => `r${index}@example.com`;

async function send(recipients: readonly string[]): Promise<void> {
  const body = recipients.map((email) => ({
    from: { email: target.tenants[0]?.from_email },
    to: [{ email }],
    subject: 'Roles',
    body: { text: 'Hello', html: '<a href="https://example.com/">Hello</a>' },
    track_opens: true,
    track_clicks: true,
  }));
  const url = `${target.base_url}/v1/send_email`;
  const { status } = await call(folder, 'POST', url, { authorization: basicOf(target), body });
  expect(status).toBe(200);
}

async function sendAll(): Promise<void> {
  for (let first = 0; first < MESSAGES; first += BATCH) {
    await send(Array.from({ length: BATCH }, (_, index) => recipientOf(first + index)));
  }
}

async function count(query: string): Promise<number> {
  const { rows } = await sql.query(`select count(*)::int as number ${query}`);
  return rows[0].number;
}

const captured = () => count('from captured_mails');
const delivered = () => count(`from messages where delivery_status = 'delivery'`);

async function capturedMoreThanOnce(): Promise<string[]> {
  const { rows } = await sql.query(
    'select recipients[1] as recipient from captured_mails group by 1 having count(*) > 1',
  );
  return rows.map(({ recipient }) => recipient);
}

test('two workers deliver what one API accepts, each message once', async () => {
  await runWorker({ SENDSPEC_SMTP_PORT: ports.smtp });
  await runWorker();
  await sendAll();
  await expect.poll(delivered, { timeout: 100_000, interval: 200 }).toBe(MESSAGES);
  expect(await captured()).toBe(MESSAGES);
  expect(await capturedMoreThanOnce()).toEqual([]);
  expect(await count(`from message_events where type = 'delivery'`)).toBe(MESSAGES);
  expect(await count('from pgboss.job')).toBe(0);
});

test('a killed worker is taken over from, and only what it had in its hands may come twice', async () => {
  const victim = await runWorker({ SENDSPEC_SMTP_PORT: ports.smtp });
  await runWorker();
  await sendAll();
  await expect.poll(captured, { interval: 5 }).toBeGreaterThan(MESSAGES / 10);
  victim.kill('SIGKILL');
  await victim.exited;
  const { rows: held } = await sql.query(
    `select recipient_email from messages join pgboss.job on id = message_id where state = 'active'`,
  );
  await expect.poll(delivered, { timeout: TAKEN_OVER_WITHIN_MS, interval: 200 }).toBe(MESSAGES);
  const inHands = held.map((row) => row.recipient_email);
  for (const recipient of await capturedMoreThanOnce()) expect(inHands).toContain(recipient);
  expect(await count('from (select distinct recipients from captured_mails) as each')).toBe(MESSAGES);
  expect(await count('from pgboss.job')).toBe(0);
});

test('what happens in one process is seen by the others: visits, the clock, mails of the API itself', async () => {
  const worker = await runWorker({ SENDSPEC_SMTP_PORT: ports.smtp });
  expect(worker.stdout()).not.toContain('API');
  await send([target.simulator?.click ?? '']);
  await expect.poll(() => count(`from message_events where type = 'click'`)).toBe(1);

  const { email } = target.tenants[0] ?? {};
  const reset = await call(folder, 'POST', `${target.base_url}/v1/password_reset`, { body: { email } });
  expect(reset.status).toBe(200);
  await expect.poll(() => count(`from captured_mails where recipients[1] = '${email}'`)).toBe(1);

  await call(folder, 'POST', target.hooks?.advance_clock ?? '', { body: { advance_seconds: 90 * 86_400 } });
  target = await readTarget(folder);
  await bearerOf(folder, target);
  // The worker's clock writes the moment of the delivery.
  await expect
    .poll(
      async () => {
        await send([target.simulator?.delivery ?? '']);
        return await count(
          `from messages where delivery_status = 'delivery' and updated_at > now() + interval '89 days'`,
        );
      },
      { interval: 1000 },
    )
    .toBeGreaterThan(0);
});
