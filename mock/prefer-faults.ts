import type { ContractDocument, Operation } from '../server/contract/document.ts';
import { operationsOf } from '../server/contract/document.ts';

const VALIDATION_ERROR = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ValidationError' } } },
};
const STATUS = '422';

/**
 * The contract as the mock keeps it: an operation that never refuses the form of a request (logging out takes none) can still be told that
 * the header Prefer is faulty.
 */
export function withPreferFaults(document: ContractDocument): ContractDocument {
  const changed: ContractDocument = structuredClone(document);
  for (const { operation } of operationsOf(changed)) addStatus(operation.value);
  return changed;
}

function addStatus(operation: Operation): void {
  if (STATUS in operation.responses) return;
  Object.assign(operation.responses, { [STATUS]: VALIDATION_ERROR });
}
