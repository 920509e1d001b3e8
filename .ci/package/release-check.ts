import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Run before a tag is published: whether everything that a release consists of says so. The tag is the only argument.
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const [tag = ''] = process.argv.slice(2);
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');

const { version } = JSON.parse(read('package.json'));
const contract = JSON.parse(read('generated/openapi.json'));
const faults = [
  ...(tag === `v${version}` ? [] : [`The tag is ${tag}, and package.json says ${version}: tag v${version}.`]),
  ...(contract.info.version === version
    ? []
    : [`The contract is at ${contract.info.version}, and package.json at ${version}: use "npm version".`]),
  ...(read('openapi/released/openapi.json') === read('generated/openapi.json')
    ? []
    : [
        'openapi/released/openapi.json is an older contract: run "npm run compatibility -- --release" and commit.',
      ]),
  ...(new RegExp(`^## ${version.replaceAll('.', '\\.')}\\b`, 'm').test(read('CHANGELOG.md'))
    ? []
    : [`CHANGELOG.md has no section "## ${version}".`]),
];
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
