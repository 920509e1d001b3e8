import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from '../contract/schema.ts';
import { isValid } from '../contract/validators.ts';
import * as strings from './strings.ts';

/** What stands at certain places in place of generated values. Places are `name`, `accounts`, `[].from.email`. */
export type Own = Readonly<Record<string, Arbitrary<unknown>>>;

/** A schema says something that values are not generated for. */
export class UnknownKeyword extends Error {}

const KNOWN = new Set<string>([
  ...['type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'],
  ...['properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems'],
  ...['anyOf', 'oneOf', 'not'],
  // Annotations: nothing follows from them for a value.
  ...['default', 'title', 'description', 'examples', 'contentMediaType', 'x-items-validated', 'x-origin'],
  ...['x-error-code', 'x-error-description'],
]);
const LARGEST_NUMBER = 30;
const MOST_ITEMS = 3;
const LONGEST_MATCH = 30;

/**
 * Values that a schema of a request takes, within what no implementation disputes: texts of 1 to 100 printable characters, small
 * numbers, short lists. They shrink to what is required, and short.
 * @throws UnknownKeyword when the schema says what this does not know.
 */
export function arbitraryOf(schema: Schema, own: Own = {}, place = ''): Arbitrary<unknown> {
  const given = own[place];
  if (given !== undefined) return given;
  const unknown = Object.keys(schema).find((keyword) => !KNOWN.has(keyword));
  if (unknown !== undefined) throw new UnknownKeyword(`No values can be made for ${unknown} at "${place}".`);
  const { not } = schema;
  const values = plainValues(schema, own, place);
  return not === undefined ? values : values.filter((value) => !isValid(not, value));
}

/** The place of a property or, without a name, of an item. */
export function placeWithin(place: string, name?: string): string {
  if (name === undefined) return `${place}[]`;
  return place === '' ? name : `${place}.${name}`;
}

/** The types that a schema names. */
export function typesOf({ type }: Schema): readonly string[] {
  return type === undefined ? [] : [type].flat();
}

function plainValues(schema: Schema, own: Own, place: string): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return fc.oneof(...branches.map((branch) => arbitraryOf(branch, own, place)));
  const types = typesOf(schema);
  const kinds = types.filter((type) => type !== 'null').map((type) => typedValues(type, schema, own, place));
  const [only] = kinds;
  if (only === undefined && types.length === 0) throw new UnknownKeyword(`No type is named at "${place}".`);
  const values = only === undefined ? fc.constant(null) : kinds.length === 1 ? only : fc.oneof(...kinds);
  return types.includes('null') && only !== undefined ? fc.option(values, { nil: null }) : values;
}

function typedValues(type: string, schema: Schema, own: Own, place: string): Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return texts(schema);
    case 'integer':
      return integers(schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return lists(schema, own, place);
    case 'object':
      return objects(schema, own, place);
    default:
      throw new UnknownKeyword(`No values can be made for the type ${type} at "${place}".`);
  }
}

function integers({ minimum = 0, maximum = LARGEST_NUMBER }: Schema): Arbitrary<number> {
  return fc.integer({ min: minimum, max: Math.max(minimum, Math.min(maximum, LARGEST_NUMBER)) });
}

function lists({ items = {}, minItems = 0, maxItems = MOST_ITEMS }: Schema, own: Own, place: string) {
  const maxLength = Math.max(minItems, Math.min(maxItems, MOST_ITEMS));
  return fc.array(arbitraryOf(items, own, placeWithin(place)), { minLength: minItems, maxLength });
}

function objects({ properties = {}, required = [] }: Schema, own: Own, place: string) {
  const values = Object.entries(properties).map(([name, property]) => [
    name,
    arbitraryOf(property, own, placeWithin(place, name)),
  ]);
  return fc.record<Record<string, unknown>>(Object.fromEntries(values), {
    requiredKeys: [...required],
    noNullPrototype: true,
  });
}

const BY_FORMAT: Readonly<Record<string, (length: strings.Length) => Arbitrary<string>>> = {
  email: strings.email,
  uuid: strings.uuid,
  'date-time': strings.timestamp,
  date: strings.date,
  hostname: strings.hostname,
  uri: strings.uri,
  password: strings.password,
};
// "anything but these characters", which printable text never has.
const NEGATED_CLASS = /^\^\[\^[^\]]*\]\*\$$/;

function texts(schema: Schema): Arbitrary<string> {
  const { format, pattern } = schema;
  const formatted = format === undefined ? undefined : BY_FORMAT[format];
  if (format !== undefined && formatted === undefined) {
    throw new UnknownKeyword(`No values can be made for the format ${format}.`);
  }
  if (formatted !== undefined) return formatted(schema).filter((text) => isValid(schema, text));
  if (pattern === undefined || NEGATED_CLASS.test(pattern)) return strings.printable(schema);
  return fc
    .stringMatching(new RegExp(pattern, 'u'))
    .filter((text) => text.length <= LONGEST_MATCH && isValid(schema, text));
}
