import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readInvocation } from './environment.ts';
import { CONTRACT, cachesIn, FOLDER, installSchemathesis, SetupError } from './tool.ts';

// All that somebody who tries Schemathesis on this contract would have to write.
const SETTINGS = `
[auth.openapi.BasicAuth]
username = "\${TARGET_ACCOUNT_ID}"
password = "\${TARGET_API_KEY}"

[auth.dynamic.openapi.BearerAuth]
path = "/v1/login"
payload = { email = "\${TARGET_EMAIL}", password = "\${TARGET_PASSWORD}", grant_type = "password" }
extract_selector = "/access_token"
`;

/** What a run with the defaults found. */
export interface Findings {
  /** Whether Schemathesis found anything. */
  failed: boolean;
  /** What it found: `ST204 Wrong response to undeclared method: TRACE /v1/login`. */
  failures: string[];
  /** Those that no run against a sound server found; absent without one to compare with. */
  new?: string[];
  test_cases: number;
  seconds: number;
}

/**
 * Runs Schemathesis in an empty folder, so that nothing of an earlier run is remembered; or in this one, with what it holds.
 * @throws SetupError when it does not come to an end.
 */
export async function search(targetFile: string, seed: string, fixtures: boolean): Promise<Findings> {
  const command = await installSchemathesis();
  const { env, args } = readInvocation(targetFile);
  const folder = await mkdtemp(join(tmpdir(), 'sendspec-defaults-'));
  const reportFile = join(folder, 'report.json');
  const reports = ['--report', 'json', '--report-json-path', reportFile];
  try {
    await writeFile(join(folder, 'schemathesis.toml'), SETTINGS);
    const output = await runIn(
      fixtures ? FOLDER : folder,
      command,
      ['run', CONTRACT, ...args, '--seed', seed, ...reports],
      {
        ...env,
        ...cachesIn(folder),
      },
    );
    const report = await readFile(reportFile, 'utf8').catch(() => {
      throw new SetupError(`Schemathesis wrote no report:\n${output}`);
    });
    return findingsOf(JSON.parse(report));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runIn(
  cwd: string,
  command: string,
  args: string[],
  env: Record<string, string>,
): Promise<string> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk).slice(-4000);
    });
  }
  await once(child, 'close');
  return output;
}

/** The part of Schemathesis' JSON report that is read here. */
interface Report {
  exit_code: number;
  running_time: number;
  test_cases: { generated: number };
  failures: { code: string; title: string; operations: string[] }[];
  errors: { title: string; operations?: string[] }[];
}

function findingsOf(report: Report): Findings {
  const failures = report.failures.flatMap(({ code, title, operations }) =>
    operations.map((operation) => `${code} ${title}: ${operation}`),
  );
  const errors = report.errors.flatMap(({ title, operations = [''] }) =>
    operations.map((where) => `${title}: ${where}`),
  );
  return {
    failed: report.exit_code !== 0,
    failures: [...failures, ...errors].sort(),
    test_cases: report.test_cases.generated,
    seconds: Math.round(report.running_time),
  };
}
