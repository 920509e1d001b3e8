import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Run by `npm version`: the package and the contract in it have one version.
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENT = `${ROOT}openapi/openapi.yaml`;

const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
const text = readFileSync(DOCUMENT, 'utf8');
const changed = text.replace(/^(info:\n(?: .*\n)*? {2}version: ).*$/m, `$1${version}`);
if (!changed.includes(`\n  version: ${version}\n`))
  throw new Error(`There is no info.version in ${DOCUMENT}.`);
writeFileSync(DOCUMENT, changed);
execFileSync(process.execPath, [`${ROOT}openapi/generate/main.ts`], { stdio: 'inherit' });
