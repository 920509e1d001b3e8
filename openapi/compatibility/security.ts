import { isDeepStrictEqual } from 'node:util';
import type { ContractDocument } from './contract.ts';
import type { Finding } from './finding.ts';
import { type JsonObject, listOf, member, objectOf } from './json.ts';
import { ANNOTATIONS } from './normal-form.ts';
import type { Pair } from './schemas.ts';

/** Every set of credentials that was enough has to be enough. */
export function compareSecurity(
  documents: Pair<ContractDocument>,
  operation: string,
  nodes: Pair<JsonObject>,
): Finding[] {
  const current = requirementsOf(documents.new, nodes.new);
  return requirementsOf(documents.old, nodes.old)
    .filter((old) => !current.some((needed) => isEnough(documents, old, needed)))
    .map((old) => ({
      rule: 'security-narrowed',
      place: 'security',
      what: `${show(old)} is not enough any more; what is: ${current.map(show).join(', or ')}`,
      who: 'callers',
      uses: [operation],
    }));
}

/** Without any requirement nothing is needed. */
function requirementsOf({ root }: ContractDocument, node: JsonObject): readonly JsonObject[] {
  const listed = listOf(node.security ?? root.security).map(objectOf);
  return listed.length === 0 ? [{}] : listed;
}

/** Whether who has the credentials `had` has all that are `needed`; what a scheme is called is of no account. */
function isEnough(documents: Pair<ContractDocument>, had: JsonObject, needed: JsonObject): boolean {
  return Object.entries(needed).every(([scheme, scopes]) =>
    Object.entries(had).some(
      ([owned, granted]) =>
        listOf(scopes).every((scope) => listOf(granted).includes(scope)) &&
        isDeepStrictEqual(schemeOf(documents.old, owned), schemeOf(documents.new, scheme)),
    ),
  );
}

function schemeOf(document: ContractDocument, name: string): unknown {
  const schemes = member(document.root.components, 'securitySchemes');
  const entries = Object.entries(document.resolve(member(schemes, name)));
  return Object.fromEntries(entries.filter(([keyword]) => !ANNOTATIONS.has(keyword)));
}

function show(requirement: JsonObject): string {
  const entries = Object.entries(requirement).map(([scheme, scopes]) => {
    const list = listOf(scopes);
    return list.length === 0 ? scheme : `${scheme} (${list.join(', ')})`;
  });
  return entries.length === 0 ? 'no credentials' : entries.join(' and ');
}
