import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { applyBaseline, type Baseline, BaselineError, loadBaseline } from './baseline.ts';
import type { Report } from './model.ts';
import { conformantReport, sampleReport } from './testing.ts';

const directory = await mkdtemp(join(tmpdir(), 'sendspec-baseline-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

const REQUIREMENTS = new Set(sampleReport().requirements.map(({ id }) => id));

async function load(text: string): Promise<Baseline> {
  const file = join(directory, 'known.yaml');
  await writeFile(file, text);
  return loadBaseline(file, REQUIREMENTS);
}

/** The sample with nothing that stops or limits it: two requirements fail. */
function failingReport(): Report {
  const report = sampleReport();
  const requirements = report.requirements.filter(
    ({ outcome }) => outcome !== 'error' && outcome !== 'untested',
  );
  const none = { untested: 0, error: 0 };
  const summary = {
    requirements: { ...report.summary.requirements, ...none },
    checks: { ...report.summary.checks, ...none },
  };
  return { ...report, requirements, summary };
}

test('the list may be YAML or JSON, with reasons or without', async () => {
  const entries = [
    { id: 'accounts.starts-active' },
    { id: 'messages.text-stays-text', reason: 'fixed in 2.5' },
  ];
  const yaml = `# what we know\n- accounts.starts-active\n- id: messages.text-stays-text\n  reason: fixed in 2.5\n`;
  expect((await load(yaml)).entries).toEqual(entries);
  expect((await load(JSON.stringify(entries))).entries).toEqual(entries);
  expect((await load('[]')).entries).toEqual([]);
});

test.each([
  ['', 'expected a list of requirement ids'],
  ['accounts.starts-active', 'expected a list of requirement ids'],
  ['known: [accounts.starts-active]', 'expected a list of requirement ids'],
  ['- [1', /neither JSON nor YAML: .* at line 1, column \d+$/],
  ['- *x', 'neither JSON nor YAML: Unresolved alias'],
  ['- 5', 'entry 1: expected a list'],
  ['- accounts.starts-active\n- null', 'entry 2: expected a list'],
  ['- reason: because', 'entry 1: the id of a requirement is missing'],
  ['- {id: accounts.starts-active, reson: x}', 'entry 1: there is no "reson", only id and reason'],
  ['- {id: accounts.starts-active, reason: [x]}', 'entry 1: the reason has to be a text'],
  ['- accounts.starts-activ', 'accounts.starts-activ is no requirement of this suite'],
  ['- accounts.starts-active\n- accounts.starts-active', 'accounts.starts-active is listed twice'],
])('a list like %j is refused', async (text, message) => {
  await expect(load(text)).rejects.toThrow(message);
  await expect(load(text)).rejects.toThrow(BaselineError);
  await expect(load(text)).rejects.toThrow(join(directory, 'known.yaml'));
});

test('a file that cannot be read is named', () => {
  expect(() => loadBaseline(join(directory, 'none.yaml'))).toThrow(/none\.yaml: cannot be read/);
  expect(() => loadBaseline(directory)).toThrow('cannot be read');
});

test('known failures do not fail the run, and the verdict stays', async () => {
  const baseline = await load('- accounts.starts-active\n- {id: messages.text-stays-text, reason: soon}');
  const report = applyBaseline(failingReport(), baseline);
  expect(report).toMatchObject({ exit_code: 0, verdict: 'not_conformant' });
  expect(report.baseline).toEqual({
    file: baseline.file,
    known: [{ id: 'accounts.starts-active' }, { id: 'messages.text-stays-text', reason: 'soon' }],
    new: [],
    now_passing: [],
  });
});

test('a new failure fails the run', async () => {
  const report = applyBaseline(failingReport(), await load('- accounts.starts-active'));
  expect(report).toMatchObject({ exit_code: 1, baseline: { new: ['messages.text-stays-text'] } });
});

test('an entry that passes by now fails the run', async () => {
  const list =
    '[accounts.starts-active, messages.text-stays-text, accounts.name-required, conventions.malformed-id]';
  const report = applyBaseline(failingReport(), await load(list));
  expect(report).toMatchObject({
    exit_code: 1,
    baseline: { now_passing: ['accounts.name-required', 'conventions.malformed-id'] },
  });
  const conformant = applyBaseline(conformantReport(), await load('- accounts.starts-active'));
  expect(conformant).toMatchObject({ exit_code: 1, verdict: 'conformant' });
});

test('an entry that was not looked at says nothing', async () => {
  const list = '[accounts.starts-active, events.open-is-recorded, registration.token-expires]';
  const selected = failingReport().requirements.filter(({ id }) => id === 'accounts.starts-active');
  const report = applyBaseline({ ...failingReport(), requirements: selected }, await load(list));
  expect(report).toMatchObject({ exit_code: 0, baseline: { now_passing: [] } });
});

test('known failures excuse neither a fault of the suite nor what could not be tested', async () => {
  const baseline = await load('- accounts.starts-active\n- messages.text-stays-text');
  expect(applyBaseline(sampleReport({ verdict: 'error', exit_code: 2 }), baseline).exit_code).toBe(2);
  const { summary } = failingReport();
  const withChecks = (change: object) => ({
    ...failingReport(),
    summary: { ...summary, checks: { ...summary.checks, ...change } },
  });
  expect(applyBaseline(withChecks({ untested: 1 }), baseline).exit_code).toBe(3);
  expect(applyBaseline(withChecks({ error: 1 }), baseline).exit_code).toBe(2);
});
