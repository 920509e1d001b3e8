import type { OperationId, operations } from '../../generated/operations.ts';
import type { Handler } from '../contract/handlers.ts';

type Tag = (typeof operations)[OperationId]['tag'];
type OperationsOf<T extends Tag> = {
  [Id in OperationId]: (typeof operations)[Id]['tag'] extends T ? Id : never;
}[OperationId];

/** A handler for every operation that the contract files under a tag. */
export type HandlersOf<T extends Tag> = { [Id in OperationsOf<T>]: Handler<Id> };
