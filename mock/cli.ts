import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readNumber, report, SUCCESS, UsageError } from './command-line.ts';
import { conformanceTarget } from './conformance-target.ts';
import { type MockOptions, startMock } from './mock.ts';

const HELP = `Usage: sendspec mock [options]

Answers every operation of the contract with an example, and every documented error on request
(Prefer: code=409, Prefer: example=NAME).

Options:
  --port N       the port to listen on, 0 for any free one (default: 4010)
  --host HOST    the address to listen on (default: 127.0.0.1)
  --target FILE  writes a target file for the conformance suite (mock/README.md)
  --dynamic      values generated from the schemas instead of the examples
  --help         shows this text`;

const HIGHEST_PORT = 65_535;

/** Runs the mock until it is told to end (SIGINT, SIGTERM); returns the exit code. */
export async function runMock(args: readonly string[]): Promise<number> {
  try {
    const options = readOptions(args);
    if (options === 'help') {
      console.log(HELP);
      return SUCCESS;
    }
    const mock = await startMock(options);
    try {
      if (options.target !== undefined) await writeTarget(options.target, mock.url);
      console.log(banner(mock.url, options));
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    } finally {
      await mock.close();
    }
    return SUCCESS;
  } catch (error) {
    return report('mock', error);
  }
}

interface Order extends MockOptions {
  target: string | undefined;
}

async function writeTarget(file: string, url: string): Promise<void> {
  await writeFile(file, `${JSON.stringify(conformanceTarget(url), undefined, 2)}\n`).catch(
    (cause: unknown) => {
      throw new Error(`${file} cannot be written: ${cause instanceof Error ? cause.message : cause}`);
    },
  );
}

function readOptions(args: readonly string[]): Order | 'help' {
  const { values } = parsed(args);
  if (values.help) return 'help';
  return {
    dynamic: values.dynamic,
    target: values.target,
    ...(values.host === undefined ? {} : { host: values.host }),
    ...(values.port === undefined ? {} : { port: readNumber('--port', values.port, 0, HIGHEST_PORT) }),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        target: { type: 'string' },
        dynamic: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function banner(url: string, { dynamic }: MockOptions): string {
  return [
    `The mock answers on ${url} with ${dynamic ? 'values generated from the schemas' : "the contract's examples"}.`,
    'It keeps nothing: what you create, change or delete is not there in the next answer. For a server that remembers: npm start',
    '',
    'Any well-formed credentials will do, for instance:',
    `  curl ${url}/v1/messages -H 'Authorization: Bearer any'`,
    `  curl ${url}/v1/messages -H 'Authorization: Bearer any' -H 'Prefer: code=409'`,
    '',
    'More: mock/README.md in the repository of sendspec. Ctrl-C ends it.',
  ].join('\n');
}
