import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { startMock } from './mock.ts';
import { run } from './testing/command.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'sendspec-mock-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('it says where it answers and what it never does, writes a target, and ends when it is told to', async () => {
  const file = join(folder, 'target.json');
  const child = spawn(process.execPath, ['mock/main.ts', '--port', '0', '--target', file], { cwd: ROOT });
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.includes('README')) break;
  }
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(lines[0] ?? '') ?? [];
  expect(lines.join(' ')).toMatch(/It keeps nothing: .* npm start/);
  const answer = await fetch(`${url}/v1/accounts`, { headers: { Authorization: 'Bearer any' } });
  expect(answer.status).toBe(200);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    base_url: url,
    tenants: [{ email: 'owner@demo.test' }],
  });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a port that is in use is named, with what to do', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { code, errors } = await run(['mock/main.ts', '--port', String(port)]);
  other.close();
  expect(code).toBe(1);
  expect(errors).toBe(
    `mock: Port ${port} for the mock is in use by another program. Stop that program, or set --port to another port (0 for any free one).\n`,
  );
});

test.each([
  [['--port', 'many'], 2, /--port has to be a whole number from 0 to 65535, not many/],
  [['--port', '65536'], 2, /not 65536/],
  [['--prot', '1'], 2, /--prot/],
  [['--host', '192.0.2.1', '--port', '0'], 1, /192.0.2.1 is not an address of this machine/],
  [['--port', '0', '--target', '/nonexistent/target.json'], 1, /target.json cannot be written/],
])('%j is explained', async (args, code, errors) => {
  const result = await run(['mock/main.ts', ...args]);
  expect(result.code).toBe(code);
  expect(result.errors).toMatch(errors);
  expect(result.errors).not.toMatch(/^\s+at /m);
});

test('--help shows the options', async () => {
  expect((await run(['mock/main.ts', '--help'])).output).toContain('--dynamic');
});

test('several mocks may run in one process, and closing one closes it alone', async () => {
  const [one, other] = await Promise.all([startMock({ port: 0 }), startMock({ port: 0, host: '127.0.0.1' })]);
  await one.close();
  const headers = { Authorization: 'Bearer any' };
  await expect(fetch(`${one.url}/v1/accounts`, { headers })).rejects.toThrow();
  expect((await fetch(`${other.url}/v1/accounts`, { headers })).status).toBe(200);
  await other.close();
});
