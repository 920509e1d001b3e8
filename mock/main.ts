import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runMock } = await import('./cli.ts');
process.exitCode = await runMock(process.argv.slice(2));
