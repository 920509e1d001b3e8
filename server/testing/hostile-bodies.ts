import type { Schema } from '../contract/document.ts';

// For tests: request bodies in which one thing is not what the contract says, made from the contract's own schemas and examples.

/** A body as text, and the field (`to[0].email`) that it puts something strange into. */
export interface HostileBody {
  field: string;
  text: string;
}

type Step = string | number;
type Follow = (schema: Schema) => Schema;

const MARK = '@@here@@';

/** Values, as JSON text, of which any field should take some and refuse the others. */
export const STRANGE_VALUES: readonly string[] = [
  'null',
  'true',
  '0',
  '-1.5',
  '1e400',
  '-1e400',
  '9007199254740993',
  '""',
  '" "',
  '"x"',
  '"__proto__"',
  '"\\u0000"',
  '"a\\r\\nBcc: eve@evil.test"',
  '"\\u202e\\ufeff\\u00e9\\ud83d\\ude00"',
  '"\'; drop table messages; --"',
  `"${'x'.repeat(3000)}"`,
  '[]',
  '[null]',
  '[[]]',
  '[{}]',
  '{}',
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  nested(2000),
];

/** Lists within lists, so many levels deep. */
export function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

/** Every field of a body's schema, in turn, with every strange value. The body is otherwise the example. */
export function* hostileBodies(schema: Schema, example: unknown, follow: Follow): Generator<HostileBody> {
  for (const path of fieldsOf(schema, follow)) {
    const template = JSON.stringify(withValue(example, path, MARK));
    for (const value of STRANGE_VALUES) {
      yield { field: nameOf(path), text: template.replace(`"${MARK}"`, () => value) };
    }
  }
}

/** The example with a field that nobody knows in each of its objects; one after the other, as text. */
export function* bodiesWithUnknownFields(example: unknown, value: string): Generator<string> {
  for (const path of objectsIn(example)) {
    for (const name of ['unknown', '', 'constructor', 'toString', 'hasOwnProperty']) {
      yield JSON.stringify(withValue(example, [...path, name], MARK)).replace(`"${MARK}"`, () => value);
    }
  }
}

function* fieldsOf(schema: Schema, follow: Follow, path: Step[] = []): Generator<Step[]> {
  const { properties = {}, items } = follow(schema);
  for (const [name, property] of Object.entries(properties)) {
    yield [...path, name];
    yield* fieldsOf(property, follow, [...path, name]);
  }
  if (items === undefined) return;
  yield [...path, 0];
  yield* fieldsOf(items, follow, [...path, 0]);
}

function* objectsIn(value: unknown, path: Step[] = []): Generator<Step[]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield path;
  for (const [key, part] of Object.entries(value)) {
    yield* objectsIn(part, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

function withValue(target: unknown, path: readonly Step[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list: unknown[] = Array.isArray(target) ? [...target] : [];
    list[step] = withValue(list[step], rest, value);
    return list;
  }
  const object: Record<string, unknown> = typeof target === 'object' && target !== null ? { ...target } : {};
  object[step] = withValue(object[step], rest, value);
  return object;
}

/** As the contract names fields: `to[0].email`. */
function nameOf(path: readonly Step[]): string {
  return path.reduce<string>(
    (name, step) => (typeof step === 'number' ? `${name}[${step}]` : name === '' ? step : `${name}.${step}`),
    '',
  );
}
