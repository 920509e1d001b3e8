import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';

// The step that judges, run in bash as the runner runs it, with a stub in the place of the suite.

interface Step {
  id?: string;
  shell?: string;
  env?: Record<string, string>;
  run?: string;
}
interface Action {
  inputs: Record<string, { description: string; required?: boolean; default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: Step[] };
}

const ACTION: Action = parse(await readFile(new URL('../action.yml', import.meta.url), 'utf8'));
const STEPS = ACTION.runs.steps;
const JUDGE = STEPS.find(({ id }) => id === 'judge') ?? {};

// Writes down what it was called with, one JSON list; says what it is told to; exits as it is told to.
const STUB = `import { writeFileSync } from 'node:fs';
writeFileSync(process.env.CALLED, JSON.stringify(process.argv.slice(2)));
console.log(process.env.SAYS ?? 'all well');
process.exitCode = Number(process.env.EXITS ?? 0);
`;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendspec-action-'));
  await mkdir(join(folder, 'the suite/conformance'), { recursive: true });
  await mkdir(join(folder, 'workspace'));
  await writeFile(join(folder, 'the suite/conformance/main.ts'), STUB);
  const node = join(folder, 'node');
  await writeFile(node, `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  await chmod(node, 0o755);
});

afterEach(() => rm(folder, { recursive: true }));

interface Ran {
  code: number;
  stdout: string;
  args: string[];
  outputs: string;
  summary: string;
  /** What lies in the workspace afterwards. */
  workspace: string[];
}

async function judge(
  inputs: Record<string, string>,
  stub: { SAYS?: string; EXITS?: string } = {},
): Promise<Ran> {
  const file = (name: string) => join(folder, name);
  await Promise.all(['outputs', 'summary'].map((name) => writeFile(file(name), '')));
  const env = {
    PATH: [folder, process.env.PATH].join(delimiter),
    CALLED: file('called'),
    GITHUB_OUTPUT: file('outputs'),
    GITHUB_STEP_SUMMARY: file('summary'),
    ...environmentOf(inputs),
    ...stub,
  };
  // As the runner does it: the script in a file, and bash told to stop at the first fault.
  await writeFile(file('step.sh'), JUDGE.run ?? '');
  const bash = ['--noprofile', '--norc', '-eo', 'pipefail', file('step.sh')];
  const [code, stdout] = await new Promise<[number, string]>((resolve) => {
    execFile('bash', bash, { cwd: file('workspace'), env }, (error, out) =>
      resolve([error === null ? 0 : Number(error.code), out]),
    );
  });
  return {
    code,
    stdout,
    args: JSON.parse(await readFile(file('called'), 'utf8')),
    outputs: await readFile(file('outputs'), 'utf8'),
    summary: await readFile(file('summary'), 'utf8'),
    workspace: await readdir(file('workspace')),
  };
}

/** The step's environment, its expressions replaced as the runner replaces them. */
function environmentOf(inputs: Record<string, string>): Record<string, string> {
  const values = Object.entries(JUDGE.env ?? {}).map(([name, expression]) => {
    const [, input] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(expression) ?? [];
    const value =
      input === undefined
        ? join(folder, 'the suite')
        : (inputs[input] ?? ACTION.inputs[input]?.default ?? '');
    return [name, value];
  });
  return Object.fromEntries(values);
}

test('takes every input by the environment, and none in the text of a script', () => {
  for (const { run = '' } of STEPS) expect(run).not.toContain('${{');
  const given = Object.values(JUDGE.env ?? {});
  for (const name of Object.keys(ACTION.inputs)) expect(given).toContain(`\${{ inputs.${name} }}`);
  expect(Object.keys(ACTION.outputs)).toEqual(['verdict', 'report']);
});

test('hands over what was given, and nothing for what was not', async () => {
  expect((await judge({ target: 'target.json' })).args).toEqual([
    '--target=target.json',
    '--report=conformance-report',
  ]);
  const all = {
    target: 't.json',
    profile: 'core',
    seed: 'random',
    only: 'a.b,c.d',
    baseline: 'known.yaml',
    report: 'out',
  };
  expect((await judge(all)).args).toEqual([
    '--target=t.json',
    '--report=out',
    '--profile=core',
    '--seed=random',
    '--only=a.b,c.d',
    '--baseline=known.yaml',
  ]);
});

const HOSTILE = [
  '"; touch pwned; "',
  "'; touch pwned; '",
  '$(touch pwned)',
  '`touch pwned`',
  `\${IFS}touch\${IFS}pwned`,
  'a b\ntouch pwned\n',
  '*',
  '--help',
  '-o /dev/null || touch pwned',
  '%s%n\\n\u0007',
];

test.each(HOSTILE)('leaves %j as it is', async (value) => {
  const names = ['target', 'profile', 'seed', 'only', 'baseline', 'report'];
  const ran = await judge(Object.fromEntries(names.map((name) => [name, value])));
  expect(ran.args.sort()).toEqual(names.map((name) => `--${name}=${value}`).sort());
  expect(ran.workspace).toEqual([]);
  expect(ran.code).toBe(0);
});

test.each([
  ['0', 'conformant'],
  ['1', 'not_conformant'],
  ['2', 'error'],
  ['3', 'partial'],
  ['139', 'error'],
])('exit code %s is the verdict %s', async (exits, verdict) => {
  const ran = await judge({ target: 't.json' }, { EXITS: exits });
  expect(ran.code).toBe(Number(exits));
  expect(ran.outputs).toMatch(new RegExp(`^verdict=${verdict}\nreport<<(\\S+)\nconformance-report\n\\1\n$`));
  expect(ran.summary).toContain(`## Conformance: ${verdict}`);
});

test('a folder with a line break gives no further output', async () => {
  const { outputs } = await judge({ target: 't.json', report: 'out\nverdict=conformant' }, { EXITS: '1' });
  const [, word = ''] = /^report<<(\S+)$/m.exec(outputs) ?? [];
  expect(outputs).toBe(`verdict=not_conformant\nreport<<${word}\nout\nverdict=conformant\n${word}\n`);
  expect(word).toMatch(/^[\da-f-]{36}$/);
});

test('what a server says is neither a command to the runner nor markup of the summary', async () => {
  const { stdout, summary } = await judge(
    { target: 't.json' },
    { SAYS: '::error::hacked\n</pre><h1>All conformant</h1>&' },
  );
  const [, word = ''] = /^::stop-commands::(\S+)$/m.exec(stdout) ?? [];
  const between = stdout.slice(stdout.indexOf('::stop-commands::'), stdout.lastIndexOf(`::${word}::`));
  expect(between).toContain('::error::hacked');
  expect(summary.match(/<[^>]+>/g)).toEqual(['<pre>', '</pre>']);
  expect(summary).toContain('&lt;h1&gt;All conformant&lt;/h1&gt;&amp;');
});
