import { isObject, type JsonObject } from './json.ts';
import type { KnownThings } from './known.ts';

interface Page {
  data: readonly JsonObject[];
  meta: JsonObject;
}

// These filters look for a part of the text, as the service's do; the others for the whole of it. Both without case.
const CONTAINED = new Set(['name', 'subject', 'reason']);

/**
 * The page of the list that the request asks for: of the things below the ids of its path, those that pass the filters which name a
 * field of theirs (`types[]`, `account_ids[]`, `recipient_email`) or an event of their message. A filter of anything else (a period) lets all pass.
 */
export function pageOf(
  items: readonly JsonObject[],
  meta: JsonObject,
  { path, query }: { path: JsonObject; query: JsonObject },
  known: KnownThings,
): Page {
  const { limit, offset, ...filters } = query;
  const left = below(path, items).filter((item) => {
    const facts = { event: known.eventsOf(item.message_id), ...item };
    return Object.entries(filters).every(([name, wanted]) => passes(facts, name, wanted));
  });
  if (typeof limit !== 'number' || typeof offset !== 'number') return { data: left, meta };
  return { data: left.slice(offset, offset + limit), meta: { ...meta, limit, offset, total: left.length } };
}

/** The items that belong to the things of the path; where no example has any, those of the example belong to them. */
function below(path: JsonObject, items: readonly JsonObject[]): readonly JsonObject[] {
  const own = items.filter((item) =>
    Object.entries(path).every(([name, id]) => !(name in item) || item[name] === id),
  );
  if (own.length > 0) return own;
  return items.map((item) =>
    Object.fromEntries(Object.entries(item).map(([name, value]) => [name, path[name] ?? value])),
  );
}

function passes(item: JsonObject, name: string, wanted: unknown): boolean {
  const field = fieldsNamed(name).find((candidate) => candidate in item);
  if (field === undefined) return true;
  const values = [item[field]].flat().flatMap((value) => (value === null ? [] : [textOf(value)]));
  if (Array.isArray(wanted)) return wanted.some((one) => values.includes(textOf(one)));
  const text = textOf(wanted);
  return values.some((value) => (CONTAINED.has(name) ? value.includes(text) : value === text));
}

/** The names that the field of a filter may have: of `account_ids[]` `account_id`, of `message_custom_id` also `custom_id`. */
function fieldsNamed(filter: string): string[] {
  const name = filter.replace(/\[\]$/, '');
  if (name === filter) return [name, name.replace(/^message_/, '')];
  return [name.replace(/s$/, ''), name.replace(/es$/, '')];
}

function textOf(value: unknown): string {
  return isObject(value) ? '' : String(value).toLowerCase();
}
