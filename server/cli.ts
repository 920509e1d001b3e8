import { readFile } from 'node:fs/promises';
import { ConfigError, loadConfig } from './config.ts';
import { StartupError } from './errors.ts';
import { SETTINGS, type Setting } from './settings.ts';

const SUCCESS = 0;
const FAILURE = 1;
const USAGE = 2;

const HELP = `Usage: sendspec <command>

Commands:
  serve    run the service (API, delivery worker, sandbox)
  dns zone print the DNS records that belong below SENDSPEC_MAIL_HOSTNAME, asked from the running service
  conformance --target FILE
           judge a server that claims the contract; "sendspec conformance --help" lists the options
  help     show this text; "sendspec serve --help" lists the settings

Options:
  --version  print the version`;

/**
 * Runs one command of `sendspec` and returns the exit code: 0, 1 when the service cannot start or stops in disorder, 2 for a wrong command line;
 * `conformance` has its own (conformance/cli.ts).
 * What people asked for goes to standard output, faults and the log to standard error.
 */
export async function runCli(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const [command = 'help', ...rest] = args;
  switch (command) {
    case 'serve':
      return await serveCommand(rest, env);
    case 'dns':
      return await dnsCommand(rest, env);
    case 'conformance':
      return await conformanceCommand(rest);
    case 'help':
    case '--help':
    case '-h':
      console.log(HELP);
      return SUCCESS;
    case '--version':
    case '-v':
      console.log(await version());
      return SUCCESS;
    default:
      return wrongUsage(`there is no command ${JSON.stringify(command)}`);
  }
}

async function serveCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [option] = args;
  if (option === '--help' || option === '-h') {
    console.log(serveHelp());
    return SUCCESS;
  }
  if (option !== undefined) return wrongUsage(`serve has no option ${JSON.stringify(option)}`);
  try {
    const config = loadConfig(env);
    // Loaded only now: help and faulty settings are answered at once.
    const { serve } = await import('./serve.ts');
    return await serve(config);
  } catch (error) {
    report(error);
    return FAILURE;
  }
}

async function dnsCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (args.join(' ') !== 'zone') return wrongUsage('dns has one command, zone');
  try {
    const zone = await askService(loadConfig(env).opsPort, '/dns/zone');
    process.stdout.write(zone);
    return SUCCESS;
  } catch (error) {
    report(error);
    return FAILURE;
  }
}

async function conformanceCommand(args: readonly string[]): Promise<number> {
  const conformance = await import('../conformance/cli.ts');
  return await conformance.runCli(args);
}

/** Asks the service that runs on this machine, which alone may open its embedded database. */
async function askService(opsPort: number, path: string): Promise<string> {
  const url = `http://127.0.0.1:${opsPort}${path}`;
  const hint = 'Start the service first, with the same SENDSPEC_OPS_PORT.';
  const response = await fetch(url).catch((cause: unknown) => {
    throw new StartupError(`No service answers at ${url}.`, hint, { cause });
  });
  if (!response.ok) throw new StartupError(`The service answered ${response.status} at ${url}.`, hint);
  return await response.text();
}

function wrongUsage(fault: string): number {
  console.error(`sendspec: ${fault}; see sendspec help`);
  return USAGE;
}

/** One line for each fault, with what to do about it; never a stack trace for what an operator can mend. */
function report(error: unknown): void {
  if (error instanceof ConfigError) {
    for (const fault of error.faults) console.error(`sendspec: ${fault}`);
    console.error(`sendspec: ${error.hint}`);
  } else if (error instanceof StartupError) {
    const message = error.message.replace(/\s+/g, ' ').replace(/[.\s]*$/, '.');
    console.error(`sendspec: ${message} ${error.hint}`);
  } else {
    console.error('sendspec: cannot start, for a reason that it does not know:', error);
  }
}

/** The settings as a table for people, from the same data that they are read with. */
function serveHelp(): string {
  const settings = Object.values<Setting<unknown>>(SETTINGS);
  const rows = settings.map(
    (setting) => `  ${setting.name}\n      ${setting.description}\n      Default: ${setting.default}.`,
  );
  return `Usage: sendspec serve\n\nRuns the service. It is set up by environment variables:\n\n${rows.join('\n')}`;
}

async function version(): Promise<string> {
  const content: unknown = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  return String(Object(content).version);
}
