/** What a simulator address plays. */
export type SimulatedOutcome =
  | 'delivery'
  | 'hard_bounce'
  | 'soft_bounce'
  | 'spam_complaint'
  | 'unsubscribe'
  | 'open'
  | 'click';

export type Profile = 'core' | 'extensions';

/** A sending account of the target, with one of its API keys. */
export interface TargetAccount {
  readonly account_id: string;
  readonly api_key: string;
  readonly type: 'transactional' | 'marketing';
}

/** An organisation of the target that can send. */
export interface TargetTenant {
  readonly email: string;
  readonly password: string;
  readonly from_email: string;
  readonly domain_id: string;
  readonly accounts: readonly TargetAccount[];
}

/** A server that claims the contract, as its target file describes it (target.schema.json). */
export interface Target {
  readonly implementation?: { readonly name: string; readonly version: string };
  readonly base_url: string;
  readonly ca_file?: string;
  readonly tenants: readonly TargetTenant[];
  readonly simulator?: Partial<Readonly<Record<SimulatedOutcome, string>>>;
  readonly hooks?: {
    readonly advance_clock?: string;
    readonly messages?: string;
    readonly set_webhook_url?: string;
  };
  readonly webhooks?: {
    readonly registration: 'extension' | 'hook';
    readonly listen_host?: string;
    readonly secret?: string | null;
  };
  readonly profiles?: readonly Profile[];
  readonly settle_timeout_ms?: number;
}

/** The target, and the certificate authority that its ca_file holds, as PEM text. */
export interface LoadedTarget {
  readonly target: Target;
  readonly ca: string | undefined;
}

const SETTLE_TIMEOUT_MS = 10_000;

/** The profiles that the server claims. */
export function profilesOf({ profiles }: Target): readonly Profile[] {
  return profiles ?? ['core'];
}

/** How long an event may take to appear, in milliseconds. */
export function settleTimeoutOf({ settle_timeout_ms: milliseconds }: Target): number {
  return milliseconds ?? SETTLE_TIMEOUT_MS;
}
