import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const GET = { operationId: 'getIt', responses: { 200: { description: 'It.' } } };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compatibility-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function documentOf(name: string, version: string, paths: object): Promise<string> {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'It', version }, paths }));
  return file;
}

function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [MAIN, ...args], (_error, out, err) =>
      done({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

test('the contract has the version that its changes since the release ask for', async () => {
  expect(await run()).toMatchObject({ code: 0, err: '' });
});

test('a break without its version fails, and says where, what and for whom', async () => {
  const old = await documentOf('old', '1.2.0', { '/it': { get: GET } });
  const { code, out, err } = await run(old, await documentOf('new', '1.3.0', {}));
  expect(code).toBe(1);
  expect(out).toContain('operation: it is gone');
  expect(out).toContain('operation-removed, for callers');
  expect(out).toContain('In GET /it.');
  expect(err).toContain('2.0.0 may do');
});

test('with its version it is printed, and passes', async () => {
  const old = await documentOf('old', '1.2.0', { '/it': { get: GET } });
  const { code, out, err } = await run(old, await documentOf('new', '2.0.0', {}));
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('it is gone');
});

test.each(['missing.json', 'broken.json'])('%s is a fault of the command, told in a line', async (name) => {
  await writeFile(join(folder, 'broken.json'), '{');
  const { code, err } = await run(join(folder, name));
  expect(code).toBe(2);
  expect(err).toMatch(/^[^\n]*(missing|broken)\.json[^\n]*\n$/);
});
