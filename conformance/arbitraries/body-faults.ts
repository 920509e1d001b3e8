import fc, { type Arbitrary } from 'fast-check';
import { type Operation, type OperationId, operationOf } from '../contract/document.ts';
import type { Schema } from '../contract/schema.ts';
import {
  type BrokenRequest,
  ITEM_REJECTED,
  MALFORMED_ID,
  type Mutation,
  SCALAR_BODY,
  SURVIVED,
  UNPROCESSABLE,
  type Verdict,
} from './fault.ts';
import { placeWithin, typesOf } from './values.ts';
import { refusesLineBreaks, wrongValues } from './wrong-values.ts';

type Step = string | 0;

/** A value of a body, and where it stands. In lists it is the first item that is looked at. */
interface Field {
  schema: Schema;
  steps: readonly Step[];
  place: string;
  required: boolean;
}

/** A change to a field: what is put there in place of a good value. */
interface Change {
  kind: string;
  values: Arbitrary<Put>;
  verdict?: Verdict;
}
type Put = { value: unknown } | 'nothing' | 'twice';

/** Every way of breaking the JSON of an operation's body; empty when it has none. */
export function bodyMutations(id: OperationId): Mutation[] {
  const operation = operationOf(id);
  if (operation.body === undefined) return [];
  const root: Field = { schema: operation.body.schema, steps: [], place: '', required: true };
  return [...fieldsOf(root)].flatMap((field) =>
    changesOf(field).map((change) => mutationOf(operation, field, change)),
  );
}

function* fieldsOf(field: Field): Generator<Field> {
  yield field;
  const { schema, steps, place, required: isNeeded } = field;
  const { properties = {}, required = [], items } = schema;
  for (const [name, property] of Object.entries(properties)) {
    // Who does not have the extension ignores the field as unknown.
    if (property['x-origin'] === 'extension') continue;
    const isRequired = required.includes(name);
    yield* fieldsOf({
      schema: property,
      steps: [...steps, name],
      place: placeWithin(place, name),
      required: isRequired,
    });
  }
  if (items !== undefined) {
    yield* fieldsOf({ schema: items, steps: [...steps, 0], place: placeWithin(place), required: isNeeded });
  }
}

function changesOf(field: Field): Change[] {
  const { schema, steps, required } = field;
  if (steps.length === 0) return wholeBody(schema);
  return [
    ...absences(field),
    ...wrongValues(schema).map(({ kind, values }) => put(kind, values)),
    ...emptiness(schema, required),
  ];
}

/** What is wrong with a body before its fields are looked at. */
function wholeBody({ type, minItems = 0, not }: Schema): Change[] {
  const scalars = { ...put('a single value', [0, true, 'text', null]), verdict: SCALAR_BODY };
  const nothing = not === undefined ? [] : [put('nothing in it', [{}])];
  if (type !== 'array') return [put('a list', [[], [{}]]), scalars, ...nothing];
  return [put('an object', [{}, { a: 1 }]), scalars, ...(minItems > 0 ? [put('no items', [[]])] : [])];
}

/** A required field that is not there. In a list nothing can be missing. */
function absences({ schema, steps, required }: Field): Change[] {
  if (!required) return [];
  const isNullable = typesOf(schema).includes('null');
  const nothing: Change = { kind: 'missing', values: fc.constant('nothing') };
  return [...(steps.at(-1) === 0 ? [] : [nothing]), ...(isNullable ? [] : [put('null', [null])])];
}

function emptiness(schema: Schema, required: boolean): Change[] {
  const { minLength = 0, minItems = 0, maxItems, not, pattern } = schema;
  const changes: Change[] = [];
  if (required && minLength > 0) changes.push(put('empty', ['']));
  if (required && minItems > 0) changes.push(put('empty list', [[]]));
  if (maxItems === 1) changes.push({ kind: 'two items', values: fc.constant('twice') });
  if (not !== undefined) changes.push(put('nothing in it', [{}]));
  if (pattern !== undefined && !refusesLineBreaks(pattern)) changes.push(nul());
  return changes;
}

// A body or a reason with a NUL may be refused or kept, but nothing may break over it.
function nul(): Change {
  return { ...put('NUL', ['a\u0000b']), verdict: SURVIVED };
}

function put(kind: string, values: readonly unknown[]): Change {
  return { kind, values: fc.constantFrom(...values).map((value) => ({ value })) };
}

function mutationOf({ id, body }: Operation, field: Field, { kind, values, verdict }: Change): Mutation {
  const fault = { where: 'body' as const, at: field.place, kind };
  const allowed = verdict ?? verdictOn(field, body?.schema['x-items-validated'] === 'individually', kind);
  return {
    operation: id,
    fault,
    verdict: allowed,
    requests: (base) =>
      fc.tuple(base, values).map(([parts, change]): BrokenRequest => {
        return { ...parts, body: changed(parts.body, field.steps, change), fault, verdict: allowed };
      }),
  };
}

function verdictOn({ schema, steps }: Field, isJudgedByItem: boolean, kind: string): Verdict {
  if (isJudgedByItem && steps.length > 0) return ITEM_REJECTED;
  return schema.format === 'uuid' && kind !== 'missing' ? MALFORMED_ID : UNPROCESSABLE;
}

/** The value with something put at a place; what is missing on the way there is made. */
function changed(target: unknown, steps: readonly Step[], change: Put): unknown {
  const [step, ...rest] = steps;
  if (step === undefined)
    return change === 'twice' ? twice(target) : change === 'nothing' ? undefined : change.value;
  if (step === 0) {
    const [first, ...others] = Array.isArray(target) ? target : [];
    return [changed(first, rest, change), ...others];
  }
  const object: Record<string, unknown> = typeof target === 'object' && target !== null ? { ...target } : {};
  const value = changed(object[step], rest, change);
  if (value === undefined) delete object[step];
  else object[step] = value;
  return object;
}

function twice(target: unknown): unknown[] {
  const items: unknown[] = Array.isArray(target) ? target : [];
  return [...items, ...items];
}
