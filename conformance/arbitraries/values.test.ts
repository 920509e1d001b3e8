import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../contract/document.ts';
import type { Schema } from '../contract/schema.ts';
import { isValid } from '../contract/validators.ts';
import { arbitraryOf, UnknownKeyword } from './values.ts';

const RUNS = { seed: 1, numRuns: 300 };

/** What shrinking ends at when every value fails from the start. */
function smallest(schema: Schema): unknown {
  const { counterexample } = fc.check(
    fc.property(arbitraryOf(schema), () => false),
    { seed: 7, endOnFailure: false },
  );
  return counterexample?.[0];
}

const requestSchemas = operations.flatMap(({ id, body, parameters }) => [
  ...(body === undefined ? [] : [[`${id} body`, body.schema] as const]),
  ...parameters.map(({ in: where, name, schema }) => [`${id} ${where} ${name}`, schema] as const),
]);

test.each(requestSchemas)('the values for %s are what the contract takes', (_name, schema) => {
  fc.assert(
    fc.property(arbitraryOf(schema), (value) => {
      expect([value, isValid(schema, value)]).toEqual([value, true]);
    }),
    RUNS,
  );
});

test('the same seed gives the same values, another one others', () => {
  const schema = operations.find(({ id }) => id === 'sendEmail')?.body?.schema ?? {};
  const sample = (seed: number) => fc.sample(arbitraryOf(schema), { seed, numRuns: 20 });
  expect(sample(1)).toEqual(sample(1));
  expect(sample(1)).not.toEqual(sample(2));
});

describe('stays within what nobody disputes', () => {
  const sample = (schema: Schema) => fc.sample(arbitraryOf(schema), RUNS);

  test('texts are printable, not empty, and at most 100 characters', () => {
    const texts = sample({ type: 'string' });
    for (const text of texts) expect(text).toMatch(/^[^\p{Cc}\p{Z}](?:.{0,98}[^\p{Cc}\p{Z}])?$/u);
    expect(texts.some((text) => /[^ -~]/.test(String(text)))).toBe(true);
  });

  test('addresses are plain ASCII, in a domain that is nobody’s', () => {
    for (const address of sample({ type: 'string', format: 'email' })) {
      expect(address).toMatch(/^[a-z0-9]+(?:[.+_-][a-z0-9]+)*@(?:[a-z0-9-]+\.)+test$/);
    }
  });

  test('pages have 1 to 30 entries', () => {
    const limits = sample({ type: 'integer', minimum: 1, maximum: 1000 });
    expect(Math.min(...limits.map(Number))).toBe(1);
    expect(Math.max(...limits.map(Number))).toBe(30);
  });

  test('optional fields are sometimes absent and sometimes there, null among them where it is allowed', () => {
    const schema = {
      type: 'object',
      properties: { name: { type: 'string' }, reason: { type: ['string', 'null'] } },
      required: ['name'],
    };
    const values = sample(schema).map((value) => Reflect.get(Object(value), 'reason'));
    expect(values).toContain(undefined);
    expect(values).toContain(null);
    expect(values.some((value) => typeof value === 'string')).toBe(true);
  });
});

describe('shrinks', () => {
  test.each<[Schema, unknown]>([
    [{ type: 'string', minLength: 1 }, 'a'],
    [{ type: 'string', format: 'password', minLength: 8 }, 'aaaaaaaa'],
    [{ type: 'string', format: 'email' }, 'a@aa.test'],
    [{ type: 'integer', minimum: 1, maximum: 1000 }, 1],
    [{ type: 'array', items: { type: 'boolean' } }, []],
    [{ type: 'array', minItems: 1, items: { enum: ['new', 'open'] } }, ['new']],
    [{ type: ['string', 'null'] }, null],
    [
      { type: 'object', properties: { a: { type: 'boolean' }, b: { type: 'string' } }, required: ['a'] },
      { a: false },
    ],
  ])('%j to %j', (schema, value) => {
    expect(smallest(schema)).toEqual(value);
  });
});

test('own values stand where they are given', () => {
  const schema = operations.find(({ id }) => id === 'sendEmail')?.body?.schema ?? {};
  const own = { '[].from.email': fc.constant('hello@demo.test') };
  for (const batch of fc.sample(arbitraryOf(schema, own), RUNS)) {
    expect(batch).toMatchObject([{ from: { email: 'hello@demo.test' } }, ...Object(batch).slice(1)]);
  }
});

test.each<[string, Schema]>([
  ['an unknown keyword', Object.assign({ type: 'string' }, { multipleOf: 2 })],
  ['several schemas at once', { allOf: [{ type: 'string' }] }],
  ['an unknown format', { type: 'string', format: 'ipv4' }],
  ['an unknown type', { type: 'number' }],
  ['no type', {}],
  [
    'a keyword further down',
    { type: 'object', properties: { a: { unevaluatedProperties: false } }, required: [] },
  ],
])('%s is not passed over', (_name, schema) => {
  expect(() => arbitraryOf(schema)).toThrow(UnknownKeyword);
});
