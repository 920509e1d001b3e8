import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCli } from './cli.ts';
import { SETTINGS } from './settings.ts';

const out: string[] = [];
const err: string[] = [];

beforeEach(() => {
  out.length = 0;
  err.length = 0;
  vi.spyOn(console, 'log').mockImplementation((line) => void out.push(String(line)));
  vi.spyOn(console, 'error').mockImplementation((line) => void err.push(String(line)));
});
afterEach(() => vi.restoreAllMocks());

test.each([[[]], [['help']], [['--help']], [['-h']]])('%o prints the commands', async (args) => {
  expect(await runCli(args, {})).toBe(0);
  expect(out.join()).toContain('serve');
  expect(err).toEqual([]);
});

test('serve --help lists every setting', async () => {
  expect(await runCli(['serve', '--help'], { PORT: 'nonsense' })).toBe(0);
  for (const { name, description } of Object.values(SETTINGS)) {
    expect(out.join()).toContain(name);
    expect(out.join()).toContain(description);
  }
});

test('--version is the version of the package', async () => {
  expect(await runCli(['--version'], {})).toBe(0);
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  expect(out).toEqual([version]);
});

test.each([[['sevre']], [['serve', '--port', '80']], [['__proto__']], [['']]])(
  '%o is a wrong command line',
  async (args) => {
    expect(await runCli(args, {})).toBe(2);
    expect(err.join()).toMatch(/^sendspec: .*see sendspec help$/);
    expect(out).toEqual([]);
  },
);
