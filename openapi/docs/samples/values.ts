import type { Operation } from '../document.ts';

// The examples of the contract tell one story. What in it belongs to whoever runs a sample is named here: the value in the
// examples, and the environment variable that takes its place.
const VARIABLES: Readonly<Record<string, string>> = {
  '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3': 'ACCOUNT_ID',
  'd40b7e9a-1c25-4a86-b3f7-2e8d5f609c14': 'DOMAIN_ID',
  '1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812': 'MESSAGE_ID',
  'owner@demo.test': 'EMAIL',
  'correct horse battery staple': 'PASSWORD',
  ss_rt_n3VQx0yq5bW9oK2tYcZrE8mUaJ4hLdP7sGfXiB1wTkA: 'REFRESH_TOKEN',
  ss_pr_8KdT1vYqLw5mZx2RbN6sHc9JfUo3GaEi7PnXk0WtMyC: 'RESET_TOKEN',
};

// Where an operation has several examples, the first one that needs nothing but these variables is not always the one that
// says most.
const BODIES: Readonly<Record<string, string>> = { updateDomain: 'return_path', replayWebhook: 'period' };

// Optional parameters that are worth showing; required ones always are.
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  listAccounts: ['type'],
  listDomains: ['name'],
  listSuppressions: ['account_ids[]', 'types[]'],
  listMessages: ['period_from', 'events[]', 'recipient_email'],
  exportMessages: ['account_ids[]', 'subject'],
  listMessageEvents: ['limit'],
  listUsers: ['limit'],
  listApiKeys: ['limit'],
  listWebhooks: ['limit'],
  listWebhookDeliveries: ['statuses[]'],
  getStats: ['all_accounts'],
};

/** A value of a sample: text of the contract's own, or a variable of the environment. */
export type SampleValue =
  | { kind: 'literal'; value: string | number | boolean | null }
  | { kind: 'variable'; name: string }
  | { kind: 'list'; items: SampleValue[] }
  | { kind: 'object'; entries: [string, SampleValue][] };

/** The request that the samples of an operation make, before it is put into a language. */
export interface SampleRequest {
  path: { name: string; variable: string }[];
  query: { name: string; values: SampleValue[] }[];
  body: SampleValue | undefined;
}

/**
 * The request of an operation's samples, from its examples.
 * @throws when the operation takes a body and has no example of it.
 */
export function sampleRequest(operation: Operation): SampleRequest {
  return {
    path: operation.parameters
      .filter((one) => one.in === 'path')
      .map(({ name }) => ({ name, variable: variableFor(name) })),
    query: operation.parameters
      .filter((one) => one.in === 'query' && (one.required || FILTERS[operation.id]?.includes(one.name)))
      .map(({ name, example }) => ({ name, values: [example].flat().map(sampleValue) })),
    body: bodyOf(operation),
  };
}

/** `account_id` -> `ACCOUNT_ID` */
function variableFor(parameter: string): string {
  return parameter.toUpperCase();
}

function bodyOf({ id, bodies }: Operation): SampleValue | undefined {
  if (bodies === undefined) return undefined;
  const wanted = BODIES[id];
  const value = wanted === undefined ? Object.values(bodies)[0] : bodies[wanted];
  if (value === undefined) throw new Error(`${id} has no example "${wanted ?? ''}" to make its samples of.`);
  return sampleValue(value);
}

function sampleValue(value: unknown): SampleValue {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(sampleValue) };
  if (typeof value === 'object' && value !== null) {
    return { kind: 'object', entries: Object.entries(value).map(([name, one]) => [name, sampleValue(one)]) };
  }
  if (typeof value === 'string') {
    const name = VARIABLES[value];
    return name === undefined ? { kind: 'literal', value } : { kind: 'variable', name };
  }
  if (typeof value === 'number' || typeof value === 'boolean' || value === null)
    return { kind: 'literal', value };
  throw new Error(`An example holds ${typeof value}, which is no JSON.`);
}

/** The environment variables in a value, each once. */
export function variablesIn(value: SampleValue): string[] {
  switch (value.kind) {
    case 'literal':
      return [];
    case 'variable':
      return [value.name];
    case 'list':
      return [...new Set(value.items.flatMap(variablesIn))];
    case 'object':
      return [...new Set(value.entries.flatMap(([, one]) => variablesIn(one)))];
  }
}

// Of the column beside an operation.
const WIDTH = 56;

/** How a language writes what JSON has. */
export interface Notation {
  literal(value: string | number | boolean | null): string;
  variable(name: string): string;
  key(name: string): string;
  /** By how much what is inside stands in. */
  step: string;
  /** Inside of the braces of an object on one line. */
  space: string;
}

/** A value in a language's notation: on one line if it is short, otherwise indented. */
export function write(value: SampleValue, notation: Notation, indent = '', comma = ''): string {
  if (value.kind === 'literal') return notation.literal(value.value);
  if (value.kind === 'variable') return notation.variable(value.name);
  const flat = writeFlat(value, notation);
  if (flat.length + indent.length <= WIDTH) return flat;
  const inner = indent + notation.step;
  const lines =
    value.kind === 'list'
      ? value.items.map((item) => inner + write(item, notation, inner, comma))
      : value.entries.map(
          ([name, one]) => `${inner}${notation.key(name)}: ${write(one, notation, inner, comma)}`,
        );
  const [open, close] = value.kind === 'list' ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}${comma}\n${indent}${close}`;
}

function writeFlat(value: SampleValue, notation: Notation): string {
  switch (value.kind) {
    case 'literal':
      return notation.literal(value.value);
    case 'variable':
      return notation.variable(value.name);
    case 'list':
      return `[${value.items.map((item) => writeFlat(item, notation)).join(', ')}]`;
    case 'object': {
      const entries = value.entries.map(
        ([name, one]) => `${notation.key(name)}: ${writeFlat(one, notation)}`,
      );
      return entries.length === 0 ? '{}' : `{${notation.space}${entries.join(', ')}${notation.space}}`;
    }
  }
}
