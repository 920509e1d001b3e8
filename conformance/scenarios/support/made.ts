import { randomUUID } from 'node:crypto';
import type { components } from '../../../generated/types.ts';
import type { Tester } from '../../suite/tester.ts';

type Schemas = components['schemas'];
export type Account = Schemas['Account'];
export type Domain = Schemas['Domain'];
export type Suppression = Schemas['Suppression'];

/** Makes objects with names of their own, and remembers them so that they can be deleted again. */
export class Made {
  readonly #t: Tester;
  readonly #accounts: string[] = [];
  readonly #domains: string[] = [];
  readonly #suppressions: string[] = [];

  constructor(t: Tester) {
    this.#t = t;
  }

  /** Creates an account. When that fails, `requirement` is broken; without one, another check judges that. */
  async account(change: Partial<Schemas['AccountCreate']> = {}, requirement?: string): Promise<Account> {
    const body = { name: this.#t.unique('account'), type: 'transactional' as const, ...change };
    const { data } = await this.#t.ok('createAccount', 201, { body }, requirement);
    this.#accounts.push(data.account_id);
    return data;
  }

  /** Creates a domain, assigned to no account and not verified. Failing: as for an account. */
  async domain(change: Partial<Schemas['DomainCreate']> = {}, requirement?: string): Promise<Domain> {
    const body = { name: domainName(this.#t), accounts: [], ...change };
    const { data } = await this.#t.ok('createDomain', 201, { body }, requirement);
    this.#domains.push(data.domain_id);
    return data;
  }

  /** Suppresses an address that nobody else writes to, in the target's first account. Failing: as for an account. */
  async suppression(
    change: Partial<Schemas['SuppressionCreate']> = {},
    requirement?: string,
  ): Promise<Suppression> {
    const t = this.#t;
    const body = { account_id: t.tenant.account.account_id, recipient_email: t.address(), ...change };
    const { data } = await t.ok('createSuppression', 201, { body }, requirement);
    this.#suppressions.push(data.suppression_id);
    return data;
  }

  /** Takes care of an account that was created otherwise. */
  adoptAccount(accountId: string): void {
    this.#accounts.push(accountId);
  }

  /** Takes care of a domain that was created otherwise. */
  adoptDomain(domainId: string): void {
    this.#domains.push(domainId);
  }

  /** Takes care of a suppression that was created otherwise. */
  adoptSuppression(suppressionId: string): void {
    this.#suppressions.push(suppressionId);
  }

  /** Deletes what is still there. What cannot be deleted stays: other checks judge deletion. */
  async clean(): Promise<void> {
    const t = this.#t;
    await Promise.allSettled([
      ...this.#suppressions.map((id) => t.call('deleteSuppression', { path: { suppression_id: id } })),
      ...this.#domains.map((id) => t.call('deleteDomain', { path: { domain_id: id } })),
    ]);
    await Promise.allSettled(
      this.#accounts.map((id) => t.call('deleteAccount', { path: { account_id: id } })),
    );
  }
}

/** Runs a check's work, and deletes what it made, whatever came of it. */
export async function withMade(t: Tester, work: (made: Made) => Promise<void>): Promise<void> {
  const made = new Made(t);
  try {
    await work(made);
  } finally {
    await made.clean();
  }
}

/** The name of a domain that nobody has. */
export function domainName(t: Tester): string {
  return `${t.unique('d')}.test`;
}

/** An id that was never given to anything. */
export function unknownId(): string {
  return randomUUID();
}
