import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { TargetError } from '../target/load-target.ts';
import { readInvocation } from './environment.ts';
import { startOwnServer } from './own-server.ts';
import { CONTRACT, cachesIn, FOLDER, installSchemathesis, SetupError } from './tool.ts';

const USAGE = `npm run test:schemathesis -- [--target FILE] [--report DIR] [-- options of "st run"]

  --target FILE   the server to test; without it, this project's own, started for the run
  --report DIR    where the reports go (default: dist/schemathesis)

It exits as Schemathesis does: 0 nothing found, 1 failures; 2 when it could not be run.`;
const CANNOT_RUN = 2;

// Sequences start without the answers of the other phases: with them, Schemathesis draws other values when it goes back to a
// sequence, takes that for flakiness, and ends the phase after a few.
const PARTS: Readonly<Record<string, string[]>> = {
  requests: ['--phases', 'examples,coverage,fuzzing'],
  sequences: ['--phases', 'stateful'],
};

/** Runs Schemathesis with the settings and hooks of this folder. Returns its exit code. */
async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      target: { type: 'string' },
      report: { type: 'string', default: 'dist/schemathesis' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const command = await installSchemathesis();
  const report = resolve(values.report);
  if (values.target !== undefined) return await judge(command, values.target, report, positionals);
  const server = await startOwnServer();
  try {
    return await judge(command, server.targetFile, report, positionals);
  } finally {
    await server.stop();
  }
}

/** All parts, one after the other; or what the options say. Returns the worst exit code. */
async function judge(command: string, targetFile: string, report: string, more: string[]): Promise<number> {
  const parts = more.includes('--phases') ? { chosen: [] } : PARTS;
  let worst = 0;
  for (const [name, phases] of Object.entries(parts)) {
    worst = Math.max(worst, await runPart(command, targetFile, `${report}/${name}`, [...phases, ...more]));
  }
  return worst;
}

async function runPart(command: string, targetFile: string, report: string, more: string[]): Promise<number> {
  const { env, args } = readInvocation(targetFile);
  await mkdir(report, { recursive: true });
  const files = ['--report-junit-path', `${report}/junit.xml`, '--report-json-path', `${report}/report.json`];
  const child = spawn(command, ['run', CONTRACT, ...args, '--report', 'junit,json', ...files, ...more], {
    cwd: FOLDER,
    env: { ...process.env, ...env, ...cachesIn(report) },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'close');
  return typeof code === 'number' ? code : CANNOT_RUN;
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
