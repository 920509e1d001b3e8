// No list of the contract is longer, and no value of it deeper.
const MAX_ITEMS = 1001;
const MAX_DEPTH = 8;

/** A copy in which lists are cut after 1001 items; below eight levels the value is left as it is. `__proto__` is left out. */
export function clip(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => clip(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== '__proto__')
      .map(([key, item]) => [key, clip(item, depth + 1)]),
  );
}
