import { enums } from '../../../generated/operations.ts';
import type { Tester } from '../../suite/tester.ts';
import type { Account } from '../support/made.ts';

export const TYPES = enums.AccountType;

/** The fields that an account has wherever it is shown. */
export function fieldsOf({ account_id, name, status, type }: Account) {
  return { account_id, name, status, type };
}

/** The account, if the list with these filters shows it. */
export async function listed(
  t: Tester,
  query: { name: string; type?: (typeof TYPES)[number] },
  { account_id }: Account,
): Promise<Account | undefined> {
  const { data } = await t.ok('listAccounts', 200, { query: { ...query, limit: 30 } });
  return data.find((account) => account.account_id === account_id);
}
