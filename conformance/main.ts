import { enableCompileCache } from 'node:module';

// The second run finds its sources compiled, and starts in half the time.
enableCompileCache();
const { runCli } = await import('./cli.ts');
process.exitCode = await runCli(process.argv.slice(2));
