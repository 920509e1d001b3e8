import { isDeepStrictEqual } from 'node:util';
import type { ContractDocument } from './contract.ts';
import type { Audience, Finding, Rule } from './finding.ts';
import { isObject, type JsonObject, listOf, objectOf, textOf } from './json.ts';
import { type KeywordGap, keywordGaps } from './keywords.ts';
import { meaningOf } from './meaning.ts';
import { type Alternative, alternativesOf, nameOf } from './normal-form.ts';

/** Both states of one thing. */
export interface Pair<T> {
  readonly old: T;
  readonly new: T;
}

/** Where a schema is used, and by whom. */
export interface Use {
  readonly documents: Pair<ContractDocument>;
  /** What others write has to stay accepted; what others read must not become more. */
  readonly direction: 'written by others' | 'read by others';
  readonly who: Audience;
  /** `POST /v1/send_email`. */
  readonly operation: string;
  /** `request body`. */
  readonly part: string;
}

/** The way from the part of an operation, or from a shared schema, down to a value. */
interface Position {
  readonly base: string;
  readonly path: string;
  /** Pairs of references that are being compared, so that schemas that contain themselves come to an end. */
  readonly above: readonly string[];
}

/** What breaks for those who write or read values of a schema. */
export function compareSchemas(use: Use, schemas: Pair<unknown>): Finding[] {
  return compareAt(use, schemas, { base: use.part, path: '', above: [] });
}

function compareAt(use: Use, schemas: Pair<unknown>, position: Position): Finding[] {
  const [asked] = ordered(use, schemas);
  const [document] = ordered(use, use.documents);
  // What asks for nothing holds everything, and an array of anything may hold itself.
  if (asked === true || isDeepStrictEqual(meaningOf(document, asked), {}))
    return defaultFindings(use, schemas, position);
  const reference = JSON.stringify([objectOf(schemas.old).$ref, objectOf(schemas.new).$ref]);
  const isNamed = nameOf(schemas.old) !== undefined || nameOf(schemas.new) !== undefined;
  if (isNamed && position.above.includes(reference)) return [];
  const name = nameOf(schemas.old) === nameOf(schemas.new) ? nameOf(schemas.old) : undefined;
  const here: Position = {
    ...(name === undefined ? position : { base: `schema ${name}`, path: '' }),
    above: isNamed ? [...position.above, reference] : position.above,
  };
  const alternatives = {
    old: alternativesOf(use.documents.old, schemas.old),
    new: alternativesOf(use.documents.new, schemas.new),
  };
  const defaults = defaultFindings(use, schemas, here);
  return [...defaults, ...compareAlternatives(use, alternatives, here)];
}

/** Each alternative that may come has to lie within one that is expected. */
function compareAlternatives(
  use: Use,
  alternatives: Pair<readonly Alternative[]>,
  position: Position,
): Finding[] {
  const isWritten = use.direction === 'written by others';
  const [coming, expected] = isWritten
    ? [alternatives.old, alternatives.new]
    : [alternatives.new, alternatives.old];
  return coming.flatMap((one) => {
    const candidates = candidatesFor(one, expected);
    if (candidates.length === 0) return [uncovered(use, one, expected, position)];
    const attempts = candidates.map((other) =>
      compareShapes(use, isWritten ? { old: one, new: other } : { old: other, new: one }, position),
    );
    const best = attempts.reduce((least, attempt) => (attempt.length < least.length ? attempt : least));
    const isOther = candidates.length > 1 && !candidates.some(({ name }) => name === one.name);
    return best.length > 0 && isOther ? [unknownAlternative(use, one, position)] : best;
  });
}

/** Those that can hold the alternative at all; the one that has its name, if it still has one. */
function candidatesFor(one: Alternative, expected: readonly Alternative[]): readonly Alternative[] {
  const ofType = expected.filter(
    ({ type }) => type === one.type || (type === 'number' && one.type === 'integer'),
  );
  const namesakes = ofType.filter(({ name }) => name !== undefined && name === one.name);
  if (namesakes.length > 0) return namesakes;
  const values = listOf(one.schema.enum);
  const sharing = ofType.filter(({ schema }) =>
    listOf(schema.enum).some((other) => values.some((value) => isDeepStrictEqual(value, other))),
  );
  return sharing.length > 0 ? sharing : ofType;
}

/** Among several shared schemas one that has no namesake: to compare it with any of the others would explain nothing. */
function unknownAlternative(use: Use, { name }: Alternative, position: Position): Finding {
  const shape = name ?? 'one of the shapes';
  const what =
    use.direction === 'written by others' ? `${shape} is no longer accepted` : `${shape} may come now`;
  return finding(use, 'alternative-changed', position, what);
}

function uncovered(
  use: Use,
  { type }: Alternative,
  expected: readonly Alternative[],
  position: Position,
): Finding {
  const types = [...new Set(expected.map((other) => other.type))].join(', ') || 'nothing';
  const what =
    use.direction === 'written by others'
      ? `${type} is no longer accepted, only ${types}`
      : `${type} may come now, where it was ${types}`;
  return finding(use, 'type-changed', position, what);
}

function compareShapes(use: Use, pair: Pair<Alternative>, above: Position): Finding[] {
  const { name } = pair.old;
  const isShared = name !== undefined && name === pair.new.name;
  const position = isShared ? { ...above, base: `schema ${name}`, path: '' } : above;
  const [wide, narrow] = ordered(use, pair);
  const documents = ordered(use, use.documents);
  const gaps = keywordGaps(wide, narrow, {
    wide: (node) => meaningOf(documents[0], node),
    narrow: (node) => meaningOf(documents[1], node),
  });
  return [
    ...gaps
      .filter((gap) => !isExtension(use, pair, gap))
      .map((gap) => finding(use, gap.rule, position, changeOf(pair, gap))),
    ...errorCodeFindings(use, pair, position),
    ...itemwiseFindings(use, pair, position),
    ...(narrow.type === 'object' ? compareObjects(use, pair, position) : []),
    ...(narrow.type === 'array' ? compareItems(use, pair, position) : []),
  ];
}

/** Whether there are no more than further values in a list that was announced to grow, and that readers have to be ready for. */
function isExtension(use: Use, pair: Pair<Alternative>, { keyword }: KeywordGap): boolean {
  const [old, current] = [pair.old.schema, pair.new.schema];
  return (
    use.direction === 'read by others' &&
    keyword === 'enum' &&
    old['x-extensible-enum'] === true &&
    current.enum !== undefined &&
    valuesMissing(old.enum, current.enum).length === 0
  );
}

function compareObjects(use: Use, pair: Pair<Alternative>, position: Position): Finding[] {
  const fields = { old: fieldsOf(use, 'old', pair.old.schema), new: fieldsOf(use, 'new', pair.new.schema) };
  const below = Object.keys(fields.old).flatMap((name) => {
    const at = { ...position, path: position.path === '' ? name : `${position.path}.${name}` };
    if (!Object.hasOwn(fields.new, name)) return [finding(use, 'field-removed', at, 'it is gone')];
    return compareAt(use, { old: fields.old[name], new: fields.new[name] }, at);
  });
  return [...below, ...requiredFindings(use, pair, position), ...unknownFieldFindings(use, pair, position)];
}

function requiredFindings(use: Use, pair: Pair<Alternative>, position: Position): Finding[] {
  const [wide, narrow] = ordered(use, pair);
  const given = listOf(narrow.schema.required);
  const isWritten = use.direction === 'written by others';
  const hidden = isWritten ? hiddenFields(use, 'new', pair.new.schema) : [];
  return (
    listOf(wide.schema.required)
      .filter((name) => !hidden.includes(String(name)))
      .filter((name) => !given.includes(name))
      // One that is gone altogether has been found already.
      .filter((name) => isWritten || Object.hasOwn(fieldsOf(use, 'new', pair.new.schema), String(name)))
      .map((name) => {
        const at = { ...position, path: position.path === '' ? `${name}` : `${position.path}.${name}` };
        return isWritten
          ? finding(use, 'field-required', at, 'it was optional and is required')
          : finding(use, 'field-optional', at, 'it was always there and may be missing');
      })
  );
}

/** The fields that belong here: what is `readOnly` is in no request, what is `writeOnly` is in no answer. */
function fieldsOf(use: Use, state: keyof Pair<unknown>, schema: JsonObject): JsonObject {
  const hidden = hiddenFields(use, state, schema);
  return Object.fromEntries(
    Object.entries(objectOf(schema.properties)).filter(([name]) => !hidden.includes(name)),
  );
}

function hiddenFields(use: Use, state: keyof Pair<unknown>, schema: JsonObject): readonly string[] {
  const keyword = use.direction === 'written by others' ? 'readOnly' : 'writeOnly';
  return Object.entries(objectOf(schema.properties))
    .filter(([, field]) => objectOf(field)[keyword] ?? use.documents[state].resolve(field)[keyword])
    .map(([name]) => name);
}

/** Readers skip fields that they do not know; that is the policy. What others write must not become too much. */
function unknownFieldFindings(use: Use, pair: Pair<Alternative>, position: Position): Finding[] {
  const [old, current] = [unknownFields(pair.old.schema), unknownFields(pair.new.schema)];
  const isWritten = use.direction === 'written by others';
  if (isWritten && current === false && old !== false)
    return [
      finding(use, 'closed-to-unknown-fields', position, 'unknown fields were ignored and are refused'),
    ];
  if (!isObject(old) && (!isWritten || !isObject(current))) return [];
  if (old === false || current === false) return [];
  return compareAt(use, { old, new: current }, { ...position, path: `${position.path}.*` });
}

function unknownFields(schema: JsonObject): unknown {
  return schema.additionalProperties ?? schema.unevaluatedProperties ?? true;
}

function compareItems(use: Use, pair: Pair<Alternative>, position: Position): Finding[] {
  const items = { old: pair.old.schema.items ?? true, new: pair.new.schema.items ?? true };
  return compareAt(use, items, { ...position, path: `${position.path}[]` });
}

/** In an answer a default says nothing: the field is there or it is not. */
function defaultFindings(use: Use, schemas: Pair<unknown>, position: Position): Finding[] {
  const [old, current] = [
    defaultOf(use.documents.old, schemas.old),
    defaultOf(use.documents.new, schemas.new),
  ];
  const isHarmless =
    use.direction === 'read by others' || old === undefined || isDeepStrictEqual(old, current);
  return isHarmless
    ? []
    : [finding(use, 'default-changed', position, `was ${show(old)}, is ${show(current)}`)];
}

function defaultOf(document: ContractDocument, node: unknown): unknown {
  const schema = objectOf(node);
  return schema.default ?? (schema.$ref === undefined ? undefined : document.resolve(schema).default);
}

function errorCodeFindings(use: Use, pair: Pair<Alternative>, position: Position): Finding[] {
  const [old, current] = [textOf(pair.old.schema['x-error-code']), textOf(pair.new.schema['x-error-code'])];
  // Where null is one of the types, the code is that of the others.
  if (use.direction === 'read by others' || old === current || pair.old.type === 'null') return [];
  return [finding(use, 'error-code-changed', position, `was ${old ?? 'none'}, is ${current ?? 'none'}`)];
}

/** Where items were judged one by one, a wrong one spoils all of them now. */
function itemwiseFindings(use: Use, pair: Pair<Alternative>, position: Position): Finding[] {
  const [old, current] = [pair.old.schema['x-items-validated'], pair.new.schema['x-items-validated']];
  if (use.direction === 'read by others' || old === undefined || old === current) return [];
  return [finding(use, 'form-changed', position, 'items were judged one by one, and are judged as a whole')];
}

/** First what has to be the wider one if nothing is to break. */
function ordered<T>(use: Use, pair: Pair<T>): readonly [wide: T, narrow: T] {
  return use.direction === 'written by others' ? [pair.new, pair.old] : [pair.old, pair.new];
}

function changeOf(pair: Pair<Alternative>, { keyword }: KeywordGap): string {
  const [old, current] = [pair.old.schema[keyword], pair.new.schema[keyword]];
  if (keyword !== 'enum') return `${keyword} was ${show(old)}, is ${show(current)}`;
  const gone = valuesMissing(old, current);
  const added = valuesMissing(current, old);
  if (old === undefined || current === undefined || (gone.length === 0 && added.length === 0))
    return `values were ${show(old)}, are ${show(current)}`;
  return [
    ...(gone.length > 0 ? [`without ${gone.map(show).join(', ')}`] : []),
    ...(added.length > 0 ? [`new: ${added.map(show).join(', ')}`] : []),
  ].join('; ');
}

function valuesMissing(from: unknown, other: unknown): readonly unknown[] {
  return listOf(from).filter((value) => !listOf(other).some((one) => isDeepStrictEqual(one, value)));
}

function show(value: unknown): string {
  if (value === undefined) return 'none';
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

function finding(use: Use, rule: Rule, { base, path }: Position, what: string): Finding {
  const place = path === '' ? base : `${base}: ${path.replace(/^\./, '')}`;
  return { rule, place, what, who: use.who, uses: [use.operation] };
}
