import type { DnsResolver } from '../dns/resolver.ts';
import { USUAL_LIMITS } from '../domain/providers.ts';
import { ConnectionPool } from './connection-pool.ts';
import { conversation } from './conversation.ts';
import type { DestinationLimits } from './destination.ts';
import { type Attempt, type ComposedMail, NotAttempted, type Transport } from './mail.ts';
import { mxSender } from './mx-sender.ts';
import { PAUSES } from './pace.ts';
import { type FixedTarget, relayTarget } from './relay.ts';
import { SMTP_TIMEOUTS, SmtpSession, type SmtpTimeouts } from './smtp-session.ts';

/** Where mail goes: the built-in sink, one relay, or the mail hosts of each recipient's domain. */
export type DeliveryRoute =
  | { mode: 'sandbox'; sinkPort: number }
  | { mode: 'relay'; url: string }
  | {
      mode: 'mx';
      resolver: DnsResolver;
      /** 25, except in a laboratory. */
      port?: number;
      /** Deliver to mail hosts with private addresses too, as in a closed network. */
      allowPrivateAddresses?: boolean;
    };

export interface TransportOptions {
  route: DeliveryRoute;
  /** What we call ourselves in EHLO. */
  mailHostname: string;
  limits?: Partial<DestinationLimits>;
  /** Messages in delivery at the same time, of which no destination of several takes more than half. */
  concurrency?: number;
  timeouts?: Partial<SmtpTimeouts>;
}

/**
 * Opens the transport of a delivery mode. Nothing is connected before the first mail.
 * Throws StartupError when the URL of a relay cannot be used.
 */
export function openTransport(options: TransportOptions): Transport {
  const { route, mailHostname, timeouts, concurrency = CONCURRENCY } = options;
  const common = { heloName: mailHostname, timeouts: { ...SMTP_TIMEOUTS, ...timeouts } };
  const pool = new ConnectionPool();
  if (route.mode === 'mx') {
    const limits = { ...shareOf(concurrency), ...options.limits };
    const sender = mxSender(pool, { ...route, ...common, limits, unprovenRoom: Math.ceil(concurrency / 2) });
    return new PooledTransport(pool, sender.send, sender.putOffMs);
  }
  const limits = { ...LIMITS, ...USUAL_LIMITS, ...UNBOUNDED, ...options.limits };
  const target = {
    ...(route.mode === 'relay' ? relayTarget(route.url) : sinkTarget(route.sinkPort)),
    ...common,
  };
  return new PooledTransport(pool, async (mail) => {
    const relay = pool.destination(RELAY, () => limits);
    return await relay.occupy(() =>
      conversation(pool, relay, RELAY, (signal) => SmtpSession.open(target, signal), mail),
    );
  });
}

/** What one destination of many may have: half of what there is, connections and those that wait for one together. */
function shareOf(concurrency: number): DestinationLimits {
  const connections = Math.max(1, Math.floor(concurrency / 4));
  return {
    ...LIMITS,
    connections,
    messagesPerConnection: Number.POSITIVE_INFINITY,
    unproven: 1,
    waiting: connections,
  };
}

const RELAY = 'relay';
/** All mail goes to a relay, and it is trusted. */
const UNBOUNDED = { waiting: Number.POSITIVE_INFINITY, unproven: Number.POSITIVE_INFINITY };
const CONCURRENCY = 100;
const LIMITS = { ...PAUSES, idleMs: 30_000 };
// How long an attempt whose connection was cut may take to notice; one that waits for the DNS has none to cut.
const CUT_MS = 100;

type Sender = (mail: ComposedMail) => Promise<Attempt>;

class PooledTransport implements Transport {
  readonly #pool: ConnectionPool;
  readonly #sender: Sender;
  /** How to end each attempt that runs without an outcome. */
  readonly #running = new Set<() => void>();
  #cut = false;
  #drained: () => void = () => {};

  readonly #putOffMs: (recipient: string) => number;

  constructor(pool: ConnectionPool, sender: Sender, putOffMs: (recipient: string) => number = () => 0) {
    this.#pool = pool;
    this.#sender = sender;
    this.#putOffMs = putOffMs;
  }

  putOffMs(recipient: string): number {
    return this.#putOffMs(recipient);
  }

  async send(mail: ComposedMail): Promise<Attempt> {
    const { promise: cutOff, reject } = Promise.withResolvers<never>();
    const end = () => reject(new NotAttempted());
    this.#running.add(end);
    try {
      const attempt = await Promise.race([this.#sender(mail), cutOff]);
      // What failed because we cut it off says nothing about the message.
      if (this.#cut && attempt.verdict.retry) throw new NotAttempted();
      return attempt;
    } finally {
      this.#running.delete(end);
      if (this.#running.size === 0) this.#drained();
    }
  }

  async close(graceMs: number): Promise<void> {
    this.#pool.drain();
    await this.#emptyWithin(graceMs);
    this.#cut = true;
    this.#pool.cut();
    await this.#emptyWithin(CUT_MS);
    for (const end of this.#running) end();
  }

  async #emptyWithin(milliseconds: number): Promise<void> {
    if (this.#running.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#drained = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function sinkTarget(port: number): FixedTarget {
  return { host: '127.0.0.1', port, tls: 'off', verifyCertificate: false };
}
