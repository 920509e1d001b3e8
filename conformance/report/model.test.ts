import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { SCHEMA_VERSION } from './model.ts';
import { conformantReport, exchange, sampleReport, violation } from './testing.ts';

const schema = JSON.parse(await readFile(new URL('./report.schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true });
formats.default(ajv);
const isReport = ajv.compile(schema);

function problems(report: unknown): string[] {
  isReport(JSON.parse(JSON.stringify(report)));
  return (isReport.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

test('reports are what the schema says', () => {
  const baseline = {
    file: 'known.yaml',
    known: [{ id: 'accounts.starts-active', reason: 'fixed in 2.5' }, { id: 'messages.text-stays-text' }],
    new: [],
    now_passing: ['accounts.name-required'],
  };
  expect(problems(sampleReport())).toEqual([]);
  expect(problems(conformantReport())).toEqual([]);
  expect(problems(sampleReport({ baseline, selection: ['accounts.starts-active'] }))).toEqual([]);
  expect(
    problems(sampleReport({ verdict: 'error', exit_code: 2, error: 'unreachable', checks: [] })),
  ).toEqual([]);
});

test('the schema and the types name the same version', () => {
  expect(schema.properties.schema_version.const).toBe(SCHEMA_VERSION);
});

test('the schema is closed', () => {
  const { contract, ...without } = sampleReport();
  expect(problems(without)).toEqual([" must have required property 'contract'"]);
  expect(problems({ ...without, contract, secret: 1 })).toEqual([' must NOT have additional properties']);
  expect(problems({ ...sampleReport(), exit_code: 4, started_at: 'yesterday' })).toHaveLength(2);
  const [first] = sampleReport().checks;
  const odd = { ...violation('a.b'), exchanges: [{ ...exchange(null), cookie: 'x' }] };
  expect(problems({ ...sampleReport(), checks: [{ ...first, violations: [odd] }] })).toHaveLength(1);
});

test('a report survives being written and read, halves of characters included', () => {
  const text = JSON.stringify(sampleReport());
  expect(text.isWellFormed()).toBe(true);
  expect(JSON.parse(text)).toEqual(sampleReport());
});
