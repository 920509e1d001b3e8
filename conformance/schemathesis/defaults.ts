import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { TargetError } from '../target/load-target.ts';
import { type Findings, search } from './search.ts';
import { SetupError } from './tool.ts';

const USAGE = `node conformance/schemathesis/defaults.ts --target FILE [--seed N] [--sound REPORT]... [--fixtures]

Runs Schemathesis with nothing but an address and credentials, and prints what it found as JSON. With --sound, the output of an earlier
run against a server without faults (several may be given), "new" lists what was not found there. With --fixtures it runs with the
settings and hooks of this folder instead, to compare.
It exits 0 when the run came to an end, whatever it found, and 2 when it did not.`;
const CANNOT_RUN = 2;

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      target: { type: 'string' },
      seed: { type: 'string', default: '1' },
      fixtures: { type: 'boolean', default: false },
      sound: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.target === undefined || values.help) {
    console.log(USAGE);
    return values.help ? 0 : CANNOT_RUN;
  }
  const sound = await Promise.all(values.sound.map(readFindings));
  const found = await search(values.target, values.seed, values.fixtures);
  const known = new Set(sound.flatMap(({ failures }) => failures));
  const news = sound.length === 0 ? {} : { new: found.failures.filter((failure) => !known.has(failure)) };
  console.log(JSON.stringify({ ...found, ...news }, undefined, 2));
  return 0;
}

async function readFindings(file: string): Promise<Findings> {
  try {
    const content: unknown = JSON.parse(await readFile(file, 'utf8'));
    const { failures } = Object(content);
    if (!Array.isArray(failures)) throw new Error('it has no "failures"');
    return { failed: true, failures, test_cases: 0, seconds: 0 };
  } catch (error) {
    throw new SetupError(
      `${file} is no output of an earlier run: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function explain(error: unknown): string {
  if (error instanceof SetupError || error instanceof TargetError) return error.message;
  if (error instanceof TypeError && 'code' in error) return `${error.message}\n\n${USAGE}`;
  throw error;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(explain(error));
  process.exitCode = CANNOT_RUN;
}
