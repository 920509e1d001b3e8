/** The part of Redocly's plugin interface that the rules use (the CLI publishes no types). */
export interface Location {
  source: { absoluteRef: string };
  pointer: string;
  absolutePointer: string;
  child(keys: (string | number)[]): Location;
}

export interface Context {
  location: Location;
  key: string | number;
  parent: unknown;
  report(problem: { message: string; location?: Location & { reportOnKey?: boolean } }): void;
  resolve(node: unknown, from?: string): { node?: unknown; location?: Location };
}

export type Visit = (node: unknown, context: Context, resolved?: { location?: Location }) => void;
export type Visitor = Record<string, Visit | { enter?: Visit; leave?: Visit }>;
export type Rule<Options = unknown> = (options: Options) => Visitor;
