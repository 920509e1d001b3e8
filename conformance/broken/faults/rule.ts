import type { OperationId } from '../../../generated/operations.ts';

/** A sentence of the description or the contract, and the faults that break it. */
export interface Rule {
  rule: string;
  /** Where the faults show; empty means everywhere. */
  operations: readonly OperationId[];
  /** Title by id. */
  faults: Readonly<Record<string, string>>;
  rateLimit?: number;
}
