import type { Target, TargetAccount, TargetTenant } from '../target/target.ts';
import type { Caller } from './wire.ts';

/** An organisation of the target, as checks use it. Its login is shared by all checks: one that ends sessions logs in by itself. */
export interface Organisation {
  readonly email: string;
  readonly password: string;
  readonly fromEmail: string;
  readonly domainId: string;
  readonly account: TargetAccount;
  /** Declared by the need second_account. */
  readonly secondAccount: TargetAccount | undefined;
  /** The user's session; logs in when there is none. */
  session(): Promise<Caller>;
  /** Forgets the session: it may have expired. */
  renew(): void;
}

/** The organisations of a target; `login` returns an access token. */
export function organisationsOf(
  { tenants }: Target,
  login: (tenant: TargetTenant) => Promise<string>,
): readonly Organisation[] {
  return tenants.map((tenant) => {
    let token: Promise<string> | undefined;
    const [account, secondAccount] = tenant.accounts;
    if (account === undefined) throw new TypeError('A tenant has at least one account.');
    return {
      email: tenant.email,
      password: tenant.password,
      fromEmail: tenant.from_email,
      domainId: tenant.domain_id,
      account,
      secondAccount,
      async session() {
        token ??= login(tenant);
        return { kind: 'bearer', token: await token };
      },
      renew() {
        token = undefined;
      },
    };
  });
}
