import { configDefaults, defineConfig } from 'vitest/config';

// Tests of what only PostgreSQL has (several processes on one database) are named *.postgres.test.ts.
const onPostgres = process.env.DATABASE_URL !== undefined;
// Those that deliver to a real Postfix are named *.postfix.test.ts; they need the package, and root to start it.
const withPostfix = process.env.SENDSPEC_TEST_POSTFIX === '1';

export default defineConfig({
  test: {
    include: ['{openapi,server,mock,conformance,bench}/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      ...(onPostgres ? [] : ['**/*.postgres.test.ts']),
      ...(withPostfix ? [] : ['**/*.postfix.test.ts']),
    ],
    // Against hanging only: a busy machine starts a service in ten times the usual time, and that is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Each file may start a server with an embedded database (about 350 MB): two at a time is what a small machine bears.
    maxWorkers: 2,
    allowOnly: false,
    reporters: [process.env.CI ? 'dot' : 'default', ['json', { outputFile: 'dist/test-report.json' }]],
  },
});
