import { NotAttempted } from './mail.ts';
import type { SmtpSession } from './smtp-session.ts';

export interface PoolLimits {
  /** Connections to one destination at the same time. */
  connections: number;
  messagesPerConnection: number;
  /** An idle connection is closed after so long. Servers wait five minutes at least (RFC 5321, 4.5.3.2.7). */
  idleMs: number;
}

export const POOL_LIMITS: PoolLimits = { connections: 10, messagesPerConnection: 100, idleMs: 30_000 };

interface Pooled {
  session: SmtpSession;
  messages: number;
  idleTimer: NodeJS.Timeout | undefined;
}

interface Waiter {
  resolve(): void;
  reject(error: Error): void;
}

interface Destination {
  busy: number;
  idle: Pooled[];
  waiting: Waiter[];
}

/** Connections to SMTP servers, kept and limited per destination. */
export class ConnectionPool {
  readonly #limits: PoolLimits;
  readonly #destinations = new Map<string, Destination>();
  readonly #inUse = new Set<SmtpSession>();
  readonly #opening = new AbortController();
  #closing = false;

  constructor(limits: PoolLimits = POOL_LIMITS) {
    this.#limits = limits;
  }

  /**
   * Runs `work` with a connection to the destination: an idle one, or one that `open` makes; waits while the limit of the
   * destination is reached. `work` answers undefined when the idle connection turned out to be dead; then it runs again.
   * Rejects with NotAttempted when the pool is closing, and with what `open` and `work` reject with.
   */
  async use<T>(
    name: string,
    open: (signal: AbortSignal) => Promise<SmtpSession>,
    work: (session: SmtpSession, reused: boolean) => Promise<T | undefined>,
  ): Promise<T> {
    const destination = this.#destination(name);
    await this.#takeSlot(destination);
    try {
      for (;;) {
        const kept = this.#takeIdle(destination);
        const pooled = kept ?? {
          session: await open(this.#opening.signal),
          messages: 0,
          idleTimer: undefined,
        };
        const result = await this.#work(pooled, (session) => work(session, kept !== undefined));
        this.#giveBack(name, destination, pooled);
        if (result !== undefined) return result;
      }
    } finally {
      this.#freeSlot(name, destination);
    }
  }

  /** Refuses new work and ends idle connections. */
  drain(): void {
    this.#closing = true;
    for (const destination of this.#destinations.values()) {
      for (const waiter of destination.waiting.splice(0)) waiter.reject(new NotAttempted());
      for (const pooled of destination.idle.splice(0)) endIdle(pooled);
    }
  }

  /** Cuts the connections that are in use or being made. */
  cut(): void {
    this.#opening.abort();
    for (const session of this.#inUse) session.close();
  }

  #destination(name: string): Destination {
    const known = this.#destinations.get(name);
    if (known !== undefined) return known;
    const destination: Destination = { busy: 0, idle: [], waiting: [] };
    this.#destinations.set(name, destination);
    return destination;
  }

  async #takeSlot(destination: Destination): Promise<void> {
    if (this.#closing) throw new NotAttempted();
    if (destination.busy < this.#limits.connections) {
      destination.busy += 1;
      return;
    }
    // The slot passes from the one that frees it, so that nobody can slip in between.
    await new Promise<void>((resolve, reject) => destination.waiting.push({ resolve, reject }));
  }

  #freeSlot(name: string, destination: Destination): void {
    const next = destination.waiting.shift();
    if (next === undefined) {
      destination.busy -= 1;
      this.#forget(name, destination);
    } else {
      next.resolve();
    }
  }

  #forget(name: string, { busy, idle }: Destination): void {
    if (busy === 0 && idle.length === 0) this.#destinations.delete(name);
  }

  #takeIdle(destination: Destination): Pooled | undefined {
    for (let pooled = destination.idle.pop(); pooled !== undefined; pooled = destination.idle.pop()) {
      clearTimeout(pooled.idleTimer);
      if (pooled.session.alive) return pooled;
    }
    return undefined;
  }

  async #work<T>(pooled: Pooled, work: (session: SmtpSession) => Promise<T>): Promise<T> {
    this.#inUse.add(pooled.session);
    pooled.messages += 1;
    try {
      return await work(pooled.session);
    } catch (error) {
      pooled.session.close();
      throw error;
    } finally {
      this.#inUse.delete(pooled.session);
    }
  }

  #giveBack(name: string, destination: Destination, pooled: Pooled): void {
    if (!pooled.session.alive) return;
    if (this.#closing || pooled.messages >= this.#limits.messagesPerConnection) {
      pooled.session.quit();
      return;
    }
    pooled.idleTimer = setTimeout(() => {
      destination.idle = destination.idle.filter((other) => other !== pooled);
      endIdle(pooled);
      this.#forget(name, destination);
    }, this.#limits.idleMs);
    pooled.idleTimer.unref();
    destination.idle.push(pooled);
  }
}

function endIdle({ session, idleTimer }: Pooled): void {
  clearTimeout(idleTimer);
  session.quit();
}
