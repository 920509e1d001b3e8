import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { applyBaseline, loadBaseline } from '../conformance/report/baseline.ts';
import { reportOf } from '../conformance/report/from-run.ts';
import { runConformance } from '../conformance/run.ts';
import { CHECKS } from '../conformance/scenarios/index.ts';
import { loadTarget } from '../conformance/target/load-target.ts';
import { conformanceTarget } from './conformance-target.ts';
import { startMock } from './mock.ts';

// The suite judges the form of the mock's answers as it judges any server's: good requests to every operation, and bad ones of every kind.

const BASELINE = fileURLToPath(new URL('conformance-baseline.yaml', import.meta.url));
const SHAPE = CHECKS.filter(({ id }) => id.startsWith('fuzz/'));
// Of the full number of generated cases: what is looked for here lies in the form, which every case has.
const EFFORT = 0.3;

const folder = await mkdtemp(join(tmpdir(), 'sendspec-mock-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the layer of the form finds nothing broken but that the mock forgets', async () => {
  const mock = await startMock({ port: 0 });
  const file = join(folder, 'target.json');
  await writeFile(file, JSON.stringify(conformanceTarget(mock.url)));
  const run = await runConformance({ target: loadTarget(file), seed: 1, effort: EFFORT, checks: SHAPE });
  await mock.close();
  const report = applyBaseline(reportOf(run, { targetFile: file, selection: null }), loadBaseline(BASELINE));
  expect(report.baseline).toMatchObject({
    known: [{ id: 'http.refused-changes-nothing' }],
    new: [],
    now_passing: [],
  });
  expect(report.summary.checks).toMatchObject({ untested: 0, error: 0 });
  expect(report.checks.map(({ id }) => id)).toEqual(SHAPE.map(({ id }) => id));
  expect(report.exit_code).toBe(0);
});
