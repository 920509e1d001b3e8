import fc, { type Arbitrary } from 'fast-check';
import type { OperationId } from '../contract/document.ts';
import { bodyMutations } from './body-faults.ts';
import { byteMutations } from './byte-faults.ts';
import type { BrokenRequest, Mutation } from './fault.ts';
import { parameterMutations } from './parameter-faults.ts';
import { type OwnParts, validRequests } from './requests.ts';

/**
 * Every way in which one thing of a request can be wrong so that the service description or the contract demands its refusal; bytes
 * that are no JSON are apart, in byteMutations.
 */
export function mutationsOf(operation: OperationId, own: OwnParts = {}): Mutation[] {
  return [...parameterMutations(operation, own), ...bodyMutations(operation)];
}

/** Requests with a single fault, bytes that are no JSON included. `own` names what exists, so that nothing else is wrong. */
export function invalidRequests(operation: OperationId, own: OwnParts = {}): Arbitrary<BrokenRequest> {
  const base = validRequests(operation, own);
  const mutations = [...mutationsOf(operation, own), ...byteMutations(operation)];
  return fc.oneof(...mutations.map((mutation) => mutation.requests(base)));
}
