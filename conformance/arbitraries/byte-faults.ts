import fc, { type Arbitrary } from 'fast-check';
import { type OperationId, operationOf } from '../contract/document.ts';
import { type BrokenRequest, type Mutation, NOT_JSON, SURVIVED, type Verdict } from './fault.ts';

/** Makes the bytes of a body from its JSON; `at` chooses a place in it. */
type Write = (json: string, at: number) => string | Buffer;

const BOM = '\ufeff';
const DEPTH = 20_000;

// Everything here is refused by the grammar of RFC 8259, or by its demand that JSON is UTF-8.
const NO_JSON: Readonly<Record<string, Write>> = {
  'no body': () => '',
  'white space only': () => ' \r\n\t',
  'byte order mark only': () => BOM,
  truncated: (json, at) => json.slice(0, 1 + (at % (json.length - 1))),
  'trailing comma': (json) => `${json.slice(0, -1)},${json.slice(-1)}`,
  'single quotes': (json) => withFirst(json, "'a'"),
  'two values': (json) => json + json,
  comment: (json) => `/* all of them */${json}`,
  NaN: (json) => withFirst(json, 'NaN'),
  Infinity: (json) => withFirst(json, '-Infinity'),
  'leading zero': (json) => withFirst(json, '01'),
  'hexadecimal number': (json) => withFirst(json, '0x10'),
  undefined: (json) => withFirst(json, 'undefined'),
  'unknown escape': (json) => withFirst(json, '"\\x41"'),
  'line break within a string': (json) => withFirst(json, '"a\nb"'),
  'NUL within a string': (json) => withFirst(json, '"a\u0000b"'),
  'string without an end': (json) => withFirst(json, '"a'),
  'a form': () => 'name=text&type=marketing',
  'a page': () => '<!doctype html><title>JSON</title>',
  'invalid UTF-8': (json) => withBytes(json, [0xc3, 0x28]),
  'overlong UTF-8': (json) => withBytes(json, [0xc0, 0xaf]),
  'open brackets without an end': () => '['.repeat(DEPTH),
};

// JSON that is legal or nearly so, and that parsers have broken over.
const STRANGE_JSON: Readonly<Record<string, Write>> = {
  'byte order mark before it': (json) => BOM + json,
  'deep nesting': (json) => withFirst(json, '['.repeat(DEPTH) + ']'.repeat(DEPTH)),
  'only deep nesting': () => '['.repeat(DEPTH) + ']'.repeat(DEPTH),
  'the same keys twice': (json) => json.replace(/\{(.*)\}/s, '{$1,$1}'),
  'a __proto__ key': (json) => withKey(json, '"__proto__":{"polluted":true,"name":5}'),
  'a constructor key': (json) => withKey(json, '"constructor":{"prototype":{"polluted":true}}'),
  'a number beyond all doubles': (json) => withKey(json, '"unknown_field":1e400'),
  'half a surrogate pair': (json) => withKey(json, '"unknown_field":"\\ud800"'),
  'NUL in an unknown field': (json) => withKey(json, '"unknown\\u0000field":"\\u0000"'),
};

/** Every way of sending bytes that are not JSON, or hardly, to an operation with a body; empty when it has none. */
export function byteMutations(id: OperationId): Mutation[] {
  if (operationOf(id).body === undefined) return [];
  return [
    ...Object.entries(NO_JSON).map(([kind, write]) => mutationOf(id, kind, NOT_JSON, write)),
    ...Object.entries(STRANGE_JSON).map(([kind, write]) => mutationOf(id, kind, SURVIVED, write)),
  ];
}

function mutationOf(operation: OperationId, kind: string, verdict: Verdict, write: Write): Mutation {
  const fault = { where: 'body' as const, at: '', kind };
  return {
    operation,
    fault,
    verdict,
    requests: (base) =>
      fc.tuple(base, placesInText()).map(([{ body, ...parts }, at]): BrokenRequest => {
        return { ...parts, rawBody: Buffer.from(write(JSON.stringify(body), at)), fault, verdict };
      }),
  };
}

function placesInText(): Arbitrary<number> {
  return fc.nat(10_000);
}

/** The JSON with this text as the first item or the first field. */
function withFirst(json: string, value: string): string {
  return json.startsWith('[') ? `[${value},${json.slice(1)}` : withKey(json, `"unknown_field":${value}`);
}

/** The JSON with this field in its first object. */
function withKey(json: string, field: string): string {
  return json.replace(/\{(\}?)/, (_brace, end: string) => (end === '' ? `{${field},` : `{${field}}`));
}

function withBytes(json: string, bytes: readonly number[]): Buffer {
  const [before = '', after = ''] = withFirst(json, '"|"').split('|');
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
}
