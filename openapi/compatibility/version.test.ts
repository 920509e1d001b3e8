import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { versionFault } from './version.ts';

test.each([
  ['0.1.0', '0.2.0', true],
  ['0.1.5', '1.0.0', true],
  ['1.4.2', '2.0.0', true],
  ['0.1.0', '0.2.0-rc.1', true],
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.1.1', false],
  ['1.4.2', '1.5.0', false],
])('after %s the version %s may break: %s', (released, current, mayBreak) => {
  expect(versionFault(released, current, { isBreaking: true }) === undefined).toBe(mayBreak);
  expect(versionFault(released, current, { isBreaking: false })).toBeUndefined();
});

test('names the version that may', () => {
  expect(versionFault('0.1.0', '0.1.1', { isBreaking: true })).toContain('0.2.0 may do');
  expect(versionFault('1.4.0', '1.5.0', { isBreaking: true })).toContain('2.0.0 may do');
});

test.each([
  ['0.2.0', '0.1.9'],
  ['1.0.0', '1.0.0-rc.1'],
  ['1.0.0', 'one'],
  ['', '1.0.0'],
])('from %j to %j is no way forward', (released, current) => {
  expect(versionFault(released, current, { isBreaking: false })).toBeDefined();
});

test('the package has the version of the contract in it', async () => {
  const [manifest, contract] = await Promise.all(
    ['../../package.json', '../../generated/openapi.json'].map(async (path) =>
      JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8')),
    ),
  );
  expect(manifest.version).toBe(contract.info.version);
});
