import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, expect, test } from 'vitest';
import { conformantReport, sampleReport } from './testing.ts';
import { readXml } from './testing-xml.ts';
import { ReportError, writeReports } from './write.ts';

const root = await mkdtemp(join(tmpdir(), 'sendspec-report-'));
afterAll(() => rm(root, { recursive: true, force: true }));

const FILES = ['badge.json', 'junit.xml', 'report.html', 'report.json', 'wfc-report.json'];

test('every report is written, into a folder that need not exist', async () => {
  const directory = join(root, 'made', 'here');
  await writeReports(sampleReport(), directory);
  expect((await readdir(directory)).sort()).toEqual(FILES);
  const read = (name: string) => readFile(join(directory, name), 'utf8');
  expect(JSON.parse(await read('badge.json'))).toMatchObject({ schemaVersion: 1, color: 'red' });
  expect(JSON.parse(await read('wfc-report.json'))).toMatchObject({ totalTests: 6 });
  expect(readXml(await read('junit.xml')).attributes).toMatchObject({ tests: '6', failures: '2' });
  expect(await read('report.html')).toMatch(/^<!doctype html>/);
});

test('report.json is what its schema says, with long bodies cut', async () => {
  await writeReports(sampleReport(), root);
  const report = JSON.parse(await readFile(join(root, 'report.json'), 'utf8'));
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
  formats.default(ajv);
  const schema = JSON.parse(await readFile(new URL('./report.schema.json', import.meta.url), 'utf8'));
  expect(ajv.validate(schema, report), ajv.errorsText()).toBe(true);
  const [, hostile] = report.checks;
  const [short, long] = hostile.violations[0].exchanges;
  expect(short).toEqual(sampleReport().checks[1]?.violations[0]?.exchanges[0]);
  expect(long.response.body).toMatch(/x\n\[cut here: 1048587 characters in all\]$/);
  expect(long.request.body.length).toBeLessThan(100_100);
  expect((await stat(join(root, 'report.json'))).size).toBeLessThan(300_000);
});

test('reports of an earlier run are replaced, and no drafts are left', async () => {
  const directory = join(root, 'again');
  await writeReports(sampleReport(), directory);
  await writeReports(conformantReport(), directory);
  expect((await readdir(directory)).sort()).toEqual(FILES);
  expect(JSON.parse(await readFile(join(directory, 'report.json'), 'utf8'))).toMatchObject({
    verdict: 'conformant',
  });
});

test('a folder that cannot be written is named, with what to do', async () => {
  const file = join(root, 'file');
  await writeFile(file, '');
  const failed = writeReports(sampleReport(), file);
  await expect(failed).rejects.toThrow(ReportError);
  await expect(failed).rejects.toThrow(`${file}: the reports cannot be written: it is a file; name a folder`);
  await expect(writeReports(sampleReport(), join(file, 'below'))).rejects.toThrow(
    'a part of the path is a file',
  );
});

test('a folder in the way of a report is left alone', async () => {
  const directory = join(root, 'taken');
  await mkdir(join(directory, 'report.json', 'mine'), { recursive: true });
  await expect(writeReports(sampleReport(), directory)).rejects.toThrow('a folder has the name of a report');
  expect(await readdir(directory)).toEqual(['report.json']);
});
