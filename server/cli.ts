import { type Command, helpTable, report, SUCCESS, UsageError } from './commands/command.ts';
import { conformance } from './commands/conformance.ts';
import { dkim } from './commands/dkim.ts';
import { dns } from './commands/dns.ts';
import { mock } from './commands/mock.ts';
import { cancel, message, queue, retry } from './commands/queue.ts';
import { serve } from './commands/serve.ts';
import { webhooks } from './commands/webhooks.ts';
import { readVersion } from './version.ts';

/** Every command, in the order of the help. */
const COMMANDS = new Map<string, Command>(
  Object.entries({ serve, queue, message, retry, cancel, webhooks, dkim, dns, mock, conformance }),
);

const HELP = `Usage: sendspec <command>

Commands:
${helpTable([
  ...[...COMMANDS.values()].flatMap(({ help }) => help),
  { usage: 'help', does: 'show this text; "sendspec serve --help" lists the settings' },
])}

All but serve, mock and conformance ask the service that runs on this machine, at SENDSPEC_OPS_PORT.

Options:
  --version  print the version`;

/**
 * Runs one command of `sendspec` and returns the exit code: 0, 1 when the service cannot start, stops in disorder or refuses
 * what is asked of it, 2 for a wrong command line.
 * What people asked for goes to standard output, faults and the log to standard error.
 */
export async function runCli(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const [name = 'help', ...rest] = args;
  try {
    return await run(name, rest, env);
  } catch (error) {
    return report(error);
  }
}

async function run(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (name === 'help' || name === '--help' || name === '-h') return print(HELP);
  if (name === '--version' || name === '-v') return print(await readVersion());
  const command = COMMANDS.get(name);
  if (command === undefined) throw new UsageError(`there is no command ${JSON.stringify(name)}`);
  const help = helpOf(command);
  if (help !== undefined && (args.includes('--help') || args.includes('-h'))) return print(help);
  return await command.run(args, env);
}

function helpOf({ help, details }: Command): string | undefined {
  if (details === undefined) return undefined;
  const rows = help.map(({ usage, does }) => ({ usage: `sendspec ${usage}`, does }));
  return `Usage:\n${helpTable(rows)}\n\n${details()}`;
}

function print(text: string): number {
  console.log(text);
  return SUCCESS;
}
