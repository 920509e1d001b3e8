import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle } from './bundle.ts';
import type { OpenApiDocument } from './document.ts';
import { collectFacts } from './emit-operations.ts';
import { generate } from './generate.ts';
import { findStale, update } from './output.ts';

const rootFile = fileURLToPath(new URL('fixtures/openapi.yaml', import.meta.url));

describe('the facts of an operation', () => {
  let document: OpenApiDocument;
  beforeAll(async () => {
    document = await bundle(rootFile);
  });

  test('a list behind references and allOf is paginated and stamped', () => {
    expect(collectFacts(document).get('listThings')).toEqual({
      method: 'get',
      path: '/v1/things',
      tag: 'Things',
      security: 'bearer',
      origin: 'core',
      statuses: [200, 422],
      successStatuses: [200],
      contentType: 'application/json',
      meta: 'stamped',
      paginated: true,
      requestBody: false,
      hasParameters: true,
    });
  });

  test('an extension with an empty meta', () => {
    expect(collectFacts(document).get('createThing')).toMatchObject({
      security: 'basic',
      origin: 'extension',
      meta: 'empty',
      paginated: false,
      requestBody: true,
    });
  });

  test('a file without an envelope', () => {
    expect(collectFacts(document).get('exportThings')).toMatchObject({
      security: 'none',
      contentType: 'text/csv',
      meta: 'none',
      hasParameters: false,
    });
  });

  test('an operationId used twice is refused', () => {
    const twice = structuredClone(document);
    twice.paths['/v1/copy'] = twice.paths['/v1/things'] ?? {};
    expect(() => collectFacts(twice)).toThrow('listThings stands twice');
  });

  test('a scheme the client cannot speak is refused', () => {
    const foreign = structuredClone(document);
    foreign.components = { ...foreign.components, securitySchemes: { AccessToken: { type: 'apiKey' } } };
    expect(() => collectFacts(foreign)).toThrow('AccessToken of listThings is neither basic nor bearer');
  });
});

describe('the generated files', () => {
  let files: Map<string, string>;
  beforeAll(async () => {
    files = await generate(rootFile);
  });

  test('say first that nobody edits them', () => {
    for (const [name, text] of files) {
      const firstLines = text.split('\n').slice(0, 2).join('\n');
      expect(firstLines, name).toContain('Do not edit');
    }
  });

  test('are the same bytes every time', async () => {
    expect(await generate(rootFile)).toEqual(files);
  });

  test('name the methods, the lists apart, with what the contract says of them', () => {
    const types = files.get('client-types.ts');
    expect(types).toContain(`  /**
   * createThing
   *
   * A thing is *\\/ made.
   *
   * \`POST /v1/things\`
   */
  createThing: Method<'createThing'>;
`);
    expect(types).toContain(
      "   *\n   * @throws {SendspecError} 422: Wrong\n   */\n  listThings: ListMethod<'listThings'>;",
    );
    expect(types).toContain("exportThings: ExportMethod<'exportThings'>;");
  });

  test('give the client a table of no more than it needs', () => {
    const table = files.get('client-operations.ts');
    for (const fact of ["result: 'page'", "result: 'envelope'", "result: 'file'", 'errorStatuses: [422]']) {
      expect(table).toContain(fact);
    }
    expect(table).not.toMatch(/import (?!type)|tag:|origin:/);
  });

  test('import only their neighbours and openapi-fetch', () => {
    for (const name of [...files.keys()].filter((file) => file.endsWith('.ts'))) {
      const sources = [...(files.get(name) ?? '').matchAll(/ from '([^']+)'/g)].map(([, source]) => source);
      for (const source of sources) {
        if (source !== 'openapi-fetch') expect([...files.keys()], name).toContain(source?.slice('./'.length));
      }
    }
  });

  test('list the values of enums, and keep a property with a default optional', () => {
    expect(files.get('operations.ts')).toContain("ThingKind: ['round', 'square']");
    expect(files.get('types.ts')).toContain('kind?: components');
  });
});

test('a reference that leads nowhere stops the generation', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'generate-'));
  const file = join(folder, 'openapi.yaml');
  await writeFile(
    file,
    "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n  /v1/a: { $ref: missing.yaml }\n",
  );
  await expect(generate(file)).rejects.toThrow('missing.yaml');
});

test('changed, missing and left-over files are stale until updated', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'generate-'));
  const files = new Map([
    ['same', '1'],
    ['changed', '2'],
    ['missing', '3'],
  ]);
  await writeFile(join(folder, 'same'), '1');
  await writeFile(join(folder, 'changed'), 'edited by hand');
  await writeFile(join(folder, 'left-over'), '4');

  const stale = await findStale(folder, files);
  expect(stale).toEqual(['changed', 'left-over', 'missing']);

  await update(folder, files, stale);
  expect(await findStale(folder, files)).toEqual([]);
  expect((await readdir(folder)).sort()).toEqual(['changed', 'missing', 'same']);
  expect(await readFile(join(folder, 'changed'), 'utf8')).toBe('2');
});
