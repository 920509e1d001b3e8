import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { rules } from './plugin.ts';

const redocly = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));
const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url));
const names = Object.keys(rules);
/** Their fixtures are named in the configuration, since they are the only ones these rules judge. */
const documentRules = ['core-operations', 'file-names'];

interface Problem {
  ruleId: string;
  message: string;
}

/** What the real linter finds, by fixture (`no-nullable/bad`): one run judges them all. */
async function lintFixtures(): Promise<Map<string, Problem[]>> {
  const keys = names.flatMap((name) => [`${name}/good`, `${name}/bad`]);
  const targets = keys.map((key) =>
    documentRules.some((name) => key.startsWith(`${name}/`)) ? key.replace('/', '-') : `${key}.yaml`,
  );
  const args = [redocly, 'lint', ...targets, '--config=redocly.yaml', '--format=json', '--max-problems=1000'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const [output, complaints] = await new Promise<[string, string]>((done) => {
    // The exit code is 1 whenever a problem is found; a run that broke is told by the reports that are missing.
    execFile(process.execPath, args, { cwd: fixtures, env, maxBuffer: 1e8 }, (_error, stdout, stderr) =>
      done([stdout, stderr]),
    );
  });
  const reports = output.split(/(?<=^\})(?=\{$)/m);
  if (reports.length !== keys.length) throw new Error(`The linter broke: ${complaints}`);
  return new Map(
    keys.map((key, i) => [key, (JSON.parse(reports[i] ?? '') as { problems: Problem[] }).problems]),
  );
}

/** The parts of messages that the comments of a fixture announce. */
async function announced(file: string): Promise<string[]> {
  const text = await readFile(join(fixtures, file), 'utf8');
  return [...text.matchAll(/# wrong: (.+)$/gm)].map(([, part]) => part ?? '');
}

let found: Map<string, Problem[]>;
beforeAll(async () => {
  found = await lintFixtures();
});

describe.each(names)('%s', (name) => {
  test('lets the good fixture pass', () => {
    expect(found.get(`${name}/good`)).toEqual([]);
  });

  test('finds every mistake of the bad fixture, and no other rule finds one', async () => {
    const problems = found.get(`${name}/bad`) ?? [];
    const expected = await announced(`${name}/bad.yaml`);
    expect(new Set(problems.map(({ ruleId }) => ruleId))).toEqual(new Set([`sendspec/${name}`]));
    for (const part of expected) {
      const matching = problems.filter(({ message }) => message.includes(part));
      expect(matching, `${part}\namong:\n${problems.map(({ message }) => message).join('\n')}`).not.toEqual(
        [],
      );
    }
    expect(problems.map(({ message }) => message)).toHaveLength(expected.length);
  });

  test('says the rule and the fix', () => {
    for (const { message } of found.get(`${name}/bad`) ?? [])
      expect(message).toMatch(/^[^:]+: .+\.$|, so .+\.$/s);
  });

  test('is switched on for the contract and explained', async () => {
    const config = await readFile(new URL('../redocly.yaml', import.meta.url), 'utf8');
    expect(config).toMatch(new RegExp(`^ {2}sendspec/${name}:`, 'm'));
    const readme = await readFile(new URL('README.md', import.meta.url), 'utf8');
    expect(readme).toContain(`| \`${name}\` |`);
  });
});

test('every rule has a folder of fixtures, and every folder a rule', async () => {
  const entries = await readdir(fixtures, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(folders.sort()).toEqual([...names].sort());
});

test('every file of the contract is reached from its root', async () => {
  const root = fileURLToPath(new URL('../', import.meta.url));
  const reached = new Set<string>();
  const follow = async (file: string): Promise<void> => {
    if (reached.has(file)) return;
    reached.add(file);
    const text = await readFile(file, 'utf8');
    const targets = [...text.matchAll(/\$ref: '?([^'#\s]+\.yaml)/g)].map(([, target]) => target ?? '');
    await Promise.all(targets.map((target) => follow(join(file, '..', target))));
  };
  await follow(join(root, 'openapi.yaml'));
  const folders = ['paths', 'webhooks', 'components'];
  const files = await Promise.all(folders.map((folder) => readdir(join(root, folder), { recursive: true })));
  const present = files.flatMap((list, i) => list.map((file) => join(root, folders[i] ?? '', file)));
  expect(present.filter((file) => file.endsWith('.yaml') && !reached.has(file))).toEqual([]);
});
