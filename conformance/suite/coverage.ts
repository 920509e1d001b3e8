import { type OperationId, operations } from '../../generated/operations.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Call } from './wire.ts';

/** What a run has sent to an operation, and what came back. */
export interface OperationCount {
  requests: number;
  /** By status; `none` where no response came. */
  statuses: Record<string, number>;
  /** By the name of a path or query parameter: requests that carried it. */
  parameters: Record<string, number>;
}

/** Counts the requests of a run. */
export class Coverage {
  readonly #counts = new Map<OperationId, OperationCount>();
  requests = 0;

  add({ operation, response }: Exchange, { path = {}, query = {} }: Call): void {
    this.requests += 1;
    if (operation === undefined) return;
    const count = this.of(operation);
    count.requests += 1;
    increase(count.statuses, String(response?.status ?? 'none'));
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    for (const name of [...Object.keys(path), ...given.map(([key]) => key)]) increase(count.parameters, name);
    this.#counts.set(operation, count);
  }

  /** What was counted for an operation; all zero when it was never called. */
  of(operation: OperationId): OperationCount {
    return this.#counts.get(operation) ?? { requests: 0, statuses: {}, parameters: {} };
  }

  /** Every operation of the contract with its count. */
  get operations(): [OperationId, OperationCount][] {
    return Object.keys(operations).map((id) => [id as OperationId, this.of(id as OperationId)]);
  }
}

function increase(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
