import { randomUUID } from 'node:crypto';
import { resolvePeriod } from '../server/domain/periods.ts';
import { parseDateTime, SystemClock } from '../server/domain/time.ts';
import type { Asked } from './asked.ts';
import { isObject, type JsonObject, valueAt } from './json.ts';
import { hasAll, type KnownThings } from './known.ts';
import { pageOf } from './page.ts';

const OWN_NAME = /^(.+)_id$/;
const DATE_TIME = /^\d{4}-\d\d-\d\dT/;
const clock = new SystemClock();

/**
 * Makes the answer of an example one to this request: it is about the things that the request names, as the examples know them, and
 * repeats what the request says of them. A thing that no example knows looks like the example's, under the id that was asked for.
 * `changes` are the fields that the request may change: those that it does not name stay as the other examples show them.
 */
export function fitted(
  answer: unknown,
  asked: Asked,
  known: KnownThings,
  changes: readonly string[],
): unknown {
  if (!isObject(answer)) return answer;
  const { data, meta } = answer;
  if (Array.isArray(data) && isObject(meta))
    return { ...answer, ...pageOf(data.filter(isObject), meta, asked, known) };
  return isObject(data) ? { ...answer, data: thing(data, asked, known, changes) } : answer;
}

/**
 * A generated answer as one to this request: under the ids of its path, of its period, with the fields that the example for such a request
 * has, and no longer than the page that was asked for.
 */
export function fittedGenerated(generated: unknown, example: unknown, { path, query }: Asked): unknown {
  const answer = withOwnTimestamps(generated);
  if (!isObject(answer)) return answer;
  const { data, meta } = answer;
  if (isObject(data)) {
    const alike = { ...data, ...idsOf(data, path) };
    return { ...answer, data: withPeriod(fieldsOf(valueAt(example, 'data'), alike), query) };
  }
  if (!Array.isArray(data) || !isObject(meta) || typeof query.limit !== 'number') return answer;
  const { limit, offset } = query;
  const page = data
    .slice(0, query.limit)
    .map((item) => (isObject(item) ? { ...item, ...idsOf(item, path) } : item));
  return { ...answer, data: page, meta: { ...meta, limit, offset, total: Number(offset) + page.length } };
}

/** An answer about something new: its id is not the example's, nor any that was given out before. */
export function withNewId(answer: unknown, { path }: Asked): unknown {
  const data = valueAt(answer, 'data');
  if (!isObject(answer) || !isObject(data)) return answer;
  const [name = ''] = Object.keys(data);
  if (!OWN_NAME.test(name) || name in path) return answer;
  return { ...answer, data: { ...data, [name]: randomUUID() } };
}

/** The fields of a model, as the thing has them; where it lacks one, the model's. */
function fieldsOf(model: unknown, thing: JsonObject): JsonObject {
  if (!isObject(model)) return thing;
  return Object.fromEntries(
    Object.entries(model).map(([name, value]) => [name, name in thing ? thing[name] : value]),
  );
}

/** Generated timestamps come in every form of RFC 3339; the service has one. */
function withOwnTimestamps(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_name, text: unknown) =>
    typeof text === 'string' && DATE_TIME.test(text) ? (parseDateTime(text) ?? text) : text,
  );
}

/** The ids of the path that a thing has too. */
function idsOf(object: JsonObject, path: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(path).filter(([name]) => name in object));
}

function thing(
  example: JsonObject,
  { path, query, body }: Asked,
  known: KnownThings,
  changes: readonly string[],
): JsonObject {
  const ids = idsOf(example, path);
  const said = isObject(body) ? body : {};
  const shown = known.like(example, ids) ?? {};
  const left = changes.filter((name) => name in shown && (said[name] ?? null) === null);
  const stays = Object.fromEntries(left.map((name) => [name, shown[name]]));
  const about = hasAll(example, ids) ? { ...example, ...stays } : { ...example, ...ids, ...shown };
  const changed = withPeriod(withBody(about, said, known), query);
  return withNames(withHostUnseen(about, changed), known);
}

/** Another Return-Path host is a record that nobody has seen yet. */
function withHostUnseen(before: JsonObject, after: JsonObject): JsonObject {
  if (before.return_path_hostname === after.return_path_hostname) return after;
  return { ...after, return_path_verified_at: null };
}

/** The thing with what the body of the request says of fields that it has too. */
function withBody(example: JsonObject, body: JsonObject, known: KnownThings): JsonObject {
  let result = example;
  for (const [name, value] of Object.entries(body)) {
    const old = result[name];
    if (typeof value === 'string' && typeof old === 'string') result = renamed(result, name, value);
    else if (typeof value === typeof old && !Array.isArray(old) && !isObject(old))
      result = { ...result, [name]: value };
    else if (Array.isArray(value) && Array.isArray(old))
      result = { ...result, [name]: listed(old, value, known) };
  }
  return { ...result, ...partsOf(result, body, known) };
}

/** The parts of a thing with what the body says of them: `organisation_name` is the name of the `organisation`, and not of the `user`. */
function partsOf(whole: JsonObject, body: JsonObject, known: KnownThings): JsonObject {
  const parts = Object.entries(whole).flatMap(([kind, part]) => {
    if (!isObject(part)) return [];
    const said = Object.keys(part).flatMap((name) => {
      const value = body[`${kind}_${name}`] ?? body[name];
      return value === undefined ? [] : [[name, value]];
    });
    return [[kind, withBody(part, Object.fromEntries(said), known)]];
  });
  return Object.fromEntries(parts);
}

/** Gives a field another text. Host names below the old one (`cs1._domainkey.demo.test`) move along. */
function renamed(object: JsonObject, name: string, value: string): JsonObject {
  const suffix = `.${String(object[name])}`;
  const moved = Object.entries(object).map(([field, text]) =>
    typeof text === 'string' && text.endsWith(suffix)
      ? [field, `${text.slice(0, -suffix.length)}.${value}`]
      : [field, text],
  );
  return { ...Object.fromEntries(moved), [name]: value };
}

/** A list as the request has it, each entry once; where it lists ids and the example objects with that id, those objects. */
function listed(old: readonly unknown[], wanted: readonly unknown[], known: KnownThings): readonly unknown[] {
  const [model] = old;
  const each = [...new Set(wanted)];
  if (!isObject(model)) return each.length > 0 ? each : old;
  const [idField = ''] = Object.keys(model);
  const kind = OWN_NAME.exec(idField)?.[1] ?? '';
  return each.map((id) => ({ ...model, [idField]: id, ...named('name', model, known.nameOf(kind, id)) }));
}

/** The thing with the names that belong to its ids: `account_name` to `account_id`. */
function withNames(object: JsonObject, known: KnownThings): JsonObject {
  const names = Object.keys(object).map((field) => {
    const kind = OWN_NAME.exec(field)?.[1] ?? '';
    return named(`${kind}_name`, object, known.nameOf(kind, object[field]));
  });
  return Object.assign({}, object, ...names);
}

function named(field: string, object: JsonObject, name: string | undefined): JsonObject {
  return name !== undefined && field in object ? { [field]: name } : {};
}

/** Statistics are those of the period that was asked for. */
function withPeriod(object: JsonObject, { period_from: from, period_to: to }: JsonObject): JsonObject {
  if (typeof from !== 'string' || typeof to !== 'string' || !('period_from' in object)) return object;
  const period = resolvePeriod({ period_from: from, period_to: to }, clock);
  return { ...object, period_from: period.from, period_to: period.to };
}
