import { configDefaults, defineConfig } from 'vitest/config';

// Tests that need more than npm have it in their name. Those of what only PostgreSQL has (several processes on one database)
// run with all others when there is one; the rest runs in a mode of its own (`vitest run --mode browser`).
const onPostgres = process.env.DATABASE_URL !== undefined;
const MODES: Readonly<Record<string, string>> = {
  browser: '**/*.browser.test.ts',
  postfix: '**/*.postfix.test.ts',
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
    // Each file may start a server with an embedded database (about 350 MB): two at a time is what a small machine bears.
    maxWorkers: 2,
    allowOnly: false,
    reporters: [process.env.CI ? 'dot' : 'default', ['json', { outputFile: 'dist/test-report.json' }]],
  },
}));
