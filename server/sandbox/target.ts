import { join } from 'node:path';
import type { TlsMode } from '../config.ts';
import { StartupError } from '../errors.ts';
import { reasonOf, replaceFile } from '../files.ts';

/** A sending account of a target file, with one of its keys. */
export interface TargetAccount {
  account_id: string;
  api_key: string;
  type: 'transactional' | 'marketing';
}

/** An organisation of a target file. */
export interface TargetTenant {
  email: string;
  password: string;
  from_email: string;
  domain_id: string;
  accounts: TargetAccount[];
}

export type SimulatedOutcome =
  | 'delivery'
  | 'hard_bounce'
  | 'soft_bounce'
  | 'spam_complaint'
  | 'unsubscribe'
  | 'open'
  | 'click';

/** What a conformance run needs to know about a server (conformance/target.schema.json). */
export interface Target {
  base_url: string;
  ca_file?: string;
  tenants: TargetTenant[];
  simulator?: Partial<Record<SimulatedOutcome, string>>;
  hooks?: { advance_clock?: string; messages?: string; set_webhook_url?: string };
  webhooks?: { registration: 'extension' | 'hook'; listen_host?: string; secret?: string | null };
  profiles?: ('core' | 'extensions')[];
  settle_timeout_ms?: number;
}

const TARGET_FILE = 'target.json';
const CA_FILE = 'tls/ca.pem';
const SETTLE_TIMEOUT_MS = 10_000;

/** The addresses of this running service. */
export interface Addresses {
  tls: TlsMode;
  host: string | undefined;
  apiPort: number;
  opsPort: number;
}

/** Where clients on this machine reach the API. */
export function baseUrlOf({ tls, host, apiPort }: Omit<Addresses, 'opsPort'>): string {
  const scheme = tls.kind === 'local' || tls.kind === 'files' ? 'https' : 'http';
  const isEverywhere = host === undefined || host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${scheme}://${name}:${apiPort}`;
}

/** Where operators on this machine reach health, metrics and the sandbox. */
export function opsUrlOf({ opsPort }: Pick<Addresses, 'opsPort'>): string {
  return `http://127.0.0.1:${opsPort}`;
}

/** Describes this service as a target. Only what the service has is claimed. */
export function describeTarget(parts: {
  addresses: Addresses;
  tenants: TargetTenant[];
  simulator: Partial<Record<SimulatedOutcome, string>>;
  /** Whether this machine can be told of events: its addresses are private. */
  webhookAllowPrivate: boolean;
}): Target {
  const { addresses, tenants, simulator, webhookAllowPrivate } = parts;
  const ops = opsUrlOf(addresses);
  return {
    base_url: baseUrlOf(addresses),
    ...(addresses.tls.kind === 'local' ? { ca_file: CA_FILE } : {}),
    tenants,
    simulator,
    hooks: {
      advance_clock: `${ops}/sandbox/clock`,
      messages: `${ops}/sandbox/messages`,
      set_webhook_url: `${ops}/sandbox/webhook`,
    },
    ...(webhookAllowPrivate
      ? { webhooks: { registration: 'extension', listen_host: '127.0.0.1', secret: null } }
      : {}),
    profiles: ['core', 'extensions'],
    settle_timeout_ms: SETTLE_TIMEOUT_MS,
  };
}

/**
 * Writes the target file into the data folder, for its owner alone: it holds credentials.
 * @throws StartupError when it cannot be written.
 */
export async function writeTarget(dataDir: string, target: Target): Promise<void> {
  await writePrivateJson(join(dataDir, TARGET_FILE), target);
}

/** As JSON that people can read, for the owner alone. */
export async function writePrivateJson(path: string, content: unknown): Promise<void> {
  try {
    await replaceFile(path, `${JSON.stringify(content, undefined, 2)}\n`, 0o600);
  } catch (error) {
    throw new StartupError(
      `cannot write ${path}: ${reasonOf(error)}`,
      'Set SENDSPEC_DATA_DIR to a folder that this user can write to.',
      { cause: error },
    );
  }
}
