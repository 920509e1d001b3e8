import { NotAttempted } from './mail.ts';
import { Pace, type PaceLimits } from './pace.ts';
import type { SmtpSession } from './smtp-session.ts';

export interface DestinationLimits extends PaceLimits {
  messagesPerConnection: number;
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

// Of a message that is put off because many wait: until there may be room, as things go.
const SHORTEST_PUT_OFF_MS = 2_000;
const LONGEST_PUT_OFF_MS = 15 * 60_000;
const FIRST_GUESS_MS = 100;
const WEIGHT_OF_LATEST = 0.1;

/** A relay, or the mail hosts of one provider: how much runs to it at the same time, and the connections that are kept. */
export class Destination {
  readonly pace: Pace;
  readonly #limits: DestinationLimits;
  readonly #now: () => number;
  /** Messages that have a slot. */
  #busy = 0;
  /** Connections that are used or being made. */
  #inUse = 0;
  #idle: Kept[] = [];
  readonly #waiting: Waiter[] = [];
  #closing = false;
  /** Milliseconds from one finished message to the next, about. */
  #gapMs = FIRST_GUESS_MS;
  #lastFinished: number;
  /** When the message that was put off last comes back. */
  #lastTurn = 0;

  constructor(limits: DestinationLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
    this.#lastFinished = now();
    this.pace = new Pace(limits, now);
  }

  /** Nothing runs, waits, or has to be remembered. */
  get isQuiet(): boolean {
    return this.#busy === 0 && this.#idle.length === 0 && this.#waiting.length === 0 && this.pace.isAtEase;
  }

  /** How long a message is to be put off before anything is done for it; 0 when it may be tried. */
  putOffMs(): number {
    if (this.pace.pauseMs > 0) return this.#turn(this.pace.pauseMs);
    if (this.#busy >= this.pace.allowed && this.#waiting.length >= this.#limits.waiting) return this.#turn(0);
    return 0;
  }

  /**
   * Runs `work` when there is room for it. Rejects with NotAttempted when it is to be put off or the destination is closing, and with
   * what `work` rejects with.
   */
  async occupy<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
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
      if (idle === undefined) this.#makeRoom();
      this.#inUse += 1;
      try {
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
    for (const kept of this.#idle.splice(0)) end(kept);
  }

  async #enter(): Promise<void> {
    if (this.#closing) throw new NotAttempted();
    const putOffMs = this.putOffMs();
    if (putOffMs > 0) throw new NotAttempted(putOffMs);
    if (this.#busy < this.pace.allowed) {
      this.#busy += 1;
      return;
    }
    // The slot is taken by the one that frees it, so that nobody can slip in between.
    await new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #leave(): void {
    this.#busy -= 1;
    const now = this.#now();
    this.#gapMs += WEIGHT_OF_LATEST * (now - this.#lastFinished - this.#gapMs);
    this.#lastFinished = now;
    if (this.pace.pauseMs > 0) {
      for (const waiter of this.#waiting.splice(0))
        waiter.reject(new NotAttempted(this.#turn(this.pace.pauseMs)));
    }
    while (this.#busy < this.pace.allowed && this.#waiting.length > 0) {
      this.#busy += 1;
      this.#waiting.shift()?.resolve();
    }
  }

  /** Messages that are put off come back one after another, as fast as the destination takes them. */
  #turn(pauseMs: number): number {
    const now = this.#now();
    const earliest = now + Math.max(SHORTEST_PUT_OFF_MS, pauseMs);
    this.#lastTurn = Math.max(earliest, this.#lastTurn + this.#gapMs);
    return Math.min(this.#lastTurn - now, Math.max(LONGEST_PUT_OFF_MS, pauseMs));
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
  #makeRoom(): void {
    while (this.#idle.length > 0 && this.#idle.length + this.#inUse >= this.pace.allowed) {
      const oldest = this.#idle.shift();
      if (oldest !== undefined) end(oldest);
    }
  }

  #giveBack(kept: Kept): void {
    if (!kept.session.alive) return;
    const isTooMuch = this.#idle.length + this.#inUse > this.pace.allowed;
    if (this.#closing || isTooMuch || kept.messages >= this.#limits.messagesPerConnection) {
      kept.session.quit();
      return;
    }
    kept.idleTimer = setTimeout(() => {
      this.#idle = this.#idle.filter((other) => other !== kept);
      end(kept);
    }, this.#limits.idleMs);
    kept.idleTimer.unref();
    this.#idle.push(kept);
  }
}

function end({ session, idleTimer }: Kept): void {
  clearTimeout(idleTimer);
  session.quit();
}
