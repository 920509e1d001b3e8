import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../../server/testing.ts';
import { expectedStatus, type RunSample, runJourney } from './journey.ts';

// curl and Python are more than `npm test` asks for: these run where the other tests do that need programs of the machine.
const folder = await mkdtemp(join(tmpdir(), 'sendspec-samples-'));
const run = promisify(execFile);
let api: TestApi;

beforeAll(async () => {
  api = await startApi();
  // The status is for this test; the sample stays as it is printed.
  await writeFile(join(folder, '.curlrc'), 'silent\nshow-error\nwrite-out = "\\n%{http_code}"\n');
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

const runCurl: RunSample = async (source, environment) => {
  const file = join(folder, 'sample.sh');
  await writeFile(file, source);
  const env = { ...environment, PATH: process.env.PATH, CURL_HOME: folder };
  const { stdout } = await run('sh', ['-eu', file], { cwd: folder, env });
  const [, text = '', status] = /^([\s\S]*)\n(\d{3})$/.exec(stdout) ?? [];
  if (text === '')
    return { status: Number(status), body: await readFile(join(folder, 'messages.csv'), 'utf8') };
  return { status: Number(status), body: JSON.parse(text) };
};

const runPython: RunSample = async (source, environment) => {
  const file = join(folder, 'sample.py');
  await writeFile(file, source);
  const env = { ...environment, PATH: process.env.PATH };
  const { stdout } = await run('python3', [file], { cwd: folder, env });
  // The export prints its rows, and fails for anything but a success.
  if (stdout.startsWith('message_id,')) return { status: 200, body: stdout };
  const [, status, text = ''] = /^(\d{3}) ([\s\S]+)$/.exec(stdout) ?? [];
  return { status: Number(status), body: JSON.parse(text) };
};

test.each([
  ['curl', runCurl],
  ['python', runPython],
] as const)('the samples for %s do what they say, for every operation', async (language, runSample) => {
  const statuses = await runJourney(api, language, runSample);
  const ids = Object.keys(statuses);
  expect(statuses).toEqual(Object.fromEntries(ids.map((id) => [id, expectedStatus(id)])));
});
