import type { components } from '../../generated/types.ts';
import { type FieldProblem, invalid } from './refusal.ts';

export type FieldErrorCode = components['schemas']['FieldErrorCode'];

/** What came of reading a value: the value, or what is wrong with it. */
export type Reading<T> = { value: T } | { problems: FieldProblem[] };
/** Reads a value that stands at `field`. */
export type Rule<T> = (value: unknown, field: string) => Reading<T>;
export type Shape = Record<string, Rule<unknown>>;
export type Read<S extends Shape> = { [K in keyof S]: S[K] extends Rule<infer T> ? T : never };

const LONGEST_SHOWN = 255;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A fault of form. */
export function problem(field: string, value: unknown, code: FieldErrorCode, description: string) {
  return { problems: [{ field, value: shown(value), errors: [{ code, description }] }] };
}

function shown(value: unknown): string | number | boolean {
  if (typeof value === 'string') return value.slice(0, LONGEST_SHOWN);
  if (typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : '';
}

/** The value as the rule has it. Throws a 422 with everything that is wrong. */
export function read<T>(rule: Rule<T>, value: unknown, field = ''): T {
  const reading = rule(value, field);
  if ('problems' in reading) throw invalid(reading.problems);
  return reading.value;
}

/** An object with these fields; others are ignored. */
export function object<S extends Shape>(shape: S): Rule<Read<S>> {
  return (value, field) => {
    if (!isObject(value)) return problem(field, value, 'OBJECT', 'must be an object');
    const result: Record<string, unknown> = {};
    const problems: FieldProblem[] = [];
    for (const [name, rule] of Object.entries(shape)) {
      const reading = rule(ownValue(value, name), field === '' ? name : `${field}.${name}`);
      if ('problems' in reading) problems.push(...reading.problems);
      else result[name] = reading.value;
    }
    return problems.length > 0 ? { problems } : { value: result as Read<S> };
  };
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function ownValue(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/** What has to be there. */
export function required<T>(rule: Rule<T>): Rule<T> {
  return (value, field) =>
    value === undefined || value === null
      ? problem(field, value, 'REQUIRED', 'is required')
      : rule(value, field);
}

/** What may be absent or null, which mean the same. */
export function optional<T>(rule: Rule<T>): Rule<T | undefined> {
  return (value, field) =>
    value === undefined || value === null ? { value: undefined } : rule(value, field);
}

interface TextLimits {
  min?: number;
  max: number;
  /** Characters that may not occur; by default those that would break a header. */
  forbidden?: RegExp;
  secret?: boolean;
}
export const LINE_BREAKS = /[\r\n\0]/;
export const NUL = /\0/;

export function text({ min = 0, max, forbidden = LINE_BREAKS, secret = false }: TextLimits): Rule<string> {
  return (value, field) => {
    const shownValue = secret ? '' : value;
    if (typeof value !== 'string') return problem(field, shownValue, 'STRING', 'must be a string');
    const length = min > 1 || value.length > max ? [...value].length : value.length;
    if (length > max) return problem(field, shownValue, 'MAX', `may have at most ${max} characters`);
    if (length < min) return problem(field, shownValue, 'MIN', `must have at least ${min} characters`);
    if (forbidden.test(value)) {
      return problem(field, shownValue, 'CONTROL_CHARACTER', 'may not contain control characters');
    }
    return { value };
  };
}

export const uuid: Rule<string> = (value, field) =>
  typeof value === 'string' && UUID.test(value)
    ? { value: value.toLowerCase() }
    : problem(field, value, 'UUID', 'must be a UUID');

export const flag: Rule<boolean> = (value, field) =>
  typeof value === 'boolean' ? { value } : problem(field, value, 'BOOL', 'must be true or false');

export function choice<const T extends string>(values: readonly T[]): Rule<T> {
  return (value, field) => {
    const found = values.find((one) => one === value);
    return found === undefined
      ? problem(field, value, 'CHOICE', `must be one of ${values.join(', ')}`)
      : { value: found };
  };
}

/** An integer of a query string. */
export function integer(min: number, max: number): Rule<number> {
  return (value, field) => {
    if (typeof value !== 'string' || !/^-?\d+$/.test(value)) {
      return problem(field, value, 'INTEGER', 'must be an integer');
    }
    const number = Number(value);
    if (number < min) return problem(field, value, 'MIN', `must be at least ${min}`);
    return number > max ? problem(field, value, 'MAX', `must be at most ${max}`) : { value: number };
  };
}

export function list<T>(rule: Rule<T>, max: number): Rule<T[]> {
  return (value, field) => {
    if (!Array.isArray(value)) return problem(field, value, 'ARRAY', 'must be an array');
    if (value.length > max) return problem(field, '', 'MAX', `may have at most ${max} entries`);
    const readings = value.map((one, index) => rule(one, `${field}[${index}]`));
    const problems = readings.flatMap((reading) => ('problems' in reading ? reading.problems : []));
    return problems.length > 0
      ? { problems }
      : { value: readings.flatMap((reading) => ('value' in reading ? [reading.value] : [])) };
  };
}

/** The parameters as the rules have them: arrays for names that end in `[]`. A scalar that comes twice is refused. */
export function readQuery<S extends Shape>(
  shape: S,
  query: URLSearchParams,
  { repeatsAllowed }: { repeatsAllowed: boolean },
): Read<S> {
  const given: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  for (const name of Object.keys(shape)) {
    const values = query.getAll(name);
    if (values.length === 0) continue;
    if (values.length > 1 && !name.endsWith('[]') && !repeatsAllowed) {
      problems.push(...problem(name, values[0], 'DUPLICATE', 'may be given once').problems);
      continue;
    }
    given[name] = name.endsWith('[]') ? values : values[0];
  }
  const reading = object(shape)(given, '');
  if ('problems' in reading) problems.push(...reading.problems);
  if (problems.length > 0 || 'problems' in reading) throw invalid(problems);
  return reading.value;
}
