import type { Schema } from '../contract/schema.ts';
import { isValid } from '../contract/validators.ts';
import { typesOf } from './values.ts';

/** Values that a schema refuses for one reason. */
export interface WrongValues {
  kind: string;
  values: readonly unknown[];
}

const OF_ANY_TYPE: readonly unknown[] = [5, true, 'text', [], {}, 1.5, ['text'], { a: 1 }];
const NO_CHOICE = ['other', 'x'];
const IDS = [
  'x',
  '42',
  'not-a-uuid',
  '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f',
  '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8fg',
  '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3-1',
  '6f1c0a52_8d3e_4b7f_9a21_5c0e7d94b8f3',
];
const ADDRESSES = [
  'ada',
  'ada@',
  '@customer.test',
  'ada@customer',
  'ada@@customer.test',
  'ada marlow@customer.test',
  'ada@customer..test',
  'ada@customer.test, bela@customer.test',
];
const MOMENTS = [
  'yesterday',
  '2026-13-01',
  '2026-02-30',
  '2026-01-32T00:00:00Z',
  '2026-01-01T25:00:00Z',
  '01/02/2026',
];
const WITHOUT_OFFSET = ['2026-01-01T00:00:00', '2026-01-01T00:00:00.000'];
const HOST_NAMES = [
  '-demo',
  'demo-',
  'demo',
  'de mo',
  'demo..test',
  '-demo.test',
  'demo-.test',
  'de mo.test',
  'http://demo.test',
  'demo.test/path',
  'user@demo.test',
];
const ADDRESSES_AND_URLS = [
  'x',
  'not an address',
  'leave@',
  'ftp://www.demo.test/leave',
  'www.demo.test/leave',
  'javascript:alert(1)',
];
const CONTROL_CHARACTERS = ['a\r\nBcc: eve@evil.test', 'a\nb', 'a\rb', 'a\u0000b'];
const ADDRESSES_WITH_CONTROL_CHARACTERS = [
  'ada@customer.test\r\nBcc: eve@evil.test',
  'ada\r\nBcc: eve@evil.test\r\n@customer.test',
  'https://www.demo.test/\r\nBcc: eve@evil.test',
];

const BY_FORMAT: Readonly<Record<string, WrongValues>> = {
  uuid: { kind: 'malformed id', values: IDS },
  email: { kind: 'malformed address', values: ADDRESSES },
  'date-time': { kind: 'malformed timestamp', values: MOMENTS },
  hostname: { kind: 'malformed host name', values: HOST_NAMES },
  uri: { kind: 'malformed URL', values: ADDRESSES_AND_URLS },
};

/** Every way in which a single value is not what its schema asks for, with values that it refuses. Lists and objects are not looked into. */
export function wrongValues(schema: Schema): WrongValues[] {
  return [wrongTypes(schema), ...wrongTexts(schema)].flatMap(({ kind, values }) => {
    const refused = values.filter((value) => !isValid(schema, value));
    return refused.length === 0 ? [] : [{ kind, values: refused }];
  });
}

/** Text that is wrong for what it says, not for its type. */
export function wrongTexts(schema: Schema): WrongValues[] {
  const { enum: choices, const: only } = schema;
  if (choices !== undefined || only !== undefined) return [{ kind: 'unknown value', values: NO_CHOICE }];
  if (schema.anyOf !== undefined) return wrongForAll(schema.anyOf);
  if (!typesOf(schema).includes('string')) return [];
  const formatted = schema.format === undefined ? undefined : BY_FORMAT[schema.format];
  return [...(formatted === undefined ? [] : [formatted]), ...wrongForPattern(schema)];
}

function wrongTypes(schema: Schema): WrongValues {
  const allowed = new Set((schema.anyOf ?? [schema]).flatMap(typesOf));
  return { kind: 'wrong type', values: OF_ANY_TYPE.filter((value) => !allowed.has(typeOf(value))) };
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function wrongForAll(branches: readonly Schema[]): WrongValues[] {
  const formats = branches.map(({ format }) => format);
  if (formats.includes('uri')) {
    return [
      { kind: 'neither an address nor a URL', values: ADDRESSES_AND_URLS },
      { kind: 'line break', values: ADDRESSES_WITH_CONTROL_CHARACTERS },
    ];
  }
  if (formats.includes('date-time')) {
    return [
      { kind: 'malformed timestamp', values: MOMENTS },
      { kind: 'timestamp without an offset', values: WITHOUT_OFFSET },
    ];
  }
  return [{ kind: 'unknown value', values: NO_CHOICE }];
}

function wrongForPattern({ format, pattern, 'x-error-code': code }: Schema): WrongValues[] {
  if (format === 'email') return [{ kind: 'line break', values: ADDRESSES_WITH_CONTROL_CHARACTERS }];
  if (pattern === undefined || format !== undefined) return [];
  if (code === 'HOSTNAME') return [{ kind: 'malformed host name', values: HOST_NAMES }];
  // Where only NUL is refused nothing ends up in a header, and the service description is silent.
  return refusesLineBreaks(pattern) ? [{ kind: 'line break or NUL', values: CONTROL_CHARACTERS }] : [];
}

/** Whether the text ends up in a header: the contract lets no line break in. */
export function refusesLineBreaks(pattern: string): boolean {
  return !new RegExp(pattern, 'u').test('a\r\nb');
}
