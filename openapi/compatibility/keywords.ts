import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Rule } from './finding.ts';
import { type JsonObject, listOf } from './json.ts';
import type { Alternative, Type } from './normal-form.ts';

/** A value that the narrow schema allows and the wide one does not, by the keyword that says so. */
export interface KeywordGap {
  readonly rule: Rule;
  readonly keyword: string;
}

const UPPER: Readonly<Partial<Record<Type, readonly string[]>>> = {
  string: ['maxLength'],
  array: ['maxItems'],
  object: ['maxProperties'],
};
const LOWER: Readonly<Partial<Record<Type, readonly string[]>>> = {
  string: ['minLength'],
  array: ['minItems'],
  object: ['minProperties'],
};
/** Of these only equality can be told, whatever the type. */
const OPAQUE: Readonly<Partial<Record<Type, readonly string[]>>> = {
  string: ['pattern', 'format', 'contentMediaType', 'contentEncoding'],
  integer: ['multipleOf', 'format'],
  number: ['multipleOf', 'format'],
  array: ['uniqueItems', 'prefixItems', 'contains', 'minContains', 'maxContains'],
  object: ['patternProperties', 'propertyNames', 'dependentRequired', 'dependentSchemas'],
};
/** Types that have so few values that they are as good as listed. */
const FINITE: Readonly<Partial<Record<Type, readonly unknown[]>>> = { null: [null], boolean: [false, true] };
const OPAQUE_FOR_ALL = ['not', 'if', 'then', 'else'];

const ajv = new Ajv2020({ strict: false, logger: false });
addFormats.default(ajv);

/**
 * What of `narrow` lies outside of `wide`, as far as keywords say that hold no further schemas.
 * `meaning` gives a sub-schema in a form in which only what it asserts is left.
 */
export function keywordGaps(
  wide: Alternative,
  narrow: Alternative,
  meanings: { wide(node: unknown): unknown; narrow(node: unknown): unknown },
): KeywordGap[] {
  const { type } = narrow;
  const values = narrow.schema.enum === undefined ? FINITE[type] : listOf(narrow.schema.enum);
  if (values !== undefined) return valueGaps(wide, values);
  if (wide.schema.enum !== undefined) return [{ rule: 'values-changed', keyword: 'enum' }];
  const opaque = [...(OPAQUE[type] ?? []), ...OPAQUE_FOR_ALL].filter((keyword) => {
    const [asked, given] = [wide.schema[keyword], narrow.schema[keyword]];
    return (
      asked !== undefined &&
      !isVoid(keyword, asked) &&
      !isDeepStrictEqual(meanings.wide(asked), meanings.narrow(given))
    );
  });
  return [
    ...boundGaps(type, wide.schema, narrow.schema).map(
      (keyword): KeywordGap => ({ rule: 'bound-changed', keyword }),
    ),
    ...opaque.map((keyword): KeywordGap => ({ rule: 'form-changed', keyword })),
  ];
}

/** Whether the keyword asserts nothing with this value. */
function isVoid(keyword: string, value: unknown): boolean {
  return keyword === 'uniqueItems' && value === false;
}

/** A finite list is tried value by value, against what is listed and against what else is asked. */
function valueGaps(wide: Alternative, values: readonly unknown[]): KeywordGap[] {
  const known = wide.schema.enum === undefined ? values : listOf(wide.schema.enum);
  const isInside = values.every((value) => known.some((other) => isDeepStrictEqual(value, other)));
  if (!isInside) return [{ rule: 'values-changed', keyword: 'enum' }];
  const asserted = [
    ...(UPPER[wide.type] ?? []),
    ...(LOWER[wide.type] ?? []),
    ...NUMERIC,
    'pattern',
    'format',
  ];
  return asserted
    .filter((keyword) => keyword in wide.schema)
    .filter((keyword) => !values.every((value) => ajv.validate({ [keyword]: wide.schema[keyword] }, value)))
    .map((keyword) => ({ rule: 'values-changed', keyword }));
}

const NUMERIC = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'] as const;

function boundGaps(type: Type, wide: JsonObject, narrow: JsonObject): string[] {
  if (type === 'integer' || type === 'number') return numericGaps(wide, narrow);
  const above = (UPPER[type] ?? []).filter(
    (keyword) => limit(wide, keyword, Infinity) < limit(narrow, keyword, Infinity),
  );
  const below = (LOWER[type] ?? []).filter((keyword) => limit(wide, keyword, 0) > atLeast(narrow, keyword));
  return [...above, ...below];
}

function numericGaps(wide: JsonObject, narrow: JsonObject): string[] {
  const top = limit(narrow, 'maximum', Infinity);
  const openTop = limit(narrow, 'exclusiveMaximum', Infinity);
  const bottom = limit(narrow, 'minimum', -Infinity);
  const openBottom = limit(narrow, 'exclusiveMinimum', -Infinity);
  const isInside: Readonly<Record<(typeof NUMERIC)[number], (bound: number) => boolean>> = {
    minimum: (bound) => Math.max(bottom, openBottom) >= bound,
    exclusiveMinimum: (bound) => bottom > bound || openBottom >= bound,
    maximum: (bound) => Math.min(top, openTop) <= bound,
    exclusiveMaximum: (bound) => top < bound || openTop <= bound,
  };
  return NUMERIC.filter((keyword) => {
    const bound = wide[keyword];
    return typeof bound === 'number' && !isInside[keyword](bound);
  });
}

/** An object has at least as many fields as are required. */
function atLeast(schema: JsonObject, keyword: string): number {
  const fields = keyword === 'minProperties' ? listOf(schema.required).length : 0;
  return Math.max(limit(schema, keyword, 0), fields);
}

function limit(schema: JsonObject, keyword: string, none: number): number {
  const value = schema[keyword];
  return typeof value === 'number' ? value : none;
}
