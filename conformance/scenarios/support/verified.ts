import type { Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';
import type { Domain, Made } from './made.ts';

/**
 * A domain of the check's own that may be sent from, assigned to these accounts.
 * @throws SetupFailed when the target verifies no domain but its own: a name under .test has no records in the DNS.
 */
export async function verifiedDomain(t: Tester, made: Made, accounts: string[]): Promise<Domain> {
  const domain = await made.domain({ accounts });
  await verify(t, 'verifyDomainDkim', domain);
  await verify(t, 'verifyDomainReturnPath', domain);
  return domain;
}

/** Verifies one of the two. @throws SetupFailed as above. */
export async function verify(
  t: Tester,
  operation: 'verifyDomainDkim' | 'verifyDomainReturnPath',
  { domain_id, name }: Domain,
): Promise<void> {
  const { status } = await t.call(operation, { path: { domain_id } });
  if (status !== 200)
    throw new SetupFailed(`no new domain can be verified here: ${operation} of ${name} answered ${status}`);
}
