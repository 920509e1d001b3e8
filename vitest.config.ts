import { configDefaults, defineConfig } from 'vitest/config';

// Tests that need more than npm have it in their name. Those of what only PostgreSQL has (several processes on one database)
// run with all others when there is one; the rest, and what takes minutes, runs in a mode of its own (`vitest run --mode browser`).
const onPostgres = process.env.DATABASE_URL !== undefined;
const MODES: Readonly<Record<string, string>> = {
  browser: '**/*.browser.test.ts',
  package: '.ci/**/*.package.test.ts',
  postfix: '**/*.postfix.test.ts',
  proof: '**/*.proof.test.ts',
};

export default defineConfig(({ mode }) => ({
  test: {
    include: [MODES[mode] ?? '{openapi,server,mock,conformance,bench}/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      ...(mode in MODES ? [] : Object.values(MODES)),
      ...(onPostgres ? [] : ['**/*.postgres.test.ts']),
    ],
    // Against hanging only: a busy machine starts a service in ten times the usual time, and that is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Each file may start a server with an embedded database (about 350 MB): two at a time is what a small machine bears.
    maxWorkers: 2,
    // Those that are concurrent mostly wait for a server that delivers or repeats.
    maxConcurrency: 12,
    allowOnly: false,
    // Where other work shares the machine, what hangs on the order of processes gets another try; a fault fails twice.
    retry: process.env.CI ? 1 : 0,
    reporters: [process.env.CI ? 'dot' : 'default', ['json', { outputFile: 'dist/test-report.json' }]],
  },
}));
