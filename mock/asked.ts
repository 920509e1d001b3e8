import type { TakenField } from './document.ts';
import { isObject, type JsonObject } from './json.ts';

/** What a request says; its shape has been checked. */
export interface Asked {
  path: JsonObject;
  query: JsonObject;
  body: unknown;
}

// The contract lets them come in any letter case, and has them leave in lower case.
const LOWER_CASE = new Set(['uuid', 'hostname']);

/**
 * The request as the service understands it: fields that the operation does not know say nothing, what is left out has its default,
 * identifiers and names of domains are in lower case, and a list of choices is in the order of the contract.
 */
export function understood({ path, query, body }: Asked, fields: ReadonlyMap<string, TakenField>): Asked {
  const ids = Object.entries(path).map(([name, id]) => [name, lower(id)]);
  return { path: Object.fromEntries(ids), query, body: isObject(body) ? said(body, fields) : body };
}

function said(body: JsonObject, fields: ReadonlyMap<string, TakenField>): JsonObject {
  const known = [...fields].flatMap(([name, field]) => {
    const value = (Object.hasOwn(body, name) ? body[name] : undefined) ?? field.default;
    return value === undefined ? [] : [[name, meant(value, field)]];
  });
  return Object.fromEntries(known);
}

function meant(value: unknown, { format = '', choices }: TakenField): unknown {
  if (Array.isArray(value) && choices !== undefined) return choices.filter((one) => value.includes(one));
  if (!LOWER_CASE.has(format)) return value;
  return Array.isArray(value) ? value.map(lower) : lower(value);
}

function lower(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
