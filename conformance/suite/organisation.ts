import type { Target, TargetAccount, TargetTenant } from '../target/target.ts';
import type { Caller } from './wire.ts';

/** An access token, and until when it is used, in milliseconds of performance.now(). */
export interface Login {
  readonly token: string;
  readonly usableUntil: number;
}

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

/** The organisations of a target; `login` logs one of them in. */
export function organisationsOf(
  { tenants }: Target,
  login: (tenant: TargetTenant) => Promise<Login>,
): readonly Organisation[] {
  return tenants.map((tenant) => {
    let session: Promise<Login> | undefined;
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
        session ??= login(tenant);
        const current = session;
        try {
          const { token, usableUntil } = await current;
          if (performance.now() < usableUntil) return { kind: 'bearer', token };
        } catch (error) {
          // The next check tries anew: this may have been a fault of the moment.
          if (session === current) session = undefined;
          throw error;
        }
        if (session === current) session = undefined;
        return this.session();
      },
      renew() {
        session = undefined;
      },
    };
  });
}
