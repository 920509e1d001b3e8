import type { Exchange } from '../http/exchange.ts';

/** The input that a failing case was shrunk to. */
export interface Shrunk {
  readonly case: string;
  readonly seed: number;
  readonly path: string;
}

/** The server broke a requirement. */
export class Violation extends Error {
  readonly requirement: string;
  /** What shows it, oldest first. */
  readonly exchanges: readonly Exchange[];
  readonly shrunk: Shrunk | undefined;

  constructor(requirement: string, message: string, exchanges: readonly Exchange[], shrunk?: Shrunk) {
    super(message);
    this.requirement = requirement;
    this.exchanges = exchanges;
    this.shrunk = shrunk;
  }
}

/** The server broke several requirements at once: the description says the same in more than one place. */
export class Violations extends Violation {
  readonly each: readonly Violation[];

  /** There is at least one. */
  constructor(first: Violation, ...others: readonly Violation[]) {
    super(first.requirement, first.message, first.exchanges, first.shrunk);
    this.each = [first, ...others];
  }
}

/** What a check builds on did not come about, by no fault that this check is to judge. */
export class SetupFailed extends Error {}

export type CheckOutcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly violations: readonly Violation[] }
  | { readonly kind: 'untested'; readonly reason: string }
  /** `isGone`: the server is not there any more, so that nothing that follows could be judged. */
  | { readonly kind: 'error'; readonly reason: string; readonly isGone?: true };

/** What came of a check. `notes` are observations on OPEN requirements. */
export interface CheckRun {
  readonly outcome: CheckOutcome;
  readonly notes: readonly Note[];
  readonly durationMs: number;
  readonly requests: number;
}

/** An observation that decides nothing. */
export interface Note {
  readonly requirement: string;
  readonly text: string;
}
