import fc, { type Arbitrary } from 'fast-check';
import { type OperationId, operationOf, type Parameter } from '../contract/document.ts';
import { arbitraryOf, type Own } from './values.ts';

export type QueryValue = string | number;

/** What a request to an operation says, as a call takes it. */
export interface RequestParts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  /** undefined: there is none. */
  readonly body?: unknown;
}

/** What a request names that exists: without it ids name nothing, and addresses belong to nobody. */
export interface OwnParts {
  readonly path?: Own;
  readonly query?: Own;
  /** By place: `account_id`, `[].from.email`. */
  readonly body?: Own;
}

/** Requests that no implementation has a reason to refuse, if `own` names what exists. */
export function validRequests(operation: OperationId, own: OwnParts = {}): Arbitrary<RequestParts> {
  const { parameters, body } = operationOf(operation);
  const of = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place);
  const values = fc.record({
    path: valuesOf(of('path'), own.path).map(asTexts),
    query: valuesOf(of('query'), own.query).map(asQuery).filter(isConsistent),
  });
  if (body === undefined) return values;
  return fc
    .tuple(values, arbitraryOf(body.schema, own.body))
    .map(([parts, value]) => ({ ...parts, body: value }));
}

/** What a parameter may be: one value, or a list of at least one. */
export function parameterValues({ name, schema, array }: Parameter, own: Own = {}): Arbitrary<unknown> {
  return arbitraryOf(array ? { ...schema, minItems: Math.max(1, schema.minItems ?? 0) } : schema, own, name);
}

function valuesOf(parameters: readonly Parameter[], own: Own = {}): Arbitrary<Record<string, unknown>> {
  const values = Object.fromEntries(
    parameters.map((parameter) => [parameter.name, parameterValues(parameter, own)]),
  );
  const requiredKeys = parameters.filter(({ required }) => required).map(({ name }) => name);
  return fc.record<Record<string, unknown>>(values, { requiredKeys, noNullPrototype: true });
}

function asTexts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

function asQuery(values: Readonly<Record<string, unknown>>): RequestParts['query'] {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(asQueryValue) : asQueryValue(value),
    ]),
  );
}

function asQueryValue(value: unknown): QueryValue {
  return typeof value === 'number' ? value : String(value);
}

// Statistics break down by one thing at a time (DECISIONS, statistics-breakdown); no schema can say so.
function isConsistent({ all_accounts: accounts, all_domains: domains }: RequestParts['query']): boolean {
  return accounts !== 1 || domains !== 1;
}
