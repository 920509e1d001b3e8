import { globSync, readFileSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Tests that need more than npm have it in their name. Those of what only PostgreSQL has (several processes on one database)
// run with all others when there is one; the rest, and what takes minutes, runs in a mode of its own (`vitest run --mode browser`).
const onPostgres = process.env.DATABASE_URL !== undefined;
const ANY = '{openapi,server,mock,conformance,bench}/**/*.test.ts';
const MODES: Readonly<Record<string, string>> = {
  browser: '**/*.browser.test.ts',
  package: '.ci/**/*.package.test.ts',
  postfix: '**/*.postfix.test.ts',
  proof: '**/*.proof.test.ts',
};

// Begun last, one of these would keep one core waiting for the other.
const LONGEST = [
  'conformance/own-server.test.ts',
  'conformance/proof.test.ts',
  'conformance/unusable-targets.test.ts',
  'server/startup-failures.test.ts',
  'openapi/docs/samples/samples.test.ts',
  'server/webhooks/process.test.ts',
  'server/store/pglite.test.ts',
  'mock/main.test.ts',
];

// The files share three processes, so that the embedded database is compiled three times and not a hundred times. One that replaces a
// module for itself has a process of its own, and runs first: in between it would end a shared one.
const alone = globSync(ANY).filter((file) => readFileSync(file, 'utf8').includes('vi.mock('));

const FIRST = [...alone, ...LONGEST];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = (await super.sort(files)).filter((file) => placeOf(file) === -1);
    const first = files.filter((file) => placeOf(file) !== -1).sort((a, b) => placeOf(a) - placeOf(b));
    return [...first, ...others];
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  return FIRST.findIndex((file) => moduleId.endsWith(`/${file}`));
}

export default defineConfig(({ mode }) => ({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'all', isolate: mode in MODES, include: [MODES[mode] ?? ANY], exclude: alone },
      },
      { extends: true, test: { name: 'alone', include: mode in MODES ? [] : alone } },
    ],
    exclude: [
      ...configDefaults.exclude,
      ...(mode in MODES ? [] : Object.values(MODES)),
      ...(onPostgres ? [] : ['**/*.postgres.test.ts']),
    ],
    sequence: { sequencer: LongestFirst },
    // Against hanging only: a busy machine starts a service in ten times the usual time, and that is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Each file may start a server with an embedded database (about 350 MB), and waits for it for a good part of the time: on two cores
    // a third file fills that.
    maxWorkers: 3,
    // Those that are concurrent mostly wait for a server that delivers or repeats.
    maxConcurrency: 12,
    allowOnly: false,
    // Where other work shares the machine, what hangs on the order of processes gets another try; a fault fails twice.
    retry: process.env.CI ? 1 : 0,
    reporters: [process.env.CI ? 'dot' : 'default', ['json', { outputFile: 'dist/test-report.json' }]],
  },
}));
