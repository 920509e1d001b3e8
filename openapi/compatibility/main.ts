import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareContracts } from './compare.ts';
import { ContractDocument } from './contract.ts';
import { isObject, type JsonObject } from './json.ts';
import { describe } from './report.ts';
import { versionFault } from './version.ts';

const CURRENT = fileURLToPath(new URL('../../generated/openapi.json', import.meta.url));
const RELEASED = fileURLToPath(new URL('../released/openapi.json', import.meta.url));

const { values, positionals } = parseArgs({
  options: { release: { type: 'boolean', default: false } },
  allowPositionals: true,
});
try {
  if (values.release) await release();
  else await check(positionals[0] ?? RELEASED, positionals[1] ?? CURRENT);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}

/** Prints what breaks from one bundle to the other, and fails when the version of the later one does not say so. */
async function check(oldFile: string, newFile: string): Promise<void> {
  const bundles = { old: await read(oldFile), new: await read(newFile) };
  const [released, current] = [versionOf(bundles.old), versionOf(bundles.new)];
  const findings = compareContracts(bundles);
  console.log(describe(findings, released));
  const fault = versionFault(released, current, { isBreaking: findings.length > 0 });
  if (fault === undefined) return;
  console.error(
    `\nThe version is wrong: ${fault}.\nTake the change back, or raise info.version in openapi/openapi.yaml and the version in package.json.`,
  );
  process.exitCode = 1;
}

/** From here on the contract as it is now is what changes are held against. */
async function release(): Promise<void> {
  const version = versionOf(await read(CURRENT));
  await writeFile(RELEASED, await readFile(CURRENT));
  console.log(`openapi/released/openapi.json is the contract ${version} now. Commit it with the release.`);
}

/** @throws Error that names the file when it is missing or no document. */
async function read(file: string): Promise<JsonObject> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`There is no file ${file}.`);
  const content = parsed(text);
  if (isObject(content)) return content;
  throw new Error(`${file} is no OpenAPI document in JSON.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function versionOf(bundle: JsonObject): string {
  return new ContractDocument(bundle).version;
}
