import { isDeepStrictEqual } from 'node:util';
import type { ContractDocument } from './contract.ts';
import { isObject, type JsonObject, listOf, objectOf, textOf } from './json.ts';

const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
export type Type = (typeof TYPES)[number];

/** One of the shapes that a schema allows: of a single type, all its parts joined. */
export interface Alternative {
  readonly type: Type;
  /** The shared schema that it is, undefined when more than that is asserted. */
  readonly name: string | undefined;
  readonly schema: JsonObject;
}

const BOUNDS: Readonly<Record<string, (a: number, b: number) => number>> = {
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  minProperties: Math.max,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
  maxProperties: Math.min,
};

/** Keywords that allow and forbid nothing. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'externalDocs',
  'discriminator',
  'xml',
  '$comment',
]);

/**
 * A schema as a list of single-type alternatives, so that `type: [string, 'null']` is the same as an `anyOf` of both and an
 * `allOf` the same as its parts written as one. References are followed here, but not into properties and items, so that schemas
 * may contain themselves.
 */
export function alternativesOf(document: ContractDocument, node: unknown): readonly Alternative[] {
  return conjunctions(document, node).flatMap(({ schema, name }) =>
    typesOf(schema)
      .map((type) => ({ type, name, schema: onlyOf(type, schema) }))
      .filter(({ schema: { enum: values } }) => values === undefined || listOf(values).length > 0),
  );
}

/** The name of the shared schema that a reference leads to. */
export function nameOf(node: unknown): string | undefined {
  return /^#\/components\/schemas\/([^/]+)$/.exec(textOf(objectOf(node).$ref) ?? '')?.[1];
}

interface Conjunction {
  readonly schema: JsonObject;
  readonly name: string | undefined;
}

/** The schema without `$ref`, `allOf`, `anyOf` and `oneOf`: one entry for each way to choose among the alternatives. */
function conjunctions(document: ContractDocument, node: unknown): Conjunction[] {
  if (node === false) return [];
  const { $ref, allOf, anyOf, oneOf, ...own } = withoutConst(objectOf(node));
  const name = nameOf(node);
  const parts = [
    ...($ref === undefined ? [] : [conjunctions(document, document.resolve({ $ref }))]),
    ...listOf(allOf).map((part) => conjunctions(document, part)),
    ...[anyOf, oneOf]
      .filter((options) => options !== undefined)
      .map((options) => listOf(options).flatMap((option) => conjunctions(document, option))),
  ];
  const start: Conjunction[] = [{ schema: own, name: undefined }];
  return parts
    .reduce<Conjunction[]>((left, right) => left.flatMap((a) => right.map((b) => joined(a, b))), start)
    .map((found) => ({ ...found, name: found.name ?? name }));
}

function joined(a: Conjunction, b: Conjunction): Conjunction {
  const keywords = Object.keys({ ...a.schema, ...b.schema });
  const entries = keywords.map((keyword) => [keyword, both(keyword, a.schema[keyword], b.schema[keyword])]);
  const name = isBare(a.schema) ? b.name : isBare(b.schema) ? a.name : undefined;
  return { schema: Object.fromEntries(entries), name };
}

/** Whether the schema asserts nothing, so that what it is joined with stays what its name says. */
function isBare(schema: JsonObject): boolean {
  return Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword));
}

/** What two values of one keyword mean together. */
function both(keyword: string, a: unknown, b: unknown): unknown {
  if (a === undefined || isDeepStrictEqual(a, b)) return b;
  if (b === undefined) return a;
  const tighter = BOUNDS[keyword];
  if (tighter !== undefined) return tighter(Number(a), Number(b));
  switch (keyword) {
    case 'type':
      return namedTypes(a).filter((type) => namedTypes(b).includes(type));
    case 'enum':
      return listOf(a).filter((value) => listOf(b).some((other) => isDeepStrictEqual(value, other)));
    case 'required':
      return [...new Set([...listOf(a), ...listOf(b)])];
    case 'properties':
      return jointProperties(objectOf(a), objectOf(b));
    case 'items':
      return { allOf: [a, b] };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return a === false || b === false ? false : isObject(b) ? b : a;
    default:
      // The outer one counts, which stands nearer to the use; patterns and the like hold together.
      return ANNOTATIONS.has(keyword) || keyword.startsWith('x-') ? a : [a, b];
  }
}

function jointProperties(a: JsonObject, b: JsonObject): JsonObject {
  const shared = Object.keys(b).filter((name) => Object.hasOwn(a, name));
  return { ...a, ...b, ...Object.fromEntries(shared.map((name) => [name, { allOf: [a[name], b[name]] }])) };
}

function namedTypes(type: unknown): readonly unknown[] {
  return typeof type === 'string' ? [type] : listOf(type);
}

/** Those that are named; without a name those of the values that are listed, or every one. */
function typesOf({ type, enum: values }: JsonObject): readonly Type[] {
  const named = type === undefined ? undefined : namedTypes(type);
  return TYPES.filter((candidate) => {
    if (named !== undefined) return named.includes(candidate);
    if (candidate === 'integer') return false;
    return values === undefined || listOf(values).some((value) => isOf(candidate, value));
  });
}

function isOf(type: Type, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** The schema for one type. */
function onlyOf(type: Type, { type: _types, ...schema }: JsonObject): JsonObject {
  if (schema.enum === undefined) return schema;
  return { ...schema, enum: listOf(schema.enum).filter((value) => isOf(type, value)) };
}

/** `const` as a list of one value. */
function withoutConst(schema: JsonObject): JsonObject {
  if (!('const' in schema)) return schema;
  const { const: only, ...rest } = schema;
  return { ...rest, enum: rest.enum === undefined ? [only] : both('enum', [only], rest.enum) };
}
