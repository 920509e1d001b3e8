/** A map that keeps the entries that were used last, up to so many. */
export interface Recent<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
}

/** Creates an empty one. */
export function createRecent<Key, Value extends NonNullable<unknown>>(most: number): Recent<Key, Value> {
  // A Map keeps the order in which keys were put into it: the first one is the one that was not used for longest.
  const entries = new Map<Key, Value>();
  const set = (key: Key, value: Value) => {
    entries.delete(key);
    entries.set(key, value);
    if (entries.size > most) entries.delete(entries.keys().next().value ?? key);
  };
  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    delete: (key) => void entries.delete(key),
  };
}
