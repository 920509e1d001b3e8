import { NotAttempted } from './mail.ts';
import { Pace, type PaceLimits } from './pace.ts';
import type { SmtpSession } from './smtp-session.ts';
import { Turns } from './turns.ts';

export interface DestinationLimits extends PaceLimits {
  messagesPerConnection: number;
  /** Connections at the same time until it has answered. */
  unproven: number;
  /** Messages that wait for one of its connections; more are put off, so that they hold up nobody else's. */
  waiting: number;
  /** An idle connection is closed after so long. Servers wait five minutes at least (RFC 5321, 4.5.3.2.7). */
  idleMs: number;
}

interface Kept {
  host: string;
  session: SmtpSession;
  messages: number;
  idleTimer: NodeJS.Timeout | undefined;
}

interface Waiter {
  resolve(): void;
  reject(error: Error): void;
}

/** A relay, or the mail hosts of one provider: how much runs to it at the same time, and the connections that are kept. */
export class Destination {
  readonly pace: Pace;
  readonly #limits: DestinationLimits;
  /** Messages that have a slot. */
  #busy = 0;
  /** Connections that are used or being made. */
  #inUse = 0;
  #idle: Kept[] = [];
  readonly #waiting: Waiter[] = [];
  readonly #turns: Turns;
  #closing = false;
  #isProven = false;

  constructor(limits: DestinationLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#turns = new Turns(now);
    this.pace = new Pace(limits, now);
  }

  /** Nothing runs, waits, or has to be remembered. */
  get isQuiet(): boolean {
    return this.#busy === 0 && this.#idle.length === 0 && this.#waiting.length === 0 && this.pace.isAtEase;
  }

  /** Somebody has answered at the last attempt. */
  get isProven(): boolean {
    return this.#isProven;
  }

  /** Somebody is trying it out already: one more message would wait. */
  get isFull(): boolean {
    return this.#busy >= this.#allowed;
  }

  /** An attempt has ended: whether anybody has answered. */
  answered(isAnswer: boolean): void {
    this.#isProven = isAnswer;
  }

  /** How long a message is to be put off before anything is done for it; 0 when it may be tried. */
  putOffMs(): number {
    if (this.pace.pauseMs > 0) return this.#turns.next(this.pace.pauseMs);
    return this.isFull && this.#waiting.length >= this.#limits.waiting ? this.#turns.next() : 0;
  }

  /**
   * Runs `work` when there is room for it. Rejects with NotAttempted when it is to be put off, `signal` ends its wait, or the destination is
   * closing, and with what `work` rejects with.
   */
  async occupy<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /**
   * Runs `work` with a connection to one of the hosts: an idle one, or one that `open` makes. `work` answers undefined when the
   * idle connection turned out to be dead; then it runs again.
   */
  async use<T>(
    host: string,
    open: () => Promise<SmtpSession>,
    work: (session: SmtpSession, reused: boolean) => Promise<T | undefined>,
  ): Promise<T> {
    for (;;) {
      const idle = this.#takeIdle(host);
      this.#inUse += 1;
      try {
        if (idle === undefined) await this.#makeRoom();
        const kept = idle ?? { host, session: await open(), messages: 0, idleTimer: undefined };
        const result = await this.#send(kept, (session) => work(session, idle !== undefined));
        this.#giveBack(kept);
        if (result !== undefined) return result;
      } finally {
        this.#inUse -= 1;
      }
    }
  }

  /** Refuses new work and ends idle connections. */
  drain(): void {
    this.#closing = true;
    for (const waiter of this.#waiting.splice(0)) waiter.reject(new NotAttempted());
    for (const kept of this.#idle.splice(0)) void end(kept);
  }

  get #allowed(): number {
    return this.#isProven ? this.pace.allowed : Math.min(this.pace.allowed, this.#limits.unproven);
  }

  async #enter(signal: AbortSignal | undefined): Promise<void> {
    if (this.#closing) throw new NotAttempted();
    const putOffMs = this.putOffMs();
    if (putOffMs > 0) throw new NotAttempted(putOffMs);
    if (!this.isFull) {
      this.#busy += 1;
      return;
    }
    await this.#wait(signal);
  }

  // The slot is taken by the one that frees it, so that nobody can slip in between.
  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { resolve, reject };
    const end = () => {
      const at = this.#waiting.indexOf(waiter);
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      reject(new NotAttempted(this.#turns.next()));
    };
    this.#waiting.push(waiter);
    signal?.addEventListener('abort', end);
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', end);
    }
  }

  #leave(): void {
    this.#busy -= 1;
    this.#turns.finished();
    if (this.pace.pauseMs > 0) {
      for (const waiter of this.#waiting.splice(0))
        waiter.reject(new NotAttempted(this.#turns.next(this.pace.pauseMs)));
    }
    while (!this.isFull && this.#waiting.length > 0) {
      this.#busy += 1;
      this.#waiting.shift()?.resolve();
    }
  }

  #takeIdle(host: string): Kept | undefined {
    for (;;) {
      const at = this.#idle.findLastIndex((kept) => kept.host === host);
      const [kept] = at === -1 ? [] : this.#idle.splice(at, 1);
      if (kept === undefined) return undefined;
      clearTimeout(kept.idleTimer);
      if (kept.session.alive) return kept;
    }
  }

  async #send<T>(kept: Kept, work: (session: SmtpSession) => Promise<T>): Promise<T> {
    kept.messages += 1;
    try {
      return await work(kept.session);
    } catch (error) {
      kept.session.close();
      throw error;
    }
  }

  /** Idle connections to its other hosts count, too: before one more is made, the oldest end. */
  async #makeRoom(): Promise<void> {
    while (this.#idle.length > 0 && this.#idle.length + this.#inUse > this.pace.allowed) {
      const oldest = this.#idle.shift();
      if (oldest !== undefined) await end(oldest);
    }
  }

  #giveBack(kept: Kept): void {
    if (!kept.session.alive) return;
    const isTooMuch = this.#idle.length + this.#inUse > this.pace.allowed;
    if (this.#closing || isTooMuch || kept.messages >= this.#limits.messagesPerConnection) {
      void kept.session.quit();
      return;
    }
    kept.idleTimer = setTimeout(() => {
      this.#idle = this.#idle.filter((other) => other !== kept);
      void end(kept);
    }, this.#limits.idleMs);
    kept.idleTimer.unref();
    this.#idle.push(kept);
  }
}

async function end({ session, idleTimer }: Kept): Promise<void> {
  clearTimeout(idleTimer);
  await session.quit();
}
