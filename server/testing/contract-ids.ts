import document from '../../generated/openapi.json' with { type: 'json' };
import type { OperationId } from '../../generated/operations.ts';

// For tests that must know every id of the contract.

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
/** What an id names. */
export type Entity = (typeof ENTITIES)[number];

/** A place of the contract where an id stands. */
export interface Slot {
  name: string;
  operation: OperationId;
  place: string;
  parameter: string;
  entity: Entity;
}

/** Every id that a request can name: in the path, in the query, and in the fields of the body. */
export function idsInContract(): Slot[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item).flatMap((operation) => {
      if (typeof operation !== 'object' || !('operationId' in operation)) return [];
      const id = operation.operationId as OperationId;
      const parameters: unknown[] = [...listIn(item, 'parameters'), ...listIn(operation, 'parameters')];
      const named = parameters.map(resolved).filter((parameter) => isId(parameter.schema));
      const body = resolved(resolved(operation).requestBody).content;
      const schema = resolved(resolved(resolved(body)['application/json']).schema);
      const properties = Object.entries(resolved(schema.properties)).filter(([, property]) => isId(property));
      return [
        ...named.map(({ in: place, name }) => [String(place), String(name)] as const),
        ...properties.map(([name]) => ['body', name] as const),
      ].map(([place, parameter]) => ({
        name: `${id} ${place} ${parameter}`,
        operation: id,
        place,
        parameter,
        entity: entityOf(parameter, path),
      }));
    }),
  );
}

function listIn(object: object, key: string): unknown[] {
  const value: unknown = Reflect.get(object, key);
  return Array.isArray(value) ? value : [];
}

/** An object of the document, behind its references; an empty one where there is none. */
function resolved(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return {};
  const reference: unknown = Reflect.get(value, '$ref');
  if (typeof reference !== 'string') return { ...value };
  let target: unknown = document;
  for (const key of reference.split('/').slice(1)) target = Reflect.get(Object(target), key);
  return { ...resolved(target) };
}

function isId(schema: unknown): boolean {
  const { format, items } = resolved(schema);
  return format === 'uuid' || resolved(items).format === 'uuid';
}

function entityOf(parameter: string, path: string): Entity {
  const entity = ENTITIES.find((name) => parameter.startsWith(name));
  if (entity === undefined) throw new Error(`What does ${parameter} of ${path} name?`);
  return entity;
}
