import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Preview, type PreviewState, startPreview } from './preview.ts';
import { lint } from './steps.ts';

// What is watched and shown is real; a small copy stands for the building of the docs, and a file for what the linter finds.
let folder: string;
let preview: Preview | undefined;
const source = () => join(folder, 'source/page.yaml');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preview-'));
  await mkdir(join(folder, 'source'));
  await mkdir(join(folder, 'site'));
  await writeFile(source(), 'first');
});
afterEach(async () => {
  await preview?.close();
  await rm(folder, { recursive: true });
});

async function open(): Promise<{ url: string; states: AsyncGenerator<PreviewState> }> {
  preview = await startPreview({
    folder: join(folder, 'source'),
    output: join(folder, 'site'),
    port: 0,
    lint: async () => {
      const text = await readFile(source(), 'utf8');
      return text.includes('wrong') ? [{ where: 'page.yaml:1', message: text, rule: 'no-wrong' }] : [];
    },
    build: async () => {
      const text = await readFile(source(), 'utf8');
      if (text.includes('unbuildable')) throw new Error('it cannot be built');
      await writeFile(join(folder, 'site/index.html'), text);
    },
  });
  return { url: preview.url, states: statesOf(preview.url) };
}

async function* statesOf(url: string): AsyncGenerator<PreviewState> {
  const { body } = await fetch(`${url}events`);
  if (body === null) throw new Error('there are no events');
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) yield JSON.parse(part.replace(/^data: /, ''));
  }
}

async function until(
  states: AsyncGenerator<PreviewState>,
  isIt: (state: PreviewState) => boolean,
): Promise<PreviewState> {
  for (;;) {
    const { value, done } = await states.next();
    if (done === true) throw new Error('the events ended');
    if (isIt(value)) return value;
  }
}

const page = async (url: string) => await (await fetch(`${url}docs/index.html`)).text();

test('a change is linted, built and shown to open pages', async () => {
  const { url, states } = await open();
  await until(states, ({ phase, builds }) => phase === 'done' && builds > 0);
  expect(await page(url)).toBe('first');
  await writeFile(source(), 'something wrong');
  const { problems } = await until(states, ({ phase, problems }) => phase === 'done' && problems.length > 0);
  expect(problems).toEqual([{ where: 'page.yaml:1', message: 'something wrong', rule: 'no-wrong' }]);
  expect(await page(url)).toBe('something wrong');
  await writeFile(source(), 'better');
  await until(states, ({ phase, problems }) => phase === 'done' && problems.length === 0);
  expect(await page(url)).toBe('better');
});

test('what cannot be built leaves the page before it, and is said', async () => {
  const { url, states } = await open();
  await until(states, ({ phase }) => phase === 'done');
  await writeFile(source(), 'unbuildable');
  const { failure } = await until(states, (state) => state.failure !== undefined);
  expect(failure).toBe('it cannot be built');
  expect(await page(url)).toBe('first');
  await writeFile(source(), 'mended');
  await until(states, (state) => state.phase === 'done' && state.failure === undefined);
  expect(await page(url)).toBe('mended');
});

test('the shell needs nothing from elsewhere', async () => {
  const { url } = await open();
  const shell = await (await fetch(url)).text();
  expect(shell).toContain('<iframe');
  expect(shell).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});

test('a taken port is told in a line', async () => {
  const { url } = await open();
  const options = { folder, output: folder, lint: async () => [], build: async () => {} };
  await expect(startPreview({ ...options, port: Number(new URL(url).port) })).rejects.toThrow(
    /^port \d+ is taken; choose another one with --port$/,
  );
});

test('the real linter names file, rule and cause', async () => {
  await writeFile(
    join(folder, 'redocly.yaml'),
    'apis: { source: { root: openapi.yaml } }\nrules: { operation-operationId: error }\n',
  );
  await writeFile(
    join(folder, 'openapi.yaml'),
    'openapi: 3.1.0\ninfo: { title: It, version: 1.0.0 }\npaths:\n  /it:\n    get: { responses: { 200: { description: It. } } }\n',
  );
  expect(await lint(folder)).toEqual([
    {
      where: expect.stringContaining('openapi.yaml'),
      rule: 'operation-operationId',
      message: expect.any(String),
    },
  ]);
  await writeFile(join(folder, 'openapi.yaml'), 'openapi: [');
  expect(await lint(folder)).not.toEqual([]);
});
