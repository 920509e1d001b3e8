import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { type OperationId, operations } from '../../generated/operations.ts';

/** MUST: a sentence of the service description; DERIVED: follows from the contract; OPEN: never fails, informs. */
export type Level = 'MUST' | 'DERIVED' | 'OPEN';

/** Something that a server has to do, with the sentence that says so. */
export interface Requirement {
  /** `<area>.<rule>`, the same for ever. */
  readonly id: string;
  readonly level: Level;
  readonly profile: 'core' | 'extensions';
  /** Where the sentence stands, and the sentence word for word. */
  readonly source: { readonly section: string; readonly quote: string };
  /** What it is about; none: every operation. */
  readonly operations: readonly OperationId[];
  /** The statuses it is about; none: no status in particular. */
  readonly statuses: readonly number[];
  /** The checks that decide it. `*` stands for any text, so that `*` alone is every check. */
  readonly checks: readonly string[];
}

/** A sentence of the service description that no check can decide, and why. */
export interface Excluded {
  readonly section: string;
  readonly quote: string;
  readonly reason: string;
}

/** What was read from an entry: its value, or everything that is wrong with it. */
export type Read<T> = { readonly value: T } | { readonly faults: readonly string[] };

const text = { type: 'string', pattern: '\\S', description: 'text' };
const sentence = { section: text, quote: text };

const ajv = new Ajv2020({ allErrors: true, verbose: true, useDefaults: true });

const isRequirement = ajv.compile<Requirement>({
  type: 'object',
  description: 'a requirement, with id, level, profile, source, operations and checks',
  required: ['id', 'level', 'profile', 'source', 'operations', 'checks'],
  additionalProperties: false,
  properties: {
    id: {
      type: 'string',
      pattern: '^[a-z_]+\\.[a-z0-9]+(-[a-z0-9]+)*$',
      description: '<area>.<words-with-hyphens>',
    },
    level: { enum: ['MUST', 'DERIVED', 'OPEN'] },
    profile: { enum: ['core', 'extensions'] },
    source: {
      type: 'object',
      required: ['section', 'quote'],
      additionalProperties: false,
      properties: sentence,
      description: 'section and quote',
    },
    statuses: {
      ...listOf({ type: 'integer', minimum: 200, maximum: 599, description: 'a status' }),
      default: [],
    },
    operations: listOf({ enum: Object.keys(operations), description: 'an operation of the contract' }),
    checks: {
      ...listOf({
        type: 'string',
        pattern: '^(\\*|[a-z-]+/[A-Za-z0-9*]+(-[A-Za-z0-9*]+)*)$',
        description: 'a check, <scenario file>/<name>',
      }),
      minItems: 1,
    },
  },
});

const isExcluded = ajv.compile<Excluded>({
  type: 'object',
  description: 'a sentence, with section, quote and reason',
  required: ['section', 'quote', 'reason'],
  additionalProperties: false,
  properties: { ...sentence, reason: text },
});

/** Reads an entry of the file of an area. */
export function readRequirement(entry: unknown, area: string): Read<Requirement> {
  const read = readAs(isRequirement, entry);
  if ('faults' in read || read.value.id.startsWith(`${area}.`)) return read;
  return { faults: [`id must begin with the name of its file: ${area}.`] };
}

/** Reads an entry of excluded.yaml. */
export function readExcluded(entry: unknown): Read<Excluded> {
  return readAs(isExcluded, entry);
}

function readAs<T>(validate: ValidateFunction<T>, entry: unknown): Read<T> {
  if (validate(entry)) return { value: entry };
  return { faults: (validate.errors ?? []).map(explain) };
}

function listOf(items: object): object {
  return { type: 'array', uniqueItems: true, items, description: 'a list' };
}

function explain({ instancePath, keyword, params, parentSchema, data, message }: ErrorObject): string {
  const where = instancePath === '' ? 'the entry' : instancePath.slice(1).replaceAll('/', '.');
  switch (keyword) {
    case 'required':
      return `${where}: "${params.missingProperty}" is missing`;
    case 'additionalProperties':
      return `${where}: "${params.additionalProperty}" is not known here; is it a typing error?`;
    case 'uniqueItems':
    case 'minItems':
      return `${where}: ${message}`;
    case 'enum':
      if (parentSchema?.description === undefined)
        return `${where}: must be one of ${params.allowedValues.join(', ')}, and is ${JSON.stringify(data)}`;
  }
  return `${where}: must be ${parentSchema?.description ?? params.type}, and is ${JSON.stringify(data)}`;
}
