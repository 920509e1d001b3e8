import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

/**
 * Leaves of the type declarations below `folder` those that the entries lead to, and lets them name each other as published:
 * the compiler keeps `.ts` in declarations, which only a package that ships its sources may say.
 */
export function keepReachableDeclarations(folder: string, entries: readonly string[]): void {
  const kept = new Set<string>();
  const waiting = entries.map((entry) => join(folder, entry));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (kept.has(file)) continue;
    kept.add(file);
    const text = readFileSync(file, 'utf8');
    const relative = ts.preProcessFile(text).importedFiles.filter(({ fileName }) => fileName.startsWith('.'));
    waiting.push(...relative.map(({ fileName }) => declarationOf(resolve(dirname(file), fileName))));
    writeFileSync(file, withPublishedNames(text, relative));
  }
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name);
    if (name.endsWith('.d.ts') && !kept.has(file)) rmSync(file);
  }
}

/** @throws Error when there is none, since consumers would get `any` without a word. */
function declarationOf(source: string): string {
  const file = source.replace(/\.[jt]s$/, '.d.ts');
  if (!existsSync(file)) throw new Error(`A declaration leads to ${file}, which is not there.`);
  return file;
}

/** From the last to the first, so that the places of the others stay right. */
function withPublishedNames(text: string, references: readonly ts.FileReference[]): string {
  return references.toReversed().reduce((result, { fileName, pos }) => {
    const start = result.indexOf(fileName, pos);
    const name = fileName.replace(/\.ts$/, '.js');
    return result.slice(0, start) + name + result.slice(start + fileName.length);
  }, text);
}
