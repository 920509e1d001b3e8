import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/** What the compiled files below a folder need to run. */
export interface Needs {
  /** The packages that they import, by name. */
  readonly packages: ReadonlySet<string>;
  /** The files that they open beside themselves and that are not there. */
  readonly missingFiles: readonly string[];
}

export function needsOf(folder: string): Needs {
  const packages = new Set<string>();
  const missingFiles: string[] = [];
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js')) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    for (const specifier of specifiersIn(text)) packages.add(packageOf(specifier));
    const here = pathToFileURL(join(folder, name));
    for (const path of filesIn(text)) {
      if (!existsSync(new URL(path, here))) missingFiles.push(`${name} opens ${path}`);
    }
  }
  return { packages, missingFiles };
}

/** Imported, or looked up with `import.meta.resolve`; Node's own modules, relative files and the package itself aside. */
function specifiersIn(text: string): string[] {
  const imported = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
  const resolved = [...text.matchAll(/import\.meta\.resolve\('([^']+)'\)/g)].map(([, name]) => name ?? '');
  return [...imported, ...resolved].filter((name) => !name.startsWith('.') && !isBuiltin(name));
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function filesIn(text: string): string[] {
  return [...text.matchAll(/new URL\('([^']+)', import\.meta\.url\)/g)].map(([, path]) => path ?? '');
}
