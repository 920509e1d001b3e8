import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from './installed.ts';

// CONTRIBUTING.md, "A field, from the document to a passing test", done as written, in a clone of its own.
const [, section = ''] =
  /### A field, from the document to a passing test\n([\s\S]*?)\n## /.exec(
    readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'),
  ) ?? [];
const steps = [...section.matchAll(/```(diff|sh)\n([\s\S]*?)```/g)].flatMap(([, kind, text = '']) =>
  kind === 'diff'
    ? [{ kind, text }]
    : text
        .trim()
        .split('\n')
        .map((line) => ({ kind, text: line })),
);
const folder = mkdtempSync(join(tmpdir(), 'sendspec-walk-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(program: string, args: readonly string[], input = ''): string | undefined {
  try {
    return execFileSync(program, args, {
      cwd: folder,
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  } catch {
    return undefined;
  }
}

test('has edits, commands, and a test that is red before it is green', () => {
  expect(steps.filter(({ kind }) => kind === 'diff')).toHaveLength(2);
  expect(steps.filter(({ text }) => text.includes('# fails'))).toHaveLength(1);
  execFileSync('git', ['clone', '--quiet', ROOT, folder]);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});

test.each(steps)(
  '$text',
  ({ kind, text }) => {
    const isDone = kind === 'diff' ? run('git', ['apply', '--recount'], text) : run('bash', ['-c', text]);
    expect(isDone !== undefined).toBe(!text.includes('# fails'));
  },
  300_000,
);
