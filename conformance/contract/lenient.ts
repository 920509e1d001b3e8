import { mapSubschemas, type Schema } from './schema.ts';

// The contract's schemas say what our own server promises. What the service description leaves open is no reason to fail another
// server: here the schemas of responses are loosened to what every implementation has to keep. The strict form is still asked, and
// what only it refuses becomes a remark.

const CODE_PATTERN = '^[A-Z][A-Z0-9_]*$';
// The one code that the service description names.
const DESCRIBED_CODE = 'INVALID_JSON';

/** The schema of a response as far as a server may be failed for it. */
export function lenient(schema: Schema, name?: string): Schema {
  if (name === 'code') return lenientCode(schema);
  const { additionalProperties: _closed, unevaluatedProperties: _alsoClosed, ...open } = schema;
  const loosened = mapSubschemas(withoutUpperBounds(open), lenient);
  return lenientFields(tagged(loosened));
}

/** The strict schema, with the branches of its `oneOf` told apart by their tag: the errors then speak of the branch that was meant. */
export function withTags(schema: Schema): Schema {
  return tagged(mapSubschemas(schema, (part) => withTags(part)));
}

/** Any code may stand where the description names none. */
function lenientCode(schema: Schema): Schema {
  return schema.const === DESCRIBED_CODE ? schema : { type: 'string', pattern: CODE_PATTERN };
}

// How long a text, how large a page or how far away a reset may be is each implementation's own decision. `maxItems: 0` is a rule.
function withoutUpperBounds({ maxLength: _length, maximum: _maximum, maxItems, ...rest }: Schema): Schema {
  // A format says all that is to be said about length.
  const { minLength: _least, ...formatted } = rest;
  const unbounded = rest.format === undefined || rest.format === 'password' ? rest : formatted;
  return maxItems === 0 ? { ...unbounded, maxItems } : unbounded;
}

function lenientFields(schema: Schema): Schema {
  const { properties } = schema;
  if (properties === undefined) return schema;
  if (properties.unique_opens !== undefined) return withCounters(schema, properties);
  if (properties.suppression_id !== undefined) return withEmptyMessageId(schema, properties);
  if (properties.status?.const === 'rejected') return withAnyMessageId(schema, properties);
  return schema;
}

/** Counters: declared as integers, written as numeric strings in the samples. */
function withCounters(schema: Schema, properties: Readonly<Record<string, Schema>>): Schema {
  const counters = Object.entries(properties).map(([name, property]) => [
    name,
    property.type === 'integer' ? { ...property, type: ['integer', 'string'], pattern: '^\\d+$' } : property,
  ]);
  return { ...schema, properties: Object.fromEntries(counters) };
}

/** "empty when type is `manual`" may be `null` or `""`; what caused an automatic entry is an id. */
function withEmptyMessageId(schema: Schema, properties: Readonly<Record<string, Schema>>): Schema {
  const { message_id: id = {}, ...others } = properties;
  const { format: _format, ...text } = id;
  return {
    ...schema,
    properties: { ...others, message_id: text },
    if: { properties: { type: { const: 'manual' } } },
    else: { properties: { message_id: id } },
  };
}

/** The id of a rejected message: the description shows one without a word about rejection. */
function withAnyMessageId(schema: Schema, properties: Readonly<Record<string, Schema>>): Schema {
  return { ...schema, properties: { ...properties, message_id: { type: ['string', 'null'] } } };
}

const TAGS = ['status', 'type', 'event'] as const;

function tagged(schema: Schema): Schema {
  const { oneOf } = schema;
  const tag = TAGS.find((name) => oneOf?.every((branch) => branch.properties?.[name]?.const !== undefined));
  return tag === undefined ? schema : { ...schema, type: 'object', discriminator: { propertyName: tag } };
}
