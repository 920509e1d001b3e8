import { readFile } from 'node:fs/promises';
import { fieldsOf } from './fields.ts';

/** The version of this package. */
export async function readVersion(): Promise<string> {
  const content: unknown = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  return String(fieldsOf(content).version);
}
