import type { QueryParameters } from '../../../generated/operations.ts';
import type { Tester } from '../../suite/tester.ts';
import { show } from '../support/compare.ts';
import type { Suppression } from '../support/made.ts';

export type Filters = NonNullable<QueryParameters<'listSuppressions'>>;

/** What the list with these filters shows, on its first page. */
export async function listed(
  t: Tester,
  query: Filters,
  requirement?: string | readonly string[],
): Promise<Suppression[]> {
  return (await t.ok('listSuppressions', 200, { query: { limit: 30, ...query } }, requirement)).data;
}

/** The list with these filters shows the first, and does not show the other. */
export async function requireOnlyFirst(
  t: Tester,
  requirement: string | readonly string[],
  query: Filters,
  wanted: Suppression,
  other?: Suppression,
): Promise<void> {
  const shown = await listed(t, query, requirement);
  const has = (one: Suppression) => shown.some(({ suppression_id: id }) => id === one.suppression_id);
  const isFound = has(wanted);
  t.require(
    requirement,
    isFound,
    `${show(query)} does not find the suppression of ${wanted.recipient_email}`,
  );
  if (other === undefined) return;
  t.require(requirement, !has(other), `${show(query)} finds the suppression of ${other.recipient_email}`);
}
