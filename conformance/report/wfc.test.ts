import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import type { Violation } from './model.ts';
import { answer, check, conformantReport, exchange, sampleReport, violation } from './testing.ts';
import { wfcReportOf } from './wfc.ts';
import { faultCategoryOf } from './wfc-faults.ts';

const text = { type: 'string', minLength: 1 };
const count = { type: 'integer', minimum: 0 };
const list = (items: object) => ({ type: 'array', items });
const record = (properties: Record<string, object>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

// What the schema of Web Fuzzing Commons asks for (report 0.8.0), as far as these reports use it.
const SCHEMA = record({
  schemaVersion: { const: '0.8.0' },
  toolName: text,
  toolVersion: text,
  creationTime: { type: 'string', format: 'date-time' },
  executionTimeInSeconds: count,
  faults: record({
    totalNumber: count,
    foundFaults: list(
      record({
        operationId: text,
        testCaseId: text,
        faultCategories: {
          type: 'array',
          minItems: 1,
          uniqueItems: true,
          items: record({
            id: text,
            code: {
              type: 'integer',
              anyOf: [
                [100, 122],
                [200, 207],
                [300, 312],
                [900, 999],
              ].map(([minimum, maximum]) => ({ minimum, maximum })),
            },
            context: { type: ['string', 'null'] },
          }),
        },
      }),
    ),
  }),
  problemDetails: record({
    rest: record({
      outputHttpCalls: count,
      evaluatedHttpCalls: count,
      endpointIds: { ...list(text), uniqueItems: true },
      coveredHttpStatus: list(
        record({
          endpointId: text,
          testCaseId: text,
          httpStatus: { ...list({ type: 'integer', minimum: 0, maximum: 599 }), uniqueItems: true },
        }),
      ),
    }),
  }),
  totalTests: count,
  testFilePaths: { ...list(text), uniqueItems: true },
  testCases: list(record({ id: text, name: text })),
  extra: list(
    record({ toolName: text, criteria: list(record({ name: text, covered: count, total: count })) }),
  ),
  warnings: list(record({ message: text, category: text })),
});
const ajv = new Ajv2020({ allErrors: true, strict: false });
formats.default(ajv);
const isWfcReport = ajv.compile(SCHEMA);

test('the report is what Web Fuzzing Commons asks for', () => {
  for (const report of [
    sampleReport(),
    conformantReport(),
    sampleReport({ error: 'unreachable', checks: [] }),
  ]) {
    const wfc = wfcReportOf(report);
    expect(isWfcReport(JSON.parse(JSON.stringify(wfc))), JSON.stringify(isWfcReport.errors)).toBe(true);
    const cases = wfc.testCases.map(({ id }) => id);
    expect(new Set(cases).size).toBe(wfc.totalTests);
    for (const { testCaseId } of wfc.faults.foundFaults) expect(cases).toContain(testCaseId);
    for (const { testCaseId } of wfc.problemDetails.rest.coveredHttpStatus)
      expect(cases).toContain(testCaseId);
  }
});

test('faults name the endpoint, the check, the category and the requirement', () => {
  const { faults } = wfcReportOf(
    sampleReport({
      checks: [
        check('messages/list', 'failed', {
          violations: [
            violation('messages.text-stays-text', { exchanges: [] }),
            violation('messages.text-stays-text', { exchanges: [] }),
            violation('http.documented-status', {
              exchanges: [{ ...exchange(answer(418, '')), operation_id: 'listMessages' }],
            }),
          ],
        }),
        check('messages/again', 'failed', {
          violations: [violation('messages.text-stays-text', { exchanges: [] }), violation('http.no-such')],
        }),
      ],
    }),
  );
  const other = { code: 900, id: 'SENDSPEC_REQUIREMENT_BROKEN', context: 'messages.text-stays-text' };
  expect(faults.foundFaults).toEqual([
    {
      operationId: 'GET:/v1/messages',
      testCaseId: 'messages/list',
      faultCategories: [
        other,
        { code: 200, id: 'SCHEMA_INVALID_RESPONSE', context: 'http.documented-status' },
      ],
    },
    { operationId: 'GET:/v1/messages', testCaseId: 'messages/again', faultCategories: [other] },
    {
      operationId: 'POST:/v1/accounts',
      testCaseId: 'messages/again',
      faultCategories: [{ ...other, context: 'http.no-such' }],
    },
  ]);
  expect(faults.totalNumber).toBe(3);
});

test('what was covered, and what could not be tested', () => {
  const { problemDetails, extra, warnings } = wfcReportOf(sampleReport());
  expect(problemDetails.rest).toEqual({
    outputHttpCalls: 3204,
    evaluatedHttpCalls: 3204,
    endpointIds: ['GET:/v1/messages', 'POST:/v1/domains/{domain_id}/rotate_dkim'],
    coveredHttpStatus: [{ endpointId: 'GET:/v1/messages', testCaseId: 'run', httpStatus: [200, 418, 422] }],
  });
  expect(extra[0]?.criteria).toEqual([
    { name: 'operations', covered: 1, total: 2 },
    { name: 'documented_statuses', covered: 2, total: 7 },
    { name: 'parameters', covered: 2, total: 3 },
  ]);
  expect(warnings.map(({ message }) => message)).toEqual([
    'events.open-is-recorded: the target declares no simulator.open',
    'registration.token-expires: TypeError: undefined is not a function',
  ]);
});

test('a request that was never answered, and a status that is none, are counted nowhere', () => {
  const [operation] = sampleReport().coverage.operations;
  if (!operation) throw new Error('the sample has operations');
  const odd = sampleReport({
    coverage: { operations: [{ ...operation, statuses: { '200': 1, none: 3, '999': 1 } }] },
  });
  expect(wfcReportOf(odd).problemDetails.rest.coveredHttpStatus[0]?.httpStatus).toEqual([200]);
});

test.each([
  ['http.no-internal-failure', 'GET', 500, 100],
  ['http.documented-status', 'GET', 503, 121],
  ['http.documented-status', 'GET', 501, 205],
  ['http.documented-status', 'GET', 999, 101],
  ['http.response-shape', 'GET', 200, 200],
  ['authentication.challenge', 'GET', 401, 109],
  ['authentication.invalid-token-401', 'GET', 200, 311],
  ['authentication.invalid-token-401', 'GET', 422, 900],
  ['isolation.foreign-path', 'DELETE', 200, 306],
  ['isolation.foreign-path', 'GET', 200, 900],
  ['isolation.foreign-path', 'GET', 401, 305],
  ['http.foreign-403', 'GET', 409, 304],
  ['accounts.deleted-is-gone', 'GET', 200, 113],
  ['conventions.bad-page-422', 'GET', 200, 206],
  ['conventions.valid-input-is-accepted', 'POST', 422, 207],
  ['http.internal-failure-tells-nothing', 'GET', 400, 309],
  ['accounts.starts-active', 'POST', 201, 900],
])('%s, %s answered %d, is F%d', (id, method, status, code) => {
  const shown = [exchange(answer(status, ''), { method })];
  expect(faultCategoryOf(violation(id, { exchanges: shown })).code).toBe(code);
});

test('no answer in time is a category of its own', () => {
  const silent = (fault: string): Violation =>
    violation('http.complete-answer', { exchanges: [{ ...exchange(null), fault }] });
  expect(faultCategoryOf(silent('no answer within 30 s')).code).toBe(312);
  expect(faultCategoryOf(silent('the connection was reset')).code).toBe(200);
});

test('how the suite answers a notification is no answer of the server', () => {
  const notification = { ...exchange(answer(500, '')), is_notification: true } as const;
  const category = faultCategoryOf(violation('webhooks.signature', { exchanges: [notification] }));
  expect(category.code).toBe(900);
});
