import { configDefaults, defineConfig } from 'vitest/config';

// Tests of what only PostgreSQL has (several processes on one database) are named *.postgres.test.ts.
const onPostgres = process.env.DATABASE_URL !== undefined;
const ON_POSTGRES = '**/*.postgres.test.ts';
// Tests of pages in a real browser are named *.browser.test.ts; they run in the mode of that name.
const IN_BROWSER = '**/*.browser.test.ts';

export default defineConfig(({ mode }) => ({
  test: {
    include: [mode === 'browser' ? IN_BROWSER : '{openapi,server,mock,conformance,bench}/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      ...(mode === 'browser' ? [] : [IN_BROWSER]),
      ...(onPostgres ? [] : [ON_POSTGRES]),
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
