import type { DocumentedAnswer, DocumentedOperation, NamedExample } from './document.ts';
import { isObject, type JsonObject, valueAt } from './json.ts';

const ID = /^(.+)_id$/;
const FIRST_ERROR = 400;
const EVENTS_OF_A_MESSAGE = '/v1/messages/{message_id}/events';

/** The things that the examples of the contract tell of, by their ids: what one answer names, another one shows. */
export class KnownThings {
  readonly #things: readonly JsonObject[];
  readonly #events: DocumentedAnswer | undefined;

  constructor(operations: Iterable<DocumentedOperation>) {
    const all = [...operations];
    this.#events = all.find(({ path }) => path === EVENTS_OF_A_MESSAGE)?.answers[0];
    this.#things = all.flatMap(({ answers }) =>
      answers
        .filter(({ status }) => status < FIRST_ERROR)
        .flatMap(({ examples }) => examples.flatMap(({ value }) => thingsIn(valueAt(value, 'data')))),
    );
  }

  /** The first thing with the same fields as the model that has all these ids. */
  like(model: JsonObject, ids: JsonObject): JsonObject | undefined {
    const fields = fieldsOf(model);
    return this.#things.find((thing) => fieldsOf(thing) === fields && hasAll(thing, ids));
  }

  /** Every id of its own that a thing of this kind (`message`) has, in the order of the contract. */
  idsOf(kind: string): string[] {
    const ids = this.#things.flatMap((thing) =>
      kindOf(thing) === kind ? [String(thing[`${kind}_id`])] : [],
    );
    return [...new Set(ids)];
  }

  /** The types of the events that a message has, as the parameter `events[]` may name them: one of them in two spellings. */
  eventsOf(messageId: unknown): string[] {
    const example = this.#events && exampleFor(this.#events, { message_id: messageId });
    const events = valueAt(example?.value, 'data');
    const types = Array.isArray(events) ? events.map((event) => String(valueAt(event, 'type'))) : [];
    return types.includes('unsubscribe') ? [...types, 'unsibscribe'] : types;
  }

  /** What the thing of this kind with this id is called. */
  nameOf(kind: string, id: unknown): string | undefined {
    const thing = this.#things.find(
      (one) => kindOf(one) === kind && one[`${kind}_id`] === id && 'name' in one,
    );
    return typeof thing?.name === 'string' ? thing.name : undefined;
  }
}

/** The example that is meant for a request with such parameters, or else the first that is meant for any. */
export function exampleFor({ examples }: DocumentedAnswer, parameters: JsonObject): NamedExample | undefined {
  const meant = examples.find(({ answers }) => answers !== undefined && hasAll(parameters, answers));
  return meant ?? examples.find(({ answers }) => answers === undefined) ?? examples[0];
}

/** Whether the object has each of these values under its name. */
export function hasAll(object: JsonObject, values: JsonObject): boolean {
  return Object.entries(values).every(([name, value]) => object[name] === value);
}

function thingsIn(data: unknown): JsonObject[] {
  const candidates = Array.isArray(data) ? data : [data];
  return candidates.filter(isObject).filter((thing) => kindOf(thing) !== undefined);
}

/** The first field of a thing is its own id; a rejected message has an empty one, and is no thing. */
function kindOf(thing: JsonObject): string | undefined {
  const [[field, id] = []] = Object.entries(thing);
  return field === undefined || id === '' ? undefined : ID.exec(field)?.[1];
}

function fieldsOf(thing: JsonObject): string {
  return Object.keys(thing).sort().join(' ');
}
