import type { Context, Location } from './redocly.ts';

/** A node of the document and where it stands; stepping down follows references into other files. */
export class Cursor {
  readonly node: unknown;
  readonly location: Location;
  /** Where it is used: the place of the reference that led here, or its own. */
  readonly use: Location;
  readonly #context: Context;

  constructor(context: Context, node: unknown, location: Location) {
    const isReference = isRecord(node) && typeof node.$ref === 'string';
    const target = isReference ? context.resolve(node, location.source.absoluteRef) : undefined;
    this.node = target?.location ? target.node : node;
    this.location = target?.location ?? location;
    this.use = location;
    this.#context = context;
  }

  /** The node below, or undefined when there is none. */
  get(...keys: (string | number)[]): Cursor | undefined {
    let current: Cursor | undefined = this;
    for (const key of keys) {
      if (!current || typeof current.node !== 'object' || current.node === null) return undefined;
      const child: unknown = Object.hasOwn(current.node, key) ? Reflect.get(current.node, key) : undefined;
      current =
        child === undefined ? undefined : new Cursor(this.#context, child, current.location.child([key]));
    }
    return current;
  }

  /** The nodes below by key, in document order. */
  entries(...keys: (string | number)[]): [string, Cursor][] {
    const parent = keys.length === 0 ? this : this.get(...keys);
    if (!parent || typeof parent.node !== 'object' || parent.node === null) return [];
    return Object.keys(parent.node).flatMap((key): [string, Cursor][] => {
      const child = parent.get(key);
      return child ? [[key, child]] : [];
    });
  }

  /** The nodes below without their keys. */
  items(...keys: (string | number)[]): Cursor[] {
    return this.entries(...keys).map(([, child]) => child);
  }

  text(...keys: string[]): string | undefined {
    const value = this.get(...keys)?.node;
    return typeof value === 'string' ? value : undefined;
  }

  has(key: string): boolean {
    return isRecord(this.node) && key in this.node;
  }

  /** Reports a problem of the node itself. */
  report(message: string): void {
    this.#context.report({ message, location: this.location });
  }

  /** Reports that the node is in the wrong place, whatever it holds. */
  reportUse(message: string): void {
    this.#context.report({ message, location: this.use });
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
