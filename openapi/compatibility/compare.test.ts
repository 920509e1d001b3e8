import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { compareContracts } from './compare.ts';
import { type Finding, RULES } from './finding.ts';
import { BREAKING } from './fixtures/breaking.ts';
import { edited, editOf, editsOf } from './fixtures/changes.ts';
import { HARMLESS } from './fixtures/harmless.ts';
import { type JsonObject, objectOf } from './json.ts';

const SMALL = objectOf(parse(readFileSync(new URL('fixtures/contract.yaml', import.meta.url), 'utf8')));
const REAL = objectOf(
  JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')),
);

function after(document: JsonObject, edit: string): Finding[] {
  const { before, change } = editsOf(edit);
  const old = before.reduce(edited, document);
  return compareContracts({ old, new: change.reduce(edited, old) });
}

test.each([
  ['a small contract', SMALL],
  ['the real contract', REAL],
])('%s does not break against itself', (_name, document) => {
  expect(compareContracts({ old: document, new: structuredClone(document) })).toEqual([]);
});

test.each(BREAKING)('%s', (edit, rule, who, place, what) => {
  const findings = after(SMALL, edit);
  expect(findings).toContainEqual(expect.objectContaining({ rule, who, place, what }));
  expect(new Set(findings.map((finding) => `${finding.rule} ${finding.place}`)).size).toBeLessThanOrEqual(2);
});

test('every rule is broken by one of these', () => {
  expect(new Set(BREAKING.map(([, rule]) => rule))).toEqual(new Set(Object.keys(RULES)));
});

test.each(HARMLESS)('%s breaks nobody', (edit) => {
  expect(after(SMALL, edit)).toEqual([]);
});

test('what is harmless in one direction breaks in the other', () => {
  const change = editOf('components schemas State enum = [waiting, moving]');
  const narrowed = compareContracts({ old: SMALL, new: edited(SMALL, change) });
  expect(narrowed.map(({ who }) => who)).toEqual(['callers']);
  const widened = compareContracts({ old: edited(SMALL, change), new: SMALL });
  expect(widened.map(({ who }) => who)).toEqual(['readers of responses']);
});

test('a schema that many use is one finding for each audience, with all its uses', () => {
  const findings = after(SMALL, 'components schemas Arrived properties by maxLength -');
  expect(findings.map(({ who, uses }) => [who, uses])).toEqual([
    ['readers of responses', ['GET /parcels', 'POST /parcels']],
    ['webhook receivers', ['webhook parcel.moved']],
  ]);
});

test('a reference that leads nowhere is an error, not a difference', () => {
  const dangling = editOf('components schemas Parcel properties state $ref = "#/components/schemas/Stat"');
  expect(() => compareContracts({ old: SMALL, new: edited(SMALL, dangling) })).toThrow(
    'The document has no #/components/schemas/Stat.',
  );
});

test.each([
  [
    'components schemas SendEmailMessage properties subject maxLength = 10',
    'POST /v1/send_email',
    'schema SendEmailMessage: subject',
    'callers',
  ],
  [
    'components schemas Message properties subject -',
    'GET /v1/messages',
    'schema Message: subject',
    'readers of responses',
  ],
  [
    'components schemas MessageClickPayload properties user_ip -',
    'webhook message.click',
    'schema MessageClickPayload: user_ip',
    'webhook receivers',
  ],
  ['paths /v1/stats get -', 'GET /v1/stats', 'operation', 'callers'],
  ['webhooks message.open -', 'webhook message.open', 'webhook', 'webhook receivers'],
  [
    'components headers RetryAfter schema type = string',
    'GET /v1/domains',
    'response 429 header Retry-After',
    'readers of responses',
  ],
  ['x-unknown-endpoint 404 -', 'unknown endpoints', 'response 404', 'readers of responses'],
])('in the real contract: %s', (edit, use, place, who) => {
  const found = after(REAL, edit).filter((finding) => finding.place === place && finding.who === who);
  expect(found.flatMap(({ uses }) => uses)).toContain(use);
});

test.each(['ErrorCode', 'FieldErrorCode', 'MessageRejectionCode'])('a new %s breaks nobody', (name) => {
  const values = (REAL as { components: { schemas: Record<string, { enum: string[] }> } }).components.schemas[
    name
  ]?.enum;
  const edit = `components schemas ${name} enum = ${JSON.stringify([...(values ?? []), 'NEW'])}`;
  expect(values).not.toEqual([]);
  expect(after(REAL, edit)).toEqual([]);
});
