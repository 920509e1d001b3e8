/** How fast a destination is approached after it asked for less. */
export interface PaceLimits {
  /** Connections at the same time, when all is well. */
  connections: number;
  firstPauseMs: number;
  longestPauseMs: number;
}

export const PAUSES = { firstPauseMs: 30_000, longestPauseMs: 30 * 60_000 };

// How long after its pause a destination counts as slowed that nothing was heard of since.
const REMEMBERED_MS = 60 * 60_000;
const SUCCESSES_FOR_ONE_MORE = 10;
// So that what was put off together does not come back together.
const JITTER = 0.2;

/**
 * Remembers how a destination bears us: each time that it asks for less, half of the connections and a pause twice as long; after
 * successes one connection more at a time.
 */
export class Pace {
  readonly #limits: PaceLimits;
  readonly #now: () => number;
  readonly #random: () => number;
  #allowed: number;
  #nextPauseMs: number;
  #pausedUntil = 0;
  #successes = 0;

  constructor(limits: PaceLimits, now: () => number = Date.now, random: () => number = Math.random) {
    this.#limits = limits;
    this.#now = now;
    this.#random = random;
    this.#allowed = limits.connections;
    this.#nextPauseMs = limits.firstPauseMs;
  }

  /** Connections at the same time, at present. */
  get allowed(): number {
    return this.#allowed;
  }

  /** How long the pause still lasts; 0 when there is none. */
  get pauseMs(): number {
    return Math.max(0, this.#pausedUntil - this.#now());
  }

  /** Nothing is remembered that matters, or not any more. */
  get isAtEase(): boolean {
    if (this.#allowed === this.#limits.connections) return this.pauseMs === 0;
    return this.#now() - this.#pausedUntil > REMEMBERED_MS;
  }

  /** The destination asked for less. */
  slowDown(): void {
    this.#pause(Math.floor(this.#allowed / 2));
  }

  /** The destination could not be reached: the next attempt is to try it out for all. */
  unreachable(): void {
    this.#pause(1);
  }

  /** The destination took a mail. */
  succeeded(): void {
    if (this.#allowed === this.#limits.connections) return;
    this.#successes += 1;
    if (this.#successes < SUCCESSES_FOR_ONE_MORE) return;
    this.#successes = 0;
    this.#allowed += 1;
    const isRecovered = this.#allowed === this.#limits.connections;
    this.#nextPauseMs = isRecovered
      ? this.#limits.firstPauseMs
      : Math.max(this.#limits.firstPauseMs, this.#nextPauseMs / 2);
  }

  #pause(allowed: number): void {
    // The connections that were open all hear the same: that is one complaint, not ten.
    if (this.pauseMs > 0) return;
    this.#successes = 0;
    this.#allowed = Math.max(1, allowed);
    this.#pausedUntil = this.#now() + this.#nextPauseMs * (1 - JITTER + 2 * JITTER * this.#random());
    this.#nextPauseMs = Math.min(this.#limits.longestPauseMs, this.#nextPauseMs * 2);
  }
}
