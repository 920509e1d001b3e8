import fc, { type AsyncCommand } from 'fast-check';
import type { Tester } from '../../suite/tester.ts';

/** Something that may be done to a server at any time: changes the model, and holds what the server says against it. */
export type Step<Model extends object, Real> = AsyncCommand<Model, Real, false>;

export interface Sequences<Model extends object, Real> {
  /** Each makes steps of one kind. */
  readonly steps: readonly fc.Arbitrary<Step<Model, Real>>[];
  /** A world in which nothing has been done. */
  begin(): Promise<{ model: Model; real: Real }>;
}

/** Objects of one kind as they should be. */
export interface Known<T> {
  readonly alive: T[];
  readonly deleted: T[];
}

const LONGEST = 20;
const RUNS = 12;

/** Takes steps in generated orders; a sequence that breaks a requirement is shrunk to the steps that are needed. */
export async function trySequences<Model extends object, Real>(
  t: Tester,
  { steps, begin }: Sequences<Model, Real>,
): Promise<void> {
  const sequences = fc.commands<Model, Real, false>([...steps], { maxCommands: LONGEST, size: 'max' });
  await t.property(sequences, (sequence) => fc.asyncModelRun(begin, sequence), RUNS);
}

/** A step that is possible at any time. `label` shows it in a report. */
export function step<Model extends object, Real>(
  label: string,
  run: (model: Model, real: Real) => Promise<void>,
): Step<Model, Real> {
  return { check: () => true, run, toString: () => label };
}

/** A step on one of the objects that are alive, chosen by any number; not possible while there are none. */
export function stepOnAlive<T, Real>(
  label: string,
  index: number,
  run: (one: T, model: Known<T>, real: Real) => Promise<void>,
): Step<Known<T>, Real> {
  return stepOn(label, index, ({ alive }) => alive, run);
}

/** As stepOnAlive, on those that were deleted too. */
export function stepOnAny<T, Real>(
  label: string,
  index: number,
  run: (one: T, model: Known<T>, real: Real) => Promise<void>,
): Step<Known<T>, Real> {
  return stepOn(label, index, ({ alive, deleted }) => [...alive, ...deleted], run);
}

function stepOn<T, Real>(
  label: string,
  index: number,
  among: (model: Readonly<Known<T>>) => readonly T[],
  run: (one: T, model: Known<T>, real: Real) => Promise<void>,
): Step<Known<T>, Real> {
  return {
    check: (model) => among(model).length > 0,
    async run(model, real) {
      const list = among(model);
      for (const one of list.slice(index % list.length).slice(0, 1)) await run(one, model, real);
    },
    toString: () => `${label} of number ${index}`,
  };
}

/** The object is deleted. */
export function bury<T>({ alive, deleted }: Known<T>, one: T): void {
  deleted.push(...alive.splice(alive.indexOf(one), 1));
}

/** The number of an object, for stepOnAlive and stepOnAny. */
export const anyIndex = fc.nat({ max: 20 });
