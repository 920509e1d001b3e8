import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{openapi,server,mock,conformance,bench}/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Each file may start a server with an embedded database (about 350 MB): two at a time is what a small machine bears.
    maxWorkers: 2,
    allowOnly: false,
  },
});
