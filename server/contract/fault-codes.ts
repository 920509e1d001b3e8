import type { FieldError } from '../domain/errors.ts';
import { type Fault, hintsOf } from './validators.ts';

type FieldErrorCode = FieldError['errors'][number]['code'];

const CODE_BY_KEYWORD: Readonly<Record<string, FieldErrorCode>> = {
  required: 'REQUIRED',
  enum: 'CHOICE',
  const: 'CHOICE',
  minLength: 'MIN',
  minimum: 'MIN',
  exclusiveMinimum: 'MIN',
  minItems: 'MIN',
  minProperties: 'MIN',
  maxLength: 'MAX',
  maximum: 'MAX',
  exclusiveMaximum: 'MAX',
  maxItems: 'MAX',
  maxProperties: 'MAX',
  multipleOf: 'INTEGER',
  uniqueItems: 'DUPLICATE',
};

const CODE_BY_TYPE: Readonly<Record<string, FieldErrorCode>> = {
  string: 'STRING',
  integer: 'INTEGER',
  number: 'INTEGER',
  boolean: 'BOOL',
  array: 'ARRAY',
  object: 'OBJECT',
};

const CODE_BY_FORMAT: Readonly<Record<string, FieldErrorCode>> = {
  email: 'INVALID_EMAIL',
  uuid: 'UUID',
  uri: 'URL',
  'date-time': 'TIMESTAMP',
  date: 'TIMESTAMP',
  hostname: 'HOSTNAME',
};

// A schema's own code speaks for the rules that have none by themselves; a missing or mistyped value keeps the general one.
const KEYWORDS_WITH_OWN_CODE = new Set([
  'pattern',
  'anyOf',
  'oneOf',
  'not',
  'maxItems',
  'uniqueItems',
  'contains',
]);

const DESCRIPTIONS: Readonly<Record<FieldErrorCode, string>> = {
  REQUIRED: 'is required',
  MIN: 'is too small',
  MAX: 'is too large',
  STRING: 'must be a string',
  INTEGER: 'must be an integer',
  BOOL: 'must be true or false',
  ARRAY: 'must be an array',
  OBJECT: 'must be an object',
  CHOICE: 'must be one of the values allowed',
  UUID: 'must be a UUID',
  URL: 'must be an http or https URL',
  TIMESTAMP: 'must be an RFC 3339 timestamp with an offset',
  HOSTNAME: 'must be a host name',
  INVALID_EMAIL: 'must be an email address whose domain has a dot',
  INVALID_LIST_UNSUBSCRIBE: 'must be an email address, or an http or https URL',
  MULTIPLE_RECIPIENTS_NOT_SUPPORTED: 'only one recipient is supported',
  CONTROL_CHARACTER: 'must not contain line breaks or NUL',
  CONFLICT: 'contradicts another parameter',
  DUPLICATE: 'must be given once',
};

/** The field code of a fault: by keyword, type or format, or the schema's own `x-error-code`. */
export function fieldCodeOf(fault: Fault): FieldErrorCode {
  if (isEmptyValue(fault)) return 'REQUIRED';
  if (KEYWORDS_WITH_OWN_CODE.has(fault.keyword)) {
    const own = hintsOf(fault).code;
    if (own !== undefined && isFieldErrorCode(own)) return own;
  }
  if (fault.keyword === 'type') return CODE_BY_TYPE[typeOf(fault)] ?? 'CHOICE';
  if (fault.keyword === 'format') return CODE_BY_FORMAT[String(fault.params.format)] ?? 'CHOICE';
  return CODE_BY_KEYWORD[fault.keyword] ?? 'CHOICE';
}

/** What is wrong, for people, in the manner of the contract's own descriptions (`must be a UUID`). */
export function describeFault(fault: Fault): string {
  const code = fieldCodeOf(fault);
  const own = hintsOf(fault).description;
  if (own !== undefined && code === hintsOf(fault).code) return own;
  const { limit, allowedValues, allowedValue, format } = fault.params;
  switch (isEmptyValue(fault) ? 'required' : fault.keyword) {
    case 'minLength':
      return `must have at least ${count(limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${count(limit, 'character')}`;
    case 'minItems':
      return `must have at least ${count(limit, 'item')}`;
    case 'maxItems':
      return code === 'MAX' ? `must have at most ${count(limit, 'item')}` : DESCRIPTIONS[code];
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'enum':
      return `must be one of: ${listed(allowedValues)}`;
    case 'const':
      return `must be ${listed([allowedValue])}`;
    case 'format':
      return format === 'date' ? 'must be a date such as 2026-03-14' : DESCRIPTIONS[code];
    default:
      return DESCRIPTIONS[code];
  }
}

/** `null`, or an empty list, where a value is needed. The body as a whole has a type to name instead. */
function isEmptyValue({ keyword, data, instancePath }: Fault): boolean {
  if (instancePath === '') return keyword === 'required';
  return data === null || (keyword === 'minItems' && Array.isArray(data) && data.length === 0);
}

function typeOf(fault: Fault): string {
  const { type } = fault.params;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  return String(types.find((name) => name !== 'null'));
}

function isFieldErrorCode(code: string): code is FieldErrorCode {
  return Object.hasOwn(DESCRIPTIONS, code);
}

function count(limit: unknown, thing: string): string {
  return limit === 1 ? `1 ${thing}` : `${limit} ${thing}s`;
}

function listed(values: unknown): string {
  if (!Array.isArray(values)) return '';
  return values
    .filter((value) => value !== null)
    .map(String)
    .join(', ');
}
