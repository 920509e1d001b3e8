import { runWebhook } from './webhook-cli.ts';

process.exitCode = await runWebhook(process.argv.slice(2));
