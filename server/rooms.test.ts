import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

// Data flows one way. This is the map of who knows whom; a new arrow is a decision, to be drawn here first.

/** The rooms of the server, and the rooms that each may import from, be it only types. `commands/` and the files beside this one put the rooms together. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  operations: [],
  store: ['domain'],
  contract: ['domain', 'store'],
  http: ['contract', 'domain', 'operations', 'store'],
  dns: ['domain', 'http', 'operations', 'store'],
  handlers: ['contract', 'dns', 'domain', 'store'],
  tracking: ['domain', 'http', 'store'],
  delivery: ['dns', 'domain', 'store', 'tracking'],
  inbound: ['delivery', 'domain', 'store', 'tracking'],
  webhooks: ['contract', 'dns', 'domain', 'store'],
  sandbox: ['delivery', 'domain', 'inbound', 'operations', 'store'],
  operator: ['domain', 'operations', 'store'],
  docs: ['http'],
};

/** Beside the rooms, and for all but `domain/`: what knows none of them, or only what they are told at the start. */
const COMMON = [
  'batcher',
  'closing',
  'config',
  'core',
  'errors',
  'fields',
  'files',
  'folder-lock',
  'version',
].map((name) => `server/${name}.ts`);
const CONTRACT = ['generated/operations.ts', 'generated/types.ts'];

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Tests and what they share may look everywhere. */
const OF_TESTS = /\.test\.ts$|testing|fixture|^server\/(?:postfix|crash)\//;

interface Import {
  from: string;
  to: string;
}

/** Every import between the files of a folder and the rest of the project, types included. */
function importsOf(folder: string): Import[] {
  const files = globSync(`${folder}/**/*.ts`, { cwd: ROOT }).filter((path) => !OF_TESTS.test(path));
  return files.flatMap((from) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(ROOT, from), 'utf8'), true, true);
    return importedFiles
      .filter(({ fileName }) => fileName.startsWith('.'))
      .map(({ fileName }) => ({ from, to: normalize(join(dirname(from), fileName)) }));
  });
}

/** The imports that lead anywhere but into these folders and files. */
function leadingElsewhere(imports: readonly Import[], allowed: readonly string[]): string[] {
  return imports
    .filter(({ to }) => !allowed.some((place) => to === place || to.startsWith(`${place}/`)))
    .map(({ from, to }) => `${from} imports ${to}`);
}

describe('an import of the server leads only where the map says', () => {
  test.each(Object.entries(ROOMS))('%s', (room, others) => {
    const common = room === 'domain' ? ['generated/types.ts'] : [...COMMON, ...CONTRACT];
    const allowed = [...common, ...[room, ...others].map((name) => `server/${name}`)];
    const imports = importsOf(`server/${room}`);
    expect(imports).not.toEqual([]);
    expect(leadingElsewhere(imports, allowed)).toEqual([]);
  });

  test('every room is on the map, which has no circle', () => {
    const onTop = ['commands', 'crash', 'postfix', 'testing'];
    const folders = globSync('server/*/', { cwd: ROOT }).map((path) => normalize(path).split('/')[1]);
    expect(folders.sort()).toEqual([...Object.keys(ROOMS), ...onTop].sort());
    const seen = new Set<string>();
    for (const [room, others] of Object.entries(ROOMS)) {
      // In the order of the map, a room knows only those above it.
      expect(others.filter((other) => !seen.has(other))).toEqual([]);
      seen.add(room);
    }
  });
});

test('the conformance suite knows the contract, and no server', () => {
  expect(leadingElsewhere(importsOf('conformance'), ['conformance', ...CONTRACT])).toEqual([]);
});

test('the server knows neither the mock nor the suite, except to start them by command', () => {
  const imports = importsOf('server').filter(({ from }) => !from.startsWith('server/commands/'));
  expect(leadingElsewhere(imports, ['server', ...CONTRACT])).toEqual([]);
});
