import { type Cursor, isRecord } from './cursor.ts';

/**
 * Calls `visit` with a schema and every schema below it, and says whether it is a part of an `allOf`.
 * `seen` keeps a shared component from being visited twice.
 */
export function walkSchema(
  schema: Cursor | undefined,
  seen: Set<string>,
  visit: (schema: Cursor, isPart: boolean) => void,
  isPart = false,
): void {
  const key = `${schema?.location.absolutePointer} ${isPart}`;
  if (!schema || !isRecord(schema.node) || seen.has(key)) return;
  seen.add(key);
  visit(schema, isPart);
  for (const part of schema.items('allOf')) walkSchema(part, seen, visit, true);
  const below = [
    ...['properties', 'oneOf', 'anyOf'].flatMap((name) => schema.items(name)),
    ...['items', 'additionalProperties'].flatMap((name) => schema.get(name) ?? []),
  ];
  for (const child of below) walkSchema(child, seen, visit);
}

/** The types a schema names: none, one or several. */
export function typesOf(schema: unknown): string[] {
  const type = isRecord(schema) ? schema.type : undefined;
  return Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : [];
}

/** Whether a schema lets no unknown property pass, by itself or by one of its `allOf` parts. */
export function isClosed(schema: Cursor): boolean {
  const isShut = ['additionalProperties', 'unevaluatedProperties'].some(
    (key) => schema.get(key)?.node === false,
  );
  return isShut || schema.items('allOf').some(isClosed);
}
