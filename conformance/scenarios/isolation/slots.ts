import type { OperationId } from '../../../generated/operations.ts';
import { type Operation, operations } from '../../contract/document.ts';
import type { Schema } from '../../contract/schema.ts';
import type { Tester } from '../../suite/tester.ts';
import { profilesOf } from '../../target/target.ts';

/** What an id of the contract names. */
const ENTITIES = [
  'account',
  'domain',
  'suppression',
  'message',
  'user',
  'api_key',
  'webhook',
  'notification',
] as const;
export type Entity = (typeof ENTITIES)[number];

/** A place of the contract where an id stands. */
export interface Slot {
  readonly operation: OperationId;
  readonly place: 'path' | 'query' | 'body';
  /** The name of the parameter or of the field. */
  readonly name: string;
  readonly entity: Entity;
  /** Whether several ids may stand there. */
  readonly isList: boolean;
}

/** Every place where a request that needs a session can name something by its id, as far as the target claims the operation. */
export function slotsOf(t: Tester, place: Slot['place']): readonly Slot[] {
  const withExtensions = profilesOf(t.target).includes('extensions');
  return operations
    .filter(({ origin, security }) => security === 'bearer' && (withExtensions || origin === 'core'))
    .flatMap(placesOf)
    .filter((slot) => slot.place === place);
}

function placesOf({ id, parameters, body }: Operation): Slot[] {
  const named = parameters.flatMap(({ in: place, name, schema }) =>
    place === 'header' ? [] : [{ place, name, schema }],
  );
  const fields = Object.entries(body?.schema.properties ?? {}).map(
    ([name, schema]) => ({ place: 'body', name, schema }) as const,
  );
  return [...named, ...fields].flatMap(({ place, name, schema }) =>
    isId(schema)
      ? [{ operation: id, place, name, entity: entityOf(name), isList: schema.type === 'array' }]
      : [],
  );
}

function isId({ format, items }: Schema): boolean {
  return format === 'uuid' || (items !== undefined && isId(items));
}

function entityOf(name: string): Entity {
  const entity = ENTITIES.find((each) => name.startsWith(each));
  if (entity === undefined) throw new TypeError(`What does the id ${name} name?`);
  return entity;
}
