import { ContractDocument } from './contract.ts';
import { type Finding, joinUses } from './finding.ts';
import type { JsonObject } from './json.ts';
import { compareOperations, compareUnknownEndpoint } from './operations.ts';
import type { Pair } from './schemas.ts';

/**
 * Every change from one bundled document to another that breaks somebody, in the order of the old document.
 * @throws Error when a reference leads nowhere.
 */
export function compareContracts(bundles: Pair<JsonObject>): Finding[] {
  const documents = { old: new ContractDocument(bundles.old), new: new ContractDocument(bundles.new) };
  return joinUses([...compareOperations(documents), ...compareUnknownEndpoint(documents)]);
}
