import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDatabase, start, stop } from '../server/testing/service-process.ts';
import { reportOf } from './report/from-run.ts';
import { runConformance } from './run.ts';
import { loadTarget } from './target/load-target.ts';

// This project's own server, started anew as anybody starts it, over TLS with its own authority, and judged like anybody's.

const A_WHOLE_RUN_MS = 600_000;

test('this project’s server conforms', { timeout: A_WHOLE_RUN_MS }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sendspec-judged-'));
  const database = await createDatabase(folder);
  const service = await start(folder, { ...database.env, SENDSPEC_RATE_LIMIT: '0' });
  try {
    const targetFile = join(folder, 'data/target.json');
    const run = await runConformance({ target: loadTarget(targetFile), seed: 1, effort: 0.2 });
    const report = reportOf(run, { targetFile, selection: null });
    const notPassed = report.checks.filter(({ outcome }) => outcome !== 'passed');
    expect(notPassed).toEqual([]);
    expect(report.coverage.operations.filter(({ requests }) => requests === 0)).toEqual([]);
  } finally {
    await stop(service);
    await database.drop();
    await rm(folder, { recursive: true });
  }
});
