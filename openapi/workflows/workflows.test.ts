import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createDatabase,
  readTarget,
  type ServiceProcess,
  start,
  stop,
  type TestDatabase,
} from '../../server/testing/service-process.ts';

// The journeys, taken by Redocly Respect on a running service as any reader of this folder would take them.

const HERE = fileURLToPath(new URL('.', import.meta.url));
const REDOCLY = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));

interface Check {
  name: string;
  passed: boolean;
}
interface Step {
  stepId: string;
  response: { statusCode: number };
  checks: Check[];
}
interface Outcome {
  code: number;
  output: string;
  /** Every step that was taken, by workflow. */
  workflows: { name: string; steps: Step[] }[];
}

let folder: string;
let database: TestDatabase;
let service: ServiceProcess;
let files: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendspec-workflows-'));
  database = await createDatabase(folder);
  service = await start(folder, { ...database.env, SENDSPEC_RATE_LIMIT: '0' });
  files = (await readdir(HERE)).filter((name) => name.endsWith('.arazzo.yaml'));
});

afterAll(async () => {
  await stop(service);
  await database.drop();
  await rm(folder, { recursive: true });
});

async function respect(paths: string[]): Promise<Outcome> {
  const target = await readTarget(folder);
  const [tenant] = target.tenants;
  const [account] = tenant?.accounts ?? [];
  const unique = `w${process.hrtime.bigint()}`;
  const input = {
    email: tenant?.email,
    password: tenant?.password,
    account_id: account?.account_id,
    api_key: account?.api_key,
    from_email: tenant?.from_email,
    to_email: target.simulator?.delivery,
    bounce_email: target.simulator?.hard_bounce?.replace('@', `+${unique}@`),
    unique,
    period_from: '2000-01-01',
    period_to: '2100-01-01',
  };
  const log = join(folder, 'respect.json');
  // Respect closes each branch of an `allOf` on its own, so that no error of the contract would fit; successes are looked at below.
  const options = [
    '--server',
    `sendspec=${target.base_url}`,
    '--severity',
    'SCHEMA_CHECK=warn',
    '--json-output',
    log,
  ];
  const env = {
    PATH: process.env.PATH,
    NODE_EXTRA_CA_CERTS: join(folder, 'data/tls/ca.pem'),
    REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(input),
    REDOCLY_TELEMETRY: 'off',
  };
  const { code, output } = await run([REDOCLY, 'respect', ...paths, ...options], env);
  return { code, output, workflows: stepsIn(JSON.parse(await readFile(log, 'utf8'))) };
}

function run(
  args: string[],
  env: Record<string, string | undefined>,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: HERE, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

function stepsIn(log: {
  files: Record<string, { executedWorkflows: { executedSteps: Step[] }[] }>;
}): Outcome['workflows'] {
  return Object.entries(log.files).map(([name, { executedWorkflows }]) => ({
    name,
    steps: executedWorkflows.flatMap(({ executedSteps }) => executedSteps),
  }));
}

test('every journey can be taken, and every success is as the contract has it', async () => {
  expect(files.length).toBeGreaterThanOrEqual(6);
  const { code, output, workflows } = await respect(files);
  expect(code, output).toBe(0);
  expect(workflows.map(({ name }) => name).sort()).toEqual(files.sort());
  for (const { name, steps } of workflows) {
    expect(steps.length, name).toBeGreaterThan(3);
    const successes = steps.filter(({ response }) => response.statusCode < 400);
    const judged = successes.flatMap(({ checks }) =>
      checks.filter((check) => check.name.includes('schema check')),
    );
    expect(judged.length, name).toBe(successes.length);
    expect(judged.filter(({ passed }) => !passed)).toEqual([]);
  }
});

test('a journey that does not go as described fails', async () => {
  const source = await readFile(join(HERE, 'suppress-an-address.arazzo.yaml'), 'utf8');
  const wrong = source
    .replace("== 'EMAIL_SUPPRESSED'", "== 'CUSTOM_ID_NOT_UNIQUE'")
    .replace('../../generated/openapi.json', join(HERE, '../../generated/openapi.json'));
  const file = join(folder, 'wrong.arazzo.yaml');
  await writeFile(file, wrong);
  const { code, output, workflows } = await respect([file]);
  expect(code).not.toBe(0);
  expect(output).toContain('CUSTOM_ID_NOT_UNIQUE');
  expect(workflows[0]?.steps.map(({ stepId }) => stepId)).toEqual([
    'log-in',
    'suppress',
    'send-to-suppressed',
  ]);
});
