import type { Tester } from '../../suite/tester.ts';
import { sameMembers } from '../support/compare.ts';
import type { Account, Domain } from '../support/made.ts';

/** The domain as it is kept now. */
export async function kept(t: Tester, { domain_id }: Domain): Promise<Domain> {
  return (await t.ok('getDomain', 200, { path: { domain_id } })).data;
}

/** The domain, if the list with this filter shows it. */
export async function listed(t: Tester, name: string, { domain_id }: Domain): Promise<Domain | undefined> {
  const { data } = await t.ok('listDomains', 200, { query: { name, limit: 30 } });
  return data.find((domain) => domain.domain_id === domain_id);
}

/** The domain shows exactly these accounts, with their names. */
export function requireAccounts(
  t: Tester,
  requirement: string,
  domain: Domain,
  accounts: readonly Account[],
): void {
  const line = ({ account_id, name }: { account_id: string; name: string }) => `${account_id} (${name})`;
  const shown = domain.accounts.map(line);
  const expected = accounts.map(line);
  t.require(
    requirement,
    sameMembers(shown, expected),
    `expected the domain's accounts to be ${expected.join(', ') || 'none'}, got ${shown.join(', ') || 'none'}`,
  );
}
