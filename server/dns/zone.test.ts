import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runCli } from '../cli.ts';
import {
  createDatabase,
  readTarget,
  type ServiceProcess,
  start,
  stop,
  type TestDatabase,
} from '../testing/service-process.ts';

let folder: string;
let database: TestDatabase;
let service: ServiceProcess;
let opsPort: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendspec-zone-'));
  database = await createDatabase();
  service = await start(folder, database.env);
  const { hooks } = await readTarget(folder);
  opsPort = new URL(hooks?.messages ?? '').port;
});
afterAll(async () => {
  await stop(service);
  await database.drop();
  await rm(folder, { recursive: true });
});

test('the zone has the bounce host and both DKIM keys of every sending domain', async () => {
  const { code, text } = await printZone(opsPort);
  expect(code).toBe(0);
  expect(text).toContain('bounces.mail.sendspec.test. 3600 IN MX 10 mail.sendspec.test.\n');
  expect(text).toContain('bounces.mail.sendspec.test. 3600 IN TXT "v=spf1 a:mail.sendspec.test -all"\n');
  const keys = [...text.matchAll(/^cs[12]-\w{12}\.dkim\.mail\.sendspec\.test\. 3600 IN TXT (.+)$/gm)];
  // Two demo domains with two selectors each.
  expect(keys).toHaveLength(4);
  for (const [, strings = ''] of keys) {
    const parts = [...strings.matchAll(/"([^"]*)"/g)].map(([, part = '']) => part);
    expect(parts.every((part) => part.length <= 255)).toBe(true);
    expect(parts.join('')).toMatch(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{390,}={0,2}$/);
  }
});

test('without a running service the command says what to do', async () => {
  const fault = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { code } = await printZone('1');
  expect(code).toBe(1);
  expect(fault.mock.lastCall?.[0]).toBe(
    'sendspec: No service answers at http://127.0.0.1:1/dns/zone. Start the service first, with the same SENDSPEC_OPS_PORT.',
  );
  fault.mockRestore();
});

async function printZone(port: string): Promise<{ code: number; text: string }> {
  let text = '';
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  const code = await runCli(['dns', 'zone'], { SENDSPEC_OPS_PORT: port });
  out.mockRestore();
  return { code, text };
}
