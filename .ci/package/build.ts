import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepReachableDeclarations } from './declarations.ts';
import { needsOf } from './needs.ts';

// Makes what `npm pack` takes up: the compiled files at the same relative places as their sources, and the data that they read.
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OUTPUT = join(ROOT, 'dist/package');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const COMMAND = 'server/bin.js';
/** Read at run time, so that the compiler does not know of them. */
const DATA = [
  'generated/openapi.json',
  'conformance/requirements/*.yaml',
  'conformance/report/report.schema.json',
  'conformance/report/html/*.{css,js}',
];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

rmSync(OUTPUT, { recursive: true, force: true });
compile();
// The web listener serves the docs site, which it looks for where the sources have it.
cpSync(join(ROOT, 'dist/docs'), join(OUTPUT, 'dist/docs'), { recursive: true });
for (const file of globSync(DATA, { cwd: ROOT })) cpSync(join(ROOT, file), join(OUTPUT, file));
writeManifest();
chmodSync(join(OUTPUT, COMMAND), 0o755);
keepReachableDeclarations(OUTPUT, declaredEntries());
complainOfNeeds();

/** The compiler has told its errors itself when it fails. */
function compile(): void {
  const project = fileURLToPath(new URL('.', import.meta.url));
  const { status } = spawnSync(process.execPath, [TSC, '--project', project], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

/** What the compiled files read of package.json, which is the folder above them in the sources too. */
function writeManifest(): void {
  const { name, version } = manifest;
  const content = { name, version, private: true, type: 'module' };
  writeFileSync(join(OUTPUT, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
}

function declaredEntries(): string[] {
  const entries = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [entry.types],
  );
  return entries.map((path) => path.replace('./dist/package/', ''));
}

/** A package that lacks something fails at the user's; one that brings too much costs everybody. */
function complainOfNeeds(): void {
  const { packages, missingFiles } = needsOf(OUTPUT);
  const listed = Object.keys(manifest.dependencies);
  const unlisted = [...packages].filter((name) => name !== manifest.name && !listed.includes(name));
  const unused = listed.filter((name) => !packages.has(name));
  const faults = [
    ...missingFiles.map(
      (text) => `${text}, which is not in the package: add it to DATA in .ci/package/build.ts`,
    ),
    ...unlisted.map((name) => `${name} is imported: move it to "dependencies" of package.json`),
    ...unused.map((name) => `${name} is not imported: move it to "devDependencies" of package.json`),
  ];
  if (faults.length === 0) return;
  console.error(`The package is not complete:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  process.exitCode = 1;
}
