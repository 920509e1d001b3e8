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
import { zoneFile } from './zone-file.ts';

let folder: string;
let database: TestDatabase;
let service: ServiceProcess;
let opsPort: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendspec-zone-'));
  database = await createDatabase(folder);
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
  const { code, text } = await printed(opsPort, 'dns', 'zone');
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

test('a key is rotated by the name or the id of its domain, and the command says what happens next', async () => {
  const keys = async () =>
    [...(await printed(opsPort, 'dns', 'zone')).text.matchAll(/p=[^"]+/g)].map(([key]) => key);
  const before = await keys();
  const first = await printed(opsPort, 'dkim', 'rotate', 'Demo.test');
  expect(first).toEqual({
    code: 0,
    text: expect.stringMatching(
      /^demo\.test \([\w-]{36}\): mail is signed with the new key, behind cs2\._domainkey\.demo\.test\.\n$/,
    ),
  });
  const after = await keys();
  expect(after.filter((key) => !before.includes(key))).toHaveLength(1);
  const [, id = ''] = /\(([\w-]{36})\)/.exec(first.text) ?? [];
  const fault = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(await printed(opsPort, 'dkim', 'rotate', id)).toEqual({ code: 1, text: '' });
  expect(fault.mock.lastCall?.[0]).toMatch(
    /^sendspec: demo\.test \([\w-]{36}\): not rotated, the key before this one stays published .*; rotate again after \S+\.$/,
  );
  fault.mockRestore();
});

test('behind a relay, whose addresses nobody here knows, SPF fails softly', () => {
  const facts = { mailHostname: 'mail.example.com', addresses: [] };
  expect(zoneFile(facts, [])).toContain('"v=spf1 a:mail.example.com -all"');
  expect(zoneFile({ ...facts, isRelayed: true }, [])).toContain('"v=spf1 a:mail.example.com ~all"');
});

test('an unknown domain, or none, is a fault of the command line', async () => {
  const fault = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(await printed(opsPort, 'dkim', 'rotate', 'nobody.test')).toEqual({ code: 1, text: '' });
  expect(fault.mock.lastCall?.[0]).toBe('sendspec: There is no sending domain nobody.test.');
  expect(await printed(opsPort, 'dkim', 'rotate')).toEqual({ code: 2, text: '' });
  expect(await printed(opsPort, 'dkim')).toEqual({ code: 2, text: '' });
  fault.mockRestore();
});

test('without a running service the command says what to do', async () => {
  const fault = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { code } = await printed('1', 'dns', 'zone');
  expect(code).toBe(1);
  expect(fault.mock.lastCall?.[0]).toBe(
    'sendspec: No service answers at http://127.0.0.1:1/dns/zone. Start the service first, with the same SENDSPEC_OPS_PORT.',
  );
  fault.mockRestore();
});

async function printed(port: string, ...command: string[]): Promise<{ code: number; text: string }> {
  let text = '';
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  const code = await runCli(command, { SENDSPEC_OPS_PORT: port });
  out.mockRestore();
  return { code, text };
}
