import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from './store/database.ts';
import { migrate } from './store/migrate.ts';
import {
  call,
  eventually,
  launch,
  readTarget,
  start,
  stop,
  unpackDatabase,
} from './testing/service-process.ts';

let folder: string;
const closers: (() => Promise<unknown> | unknown)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendspec-start-'));
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts what cannot start: it has to say so in clear lines and end with 1. Returns the lines. */
async function failedStart(env: Record<string, string>): Promise<string[]> {
  const service = launch(folder, { SENDSPEC_LOG_LEVEL: 'error', ...env });
  expect(await service.exited, service.stderr()).toEqual({ code: 1, signal: null });
  expect(service.stdout()).toBe('');
  expect(service.stderr()).not.toMatch(/^\s+at /m);
  expect(service.stderr()).not.toContain('node:internal');
  const lines = service.stderr().trim().split('\n');
  for (const line of lines) expect(line).toMatch(/^sendspec: /);
  return lines;
}

/** A port that somebody else listens on. */
async function busyPort(host?: string): Promise<number> {
  const server = createServer().listen(0, host);
  await new Promise((resolve) => server.once('listening', resolve));
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

test('settings that cannot be used are all named', async () => {
  const lines = await failedStart({ PORT: 'http', SENDSPEC_DELIVERY: 'owl', SENDSPEC_OPS_PORT: '70000' });
  expect(lines).toEqual([
    'sendspec: PORT must be a whole number from 0 to 65535, not "http"',
    'sendspec: SENDSPEC_OPS_PORT must be a whole number from 0 to 65535, not "70000"',
    'sendspec: SENDSPEC_DELIVERY must be one of sandbox, relay, mx, not "owl"',
    'sendspec: All settings: sendspec serve --help',
  ]);
  await expect(stat(join(folder, 'data'))).rejects.toThrow('ENOENT');
});

test('an unreachable database', async () => {
  const DATABASE_URL = 'postgres://app:hunter2@127.0.0.1:1/mail';
  const lines = await failedStart({ DATABASE_URL });
  expect(lines).toEqual([expect.stringMatching(/database does not answer.*ECONNREFUSED.*DATABASE_URL/)]);
  expect(lines.join()).not.toContain('hunter2');
});

test('a data folder that cannot be made', async () => {
  await writeFile(join(folder, 'file'), '');
  const lines = await failedStart({ SENDSPEC_DATA_DIR: 'file/data' });
  expect(lines).toEqual([expect.stringMatching(/cannot be written to: .*file\/data.*SENDSPEC_DATA_DIR/)]);
});

test('a damaged certificate', async () => {
  await mkdir(join(folder, 'data/tls'), { recursive: true });
  for (const name of ['ca.pem', 'ca-key.pem']) await writeFile(join(folder, 'data/tls', name), 'damaged');
  expect(await failedStart({})).toEqual([expect.stringMatching(/ca\.pem is damaged.*Delete the folder/)]);
});

test('a certificate that is not there', async () => {
  const lines = await failedStart({ SENDSPEC_TLS_CERT: 'my.pem', SENDSPEC_TLS_KEY: 'my-key.pem' });
  expect(lines).toEqual([
    expect.stringMatching(/cannot read .*my\.pem: there is no such file.*SENDSPEC_TLS_CERT/),
  ]);
});

test('an address that is not of this machine', async () => {
  const lines = await failedStart({ SENDSPEC_HOST: '192.0.2.1' });
  expect(lines).toEqual([expect.stringMatching(/192\.0\.2\.1 is not an address.*SENDSPEC_HOST/)]);
});

test.each([
  ['PORT', 'the API', undefined],
  ['SENDSPEC_WEB_PORT', 'tracking and unsubscribing', undefined],
  ['SENDSPEC_OPS_PORT', 'health and metrics', '127.0.0.1'],
  ['SENDSPEC_SMTP_PORT', 'the mail server of the sandbox', '127.0.0.1'],
])('a busy port of %s names the listener and the setting, and can be mended', async (setting, what, host) => {
  const port = await busyPort(host);
  const lines = await failedStart({ [setting]: String(port) });
  expect(lines).toEqual([
    expect.stringMatching(
      new RegExp(`Port ${port} for ${what} is in use by another program\\..*set ${setting} to`),
    ),
  ]);
});

test('a folder written by a newer version, which stays as it is', async () => {
  const dataDir = join(folder, 'data');
  await unpackDatabase(join(dataDir, 'database'));
  const newer = await openDatabase({ dataDir });
  await migrate(newer);
  await sql`insert into kysely_migration (name, timestamp) values ('9999_future', '2099-01-01')`.execute(
    newer.db,
  );
  await newer.close();
  const [line = '', ...others] = await failedStart({});
  expect(others).toEqual([]);
  expect(line).toMatch(/newer/);
});

test('a start that failed leaves a folder that the next one can use, and one process alone', async () => {
  const port = await busyPort();
  await failedStart({ PORT: String(port) });
  const service = await start(folder);
  expect(service.stdout()).toContain('not against power loss');
  expect(service.stderr()).toContain('not against power loss');
  const [line = '', ...others] = await failedStart({});
  expect(others).toEqual([]);
  expect(line).toContain(`is in use by process ${service.pid}`);
  expect(line).toContain('SENDSPEC_DATA_DIR');
  const ready = await call(
    folder,
    'GET',
    new URL('/readyz', (await readTarget(folder)).hooks?.messages).href,
  );
  expect(ready.status).toBe(200);
  expect(await stop(service)).toEqual({ code: 0, signal: null });
});

test('Ctrl-C during the start ends it in order, and a kill does no harm', async () => {
  const hasBegun = () => stat(join(folder, 'data/database')).catch(() => undefined);
  const killed = launch(folder);
  await eventually(hasBegun);
  killed.kill('SIGKILL');
  await killed.exited;
  await rm(join(folder, 'data/sendspec.lock'));
  const interrupted = launch(folder);
  await eventually(() => stat(join(folder, 'data/sendspec.lock')).catch(() => undefined));
  const exit = await stop(interrupted);
  expect(exit, interrupted.stderr()).toEqual({ code: 0, signal: null });
});
