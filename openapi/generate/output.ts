import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The names in `folder` that differ from `files`: changed, missing or left over. */
export async function findStale(folder: string, files: Map<string, string>): Promise<string[]> {
  const present = await readdir(folder).catch(() => []);
  const stale = present.filter((name) => !files.has(name));
  for (const [name, text] of files) {
    const current = await readFile(join(folder, name), 'utf8').catch(() => undefined);
    if (current !== text) stale.push(name);
  }
  return stale.sort();
}

/** Makes the named files of `folder` what `files` says, and removes those it does not know. */
export async function update(folder: string, files: Map<string, string>, names: string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of names) {
    const text = files.get(name);
    if (text === undefined) await rm(join(folder, name), { recursive: true });
    else await writeFile(join(folder, name), text);
  }
}
