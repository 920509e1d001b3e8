import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { startApi } from '../../../server/testing.ts';
import { operationsOf, readDocument } from '../document.ts';
import { addCodeSamples, sampleOf } from './index.ts';
import { expectedStatus, type RunSample, runJourney, type SampleOutcome } from './journey.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const document = await readDocument(new URL('../../../generated/openapi.json', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'sendspec-samples-'));
await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
afterAll(() => rm(folder, { recursive: true, force: true }));

test('every operation has a sample in three languages, and the document is left as it was', () => {
  const before = structuredClone(document);
  for (const { bundled } of operationsOf(addCodeSamples(document))) {
    const labels = bundled['x-codeSamples']?.map(({ label }) => label);
    expect([bundled.operationId, labels]).toEqual([
      bundled.operationId,
      ['curl', 'TypeScript client', 'Python'],
    ]);
  }
  expect(document).toEqual(before);
});

test('no sample shows a secret or an identifier of the story as if it were the reader’s', () => {
  const own = /6f1c0a52|d40b7e9a|1e8f6b30|correct horse|ss_[a-z]+_/;
  for (const { operation } of operationsOf(document)) {
    for (const language of ['curl', 'client', 'python'] as const) {
      expect(sampleOf(operation, language)).not.toMatch(own);
    }
  }
});

test('the samples for the client fit its types', async () => {
  for (const { operation } of operationsOf(document)) {
    await writeFile(join(folder, `${operation.id}.ts`), sampleOf(operation, 'client'));
  }
  const options = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      typeRoots: [join(root, 'node_modules/@types')],
      paths: { 'sendspec/client': [join(root, 'generated/client.ts')] },
    },
    include: [join(folder, '*.ts')],
    exclude: [],
  };
  const project = join(folder, 'tsconfig.json');
  await writeFile(project, JSON.stringify(options));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '--project', project]).catch(
    (error: unknown) => ({ stdout: String(Object(error).stdout) }),
  );
  expect(stdout).toBe('');
});

test('the samples for the client do what they say, for every operation', async () => {
  const api = await startApi();
  const modules = fork(fileURLToPath(new URL('run-modules.ts', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    const statuses = await runJourney(api, 'client', runIn(modules));
    expect(statuses).toEqual(expectedOf(statuses));
  } finally {
    modules.kill();
    await api.close();
  }
});

function expectedOf(statuses: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.keys(statuses).map((id) => [id, expectedStatus(id)]));
}

function runIn(modules: ReturnType<typeof fork>): RunSample {
  let count = 0;
  return async (source, environment) => {
    count += 1;
    const path = join(folder, `run-${count}.ts`);
    await writeFile(path, source);
    modules.send({ file: pathToFileURL(path).href, environment });
    const [answer] = (await once(modules, 'message')) as [{ outcome?: SampleOutcome; error?: string }];
    if (answer.outcome === undefined)
      throw new Error(`${answer.error ?? 'no request was made'}\n\n${source}`);
    return answer.outcome;
  };
}
