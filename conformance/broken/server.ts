import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Clock, MILLISECOND } from './clock.ts';
import { FAULTS, type FaultId } from './faults.ts';
import { createHooks } from './hooks.ts';
import { createApi } from './http.ts';
import { createRateLimit, type RateLimitOptions } from './rate-limit.ts';
import { seedTenant, type Tenant } from './seed.ts';
import { newSecret, type World } from './state.ts';
import { VARIANTS, type Variant, type VariantId } from './variants.ts';

/** What a server is to be like; by default it is as it should be. */
export interface BrokenServerOptions {
  faults?: readonly FaultId[];
  /** Allowed behaviours, which a suite must not report. */
  variants?: readonly VariantId[];
  /** A path before `/v1`, such as `/mail/api`. */
  prefix?: string;
  /** PEM texts; `caFile` is where the authority is for the target. */
  tls?: { cert: string; key: string; caFile?: string };
  /** Requests a minute per caller; 0 is none. */
  rateLimit?: number;
  profiles?: readonly ('core' | 'extensions')[];
  settleTimeoutMs?: number;
  port?: number;
}

const OUTCOMES = [
  'delivery',
  'hard_bounce',
  'soft_bounce',
  'spam_complaint',
  'unsubscribe',
  'open',
  'click',
] as const;

/** A conformance target: what `target.schema.json` describes. */
export interface BrokenServerTarget {
  base_url: string;
  ca_file?: string;
  tenants: Tenant[];
  simulator: Record<(typeof OUTCOMES)[number], string>;
  hooks: { advance_clock: string; messages: string; set_webhook_url: string };
  webhooks: { registration: 'hook'; listen_host: string; secret: string | null };
  profiles: ('core' | 'extensions')[];
  settle_timeout_ms: number;
}

/** A running server. */
export interface BrokenServer {
  target: BrokenServerTarget;
  stop(): Promise<void>;
}

const SETTLE_TIMEOUT_MS = 2_000;

/** Starts a server in this process, on free ports, with two organisations of two accounts each. */
export async function startBrokenServer(options: BrokenServerOptions = {}): Promise<BrokenServer> {
  const { faults = [], variants = [], tls, port = 0 } = options;
  const prefix = options.prefix ?? wishesOf(variants).prefix ?? '';
  const stopping = new AbortController();
  const world = createWorld(faults, variants, stopping.signal);
  const hooks = createHooks(world);
  const hooksPort = await listen(hooks, 0);
  world.webUrl = `http://127.0.0.1:${hooksPort}`;
  const tenants = [seedTenant(world, 'first'), seedTenant(world, 'second')];
  const api = createApi(world, createRateLimit(limitOf(options)), { prefix, tls });
  const apiPort = await listen(api, port);
  const target: BrokenServerTarget = {
    base_url: `${tls === undefined ? 'http://127.0.0.1' : 'https://localhost'}:${apiPort}${prefix}`,
    ...(tls?.caFile === undefined ? {} : { ca_file: tls.caFile }),
    tenants,
    simulator: simulator(),
    hooks: {
      advance_clock: `${world.webUrl}/clock`,
      messages: `${world.webUrl}/messages`,
      set_webhook_url: `${world.webUrl}/webhook`,
    },
    webhooks: { registration: 'hook', listen_host: '127.0.0.1', secret: world.webhookSecret },
    profiles: [...(options.profiles ?? ['core', 'extensions'])],
    settle_timeout_ms: options.settleTimeoutMs ?? wishesOf(variants).settleTimeoutMs ?? SETTLE_TIMEOUT_MS,
  };
  const stop = async () => {
    stopping.abort();
    await Promise.all([close(api), close(hooks)]);
  };
  return { target, stop };
}

/** What the variants want beside other behaviour. */
function wishesOf(variants: readonly VariantId[]): Partial<Variant> {
  return Object.assign({}, ...variants.map((id) => VARIANTS[id]));
}

function limitOf({ faults = [], variants = [], rateLimit }: BrokenServerOptions): RateLimitOptions {
  const needed = faults.map((id) => FAULTS[id].rateLimit).find((limit) => limit !== undefined);
  // A fault that shows under a limit is to show soon, and often: nobody should wait a minute for it.
  if (rateLimit === undefined && needed !== undefined) return { perMinute: needed, windowSeconds: 1 };
  return { perMinute: rateLimit ?? wishesOf(variants).rateLimit ?? 0 };
}

function simulator(): BrokenServerTarget['simulator'] {
  return {
    delivery: 'delivery@simulator.test',
    hard_bounce: 'hard_bounce@simulator.test',
    soft_bounce: 'soft_bounce@simulator.test',
    spam_complaint: 'spam_complaint@simulator.test',
    unsubscribe: 'unsubscribe@simulator.test',
    open: 'open@simulator.test',
    click: 'click@simulator.test',
  };
}

function createWorld(
  faults: readonly FaultId[],
  variants: readonly VariantId[],
  stopped: AbortSignal,
): World {
  const planted = new Set(faults);
  const varies = (one: VariantId) => variants.includes(one);
  const timers = new Set<NodeJS.Timeout>();
  stopped.addEventListener('abort', () => {
    for (const timer of timers) clearTimeout(timer);
  });
  return {
    clock: new Clock(varies('z-timestamps') ? MILLISECOND : 1n),
    has: (fault) => planted.has(fault),
    varies,
    organisations: new Map(),
    users: new Map(),
    formerUsers: new Map(),
    formerAccounts: new Map(),
    sessions: new Set(),
    resets: new Map(),
    accounts: new Map(),
    keys: new Map(),
    domains: new Map(),
    formerDomains: new Map(),
    suppressions: new Map(),
    messages: new Map(),
    rejectedCustomIds: new Set(),
    mails: [],
    webhooks: new Map(),
    formerWebhooks: new Map(),
    notifications: new Map(),
    webhookSecret: varies('unsigned') ? null : `whsec_${Buffer.from(newSecret()).toString('base64')}`,
    webUrl: '',
    later: (milliseconds, action) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        action();
      }, milliseconds);
      timers.add(timer);
    },
    stopped,
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
