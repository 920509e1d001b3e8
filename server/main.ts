import { runCli } from './cli.ts';

process.exitCode = await runCli(['serve', ...process.argv.slice(2)]);
