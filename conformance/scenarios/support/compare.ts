import { isDeepStrictEqual } from 'node:util';

/** The fields of `expected` that `actual` has otherwise, each as "name is X instead of Y"; '' when there is none. */
export function differences(actual: object, expected: object): string {
  return Object.entries(expected)
    .filter(([name, value]) => !isDeepStrictEqual(Reflect.get(actual, name), value))
    .map(([name, value]) => `${name} is ${show(Reflect.get(actual, name))} instead of ${show(value)}`)
    .join(', ');
}

/** A value in a message, cut to what people read. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}

/** The same entries in any order. */
export function sameMembers(one: readonly string[], other: readonly string[]): boolean {
  return isDeepStrictEqual([...one].sort(), [...other].sort());
}
