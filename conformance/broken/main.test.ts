import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

function start(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args]);
  const texts = { out: '', error: '' };
  child.stdout.on('data', (chunk) => {
    texts.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    texts.error += chunk;
  });
  return { child, texts };
}

test('the process writes its target, serves it with the fault, and ends when told to', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'broken-'));
  const file = join(folder, 'target.json');
  const { child, texts } = start('--fault', 'authentication.accounts-public', '--target', file);
  await once(child.stdout, 'data');
  const target = JSON.parse(await readFile(file, 'utf8'));
  expect(texts.out).toContain(target.base_url);
  expect((await fetch(`${target.base_url}/v1/accounts`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await rm(folder, { recursive: true });
});

test.each([['--fault', 'accounts.invented'], ['--variant', 'invented'], ['--invented']])(
  'what does not exist is a fault of the command line: %s',
  async (...args) => {
    const { child, texts } = start(...args);
    expect(await once(child, 'exit')).toEqual([2, null]);
    expect(texts.error).toContain('invented');
    expect(texts.error).toContain('Usage: ');
  },
);

test('every fault and variant can be listed', async () => {
  const { child, texts } = start('--list');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(texts.out).toMatch(/^accounts\.starts-disabled +a created account is disabled$/m);
  expect(texts.out).toMatch(/^slow +one answer in ten/m);
});
