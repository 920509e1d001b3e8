/** The keywords of JSON Schema 2020-12 that the contract uses. References are written out, so that none is left. */
export interface Schema {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean;
  unevaluatedProperties?: boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  not?: Schema;
  if?: Schema;
  else?: Schema;
  discriminator?: { propertyName: string };
  contentMediaType?: string;
  default?: unknown;
  title?: string;
  description?: string;
  examples?: readonly unknown[];
  'x-error-code'?: string;
  'x-error-description'?: string;
  'x-extensible-enum'?: boolean;
  'x-items-validated'?: string;
  'x-origin'?: string;
}

/** A schema as the bundle has it. */
export interface BundledSchema extends Omit<Schema, keyof Parent<unknown> | 'if' | 'else'> {
  $ref?: string;
  properties?: Readonly<Record<string, BundledSchema>>;
  items?: BundledSchema;
  allOf?: readonly BundledSchema[];
  anyOf?: readonly BundledSchema[];
  oneOf?: readonly BundledSchema[];
  not?: BundledSchema;
}

const ANNOTATION = /^(?:description|examples|default|title|x-.*)$/;

/**
 * The schema with every `$ref` replaced by what it points at.
 * @throws Error when a schema contains itself, or when a reference has siblings that say more than an annotation.
 */
export function writtenOut(
  schema: BundledSchema,
  lookUp: (reference: string) => BundledSchema,
  within: readonly string[] = [],
): Schema {
  const { $ref, ...rest } = schema;
  if ($ref === undefined) return mapSubschemas(rest, (part) => writtenOut(part, lookUp, within));
  if (within.includes($ref)) throw new Error(`The contract's schema ${$ref} contains itself.`);
  const unknown = Object.keys(rest).filter((keyword) => !ANNOTATION.test(keyword));
  if (unknown.length > 0)
    throw new Error(`The contract has ${unknown.join(', ')} beside the reference ${$ref}.`);
  return { ...writtenOut(lookUp($ref), lookUp, [...within, $ref]), ...annotations(rest) };
}

function annotations(rest: Omit<BundledSchema, '$ref'>): Schema {
  const { properties: _p, items: _i, allOf: _l, anyOf: _a, oneOf: _o, not: _n, ...plain } = rest;
  return plain;
}

/** The keywords of a schema that hold schemas. */
interface Parent<S> {
  properties?: Readonly<Record<string, S>>;
  items?: S;
  allOf?: readonly S[];
  anyOf?: readonly S[];
  oneOf?: readonly S[];
  not?: S;
}

/** The schema with `change` made to each schema directly below it; `name` is that of a property. */
export function mapSubschemas<S>(
  schema: Omit<Schema, keyof Parent<unknown>> & Parent<S>,
  change: (part: S, name?: string) => Schema,
): Schema {
  const { properties, items, allOf, anyOf, oneOf, not, ...plain } = schema;
  const all = (parts: readonly S[]) => parts.map((part) => change(part));
  return {
    ...plain,
    ...(properties === undefined ? {} : { properties: mapValues(properties, change) }),
    ...(items === undefined ? {} : { items: change(items) }),
    ...(allOf === undefined ? {} : { allOf: all(allOf) }),
    ...(anyOf === undefined ? {} : { anyOf: all(anyOf) }),
    ...(oneOf === undefined ? {} : { oneOf: all(oneOf) }),
    ...(not === undefined ? {} : { not: change(not) }),
  };
}

function mapValues<S>(
  properties: Readonly<Record<string, S>>,
  change: (part: S, name: string) => Schema,
): Record<string, Schema> {
  return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, change(part, name)]));
}
