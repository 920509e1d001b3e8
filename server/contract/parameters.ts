import type { FieldError } from '../domain/errors.ts';
import {
  type ContractDocument,
  follow,
  type Located,
  type Parameter,
  pointerTo,
  type Schema,
} from './document.ts';
import { cutValue } from './field-errors.ts';

/** How one parameter of an operation is read from text; what its values may be is the validator's business. */
export interface ParameterRule {
  name: string;
  location: 'path' | 'query';
  required: boolean;
  /** A `name[]` parameter, repeated to pass several values. */
  list: boolean;
  /** What the text stands for. */
  kind: 'integer' | 'boolean' | 'text';
  fallback: unknown;
  /** Where the schema of the whole value stands in the contract. */
  pointer: string;
}

/** What was read from a query string: the values by name, and what no schema can say about them. */
export interface QueryValues {
  values: Record<string, unknown>;
  errors: FieldError[];
}

// No sign but a minus, no leading zeros, no spaces, no exponent, no other base.
const INTEGER = /^-?(?:0|[1-9]\d*)$/;

/** The rules of an operation's path and query parameters. */
export function parameterRules(
  document: ContractDocument,
  parameters: readonly Located<Parameter>[],
): ParameterRule[] {
  const rules: ParameterRule[] = [];
  for (const { value, pointer } of parameters) {
    if ((value.in !== 'path' && value.in !== 'query') || value.schema === undefined) continue;
    const schemaPointer = pointerTo(pointer, 'schema');
    const schema = follow(document, { value: value.schema, pointer: schemaPointer }).value;
    const list = schema.type === 'array';
    rules.push({
      name: value.name,
      location: value.in,
      required: value.required ?? false,
      list,
      kind: kindOf(list && schema.items ? followSchema(document, schema.items) : schema),
      fallback: value.schema.default ?? schema.default,
      pointer: schemaPointer,
    });
  }
  return rules;
}

/**
 * Reads a query string (without the `?`) by the rules: unknown parameters are ignored, absent ones get their default,
 * a single value given twice is DUPLICATE, and what is not percent-encoded UTF-8 or holds a NUL is reported too.
 */
export function readQuery(rules: readonly ParameterRule[], query: string): QueryValues {
  const given = split(query);
  const values: Record<string, unknown> = Object.create(null);
  const errors: FieldError[] = [];
  for (const rule of rules) {
    const texts = given?.get(rule.name);
    const [first] = texts ?? [];
    if (texts === undefined || first === undefined) {
      if (rule.fallback !== undefined) values[rule.name] = rule.fallback;
      continue;
    }
    values[rule.name] = rule.list ? texts.map((text) => coerce(rule, text.value)) : coerce(rule, first.value);
    if (!rule.list && texts.length > 1) errors.push(repeated(rule, first.value));
    texts.forEach((text, index) => {
      const field = rule.list ? elementName(rule.name, index) : rule.name;
      if (text.fault !== undefined) errors.push({ field, value: cutValue(text.value), errors: [text.fault] });
    });
  }
  return { values, errors };
}

/** The values of the path parameters, from their decoded text. */
export function readPath(
  rules: readonly ParameterRule[],
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null);
  for (const rule of rules) {
    const text = texts[rule.name];
    if (text !== undefined) values[rule.name] = coerce(rule, text);
  }
  return values;
}

/** `account_ids[]` and 2 give `account_ids[2]`. */
function elementName(name: string, index: number): string {
  return `${name.endsWith('[]') ? name.slice(0, -2) : name}[${index}]`;
}

interface QueryText {
  value: string;
  fault?: FieldError['errors'][number];
}

/** The pairs of a query string by decoded name; undefined for an empty one. A name that cannot be decoded is nobody's, and left out. */
function split(query: string): Map<string, QueryText[]> | undefined {
  if (query === '') return undefined;
  const given = new Map<string, QueryText[]>();
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (name === undefined) continue;
    const text = readText(equals < 0 ? '' : pair.slice(equals + 1));
    const texts = given.get(name);
    if (texts === undefined) given.set(name, [text]);
    else texts.push(text);
  }
  return given;
}

function readText(encoded: string): QueryText {
  const value = decode(encoded);
  if (value === undefined) {
    return { value: encoded, fault: { code: 'STRING', description: 'must be percent-encoded UTF-8' } };
  }
  if (value.includes('\0')) {
    return { value, fault: { code: 'CONTROL_CHARACTER', description: 'must not contain NUL' } };
  }
  return { value };
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function coerce(rule: ParameterRule, text: string): unknown {
  if (rule.kind === 'integer' && INTEGER.test(text)) return Number(text) + 0;
  if (rule.kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function repeated(rule: ParameterRule, value: string): FieldError {
  return {
    field: rule.name,
    value: cutValue(value),
    errors: [{ code: 'DUPLICATE', description: 'must be given once' }],
  };
}

function kindOf(schema: Schema): ParameterRule['kind'] {
  if (schema.type === 'integer') return 'integer';
  return schema.type === 'boolean' ? 'boolean' : 'text';
}

function followSchema(document: ContractDocument, schema: Schema): Schema {
  return follow(document, { value: schema, pointer: '' }).value;
}
