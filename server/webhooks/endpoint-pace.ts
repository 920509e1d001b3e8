/** An attempt, as the pace sees it. */
export interface PacedAttempt {
  /** `missed`: no answer at all. */
  outcome: 'delivered' | 'refused' | 'missed';
  durationMs: number;
}

/** So many notifications are taken at first for an endpoint of which nothing is known: it may be dead. */
export const FIRST_WINDOW = 1;
const LARGEST_WINDOW = 256;
/** Requests to one endpoint at the same time. */
export const MOST_CONNECTIONS = 32;
/** An answer that takes longer is not quick. */
export const QUICK_MS = 1_000;
const SLOW_MS = 5_000;

/**
 * How many notifications may be taken for an endpoint, and be on their way to it at the same time. The window doubles with each round
 * of good and quick answers, and halves with a refusal. Where there is no answer, or a slow one, a single notification goes at a time,
 * and from then on each good round makes room for one more only: what answers for a while and then hangs must not often hold much.
 */
export class EndpointPace {
  #window = FIRST_WINDOW;
  #hasMissed: boolean;
  #hasFailed: boolean;

  /** `isFailing`: the last that was heard of the endpoint, maybe by another process, was a failure. */
  constructor(isFailing: boolean) {
    this.#hasMissed = isFailing;
    this.#hasFailed = isFailing;
  }

  /** Notifications that may be held for it. */
  get window(): number {
    return Math.floor(this.#window);
  }

  /** Requests at the same time. */
  get connections(): number {
    return Math.min(this.window, MOST_CONNECTIONS);
  }

  /** One at a time, after a failure: it may be dead. */
  get isCrawling(): boolean {
    return this.#hasFailed && this.window === 1;
  }

  finished({ outcome, durationMs }: PacedAttempt): void {
    const isMissed = outcome === 'missed' || durationMs >= SLOW_MS;
    this.#hasMissed ||= isMissed;
    this.#hasFailed ||= isMissed || outcome === 'refused';
    if (isMissed) this.#window = 1;
    else if (outcome === 'refused') this.#window = Math.max(1, this.#window / 2);
    // What waits here for a slow answer would only wait too long.
    else this.#grow(durationMs < QUICK_MS ? LARGEST_WINDOW : MOST_CONNECTIONS);
  }

  #grow(largest: number): void {
    const step = this.#hasMissed ? 1 / this.#window : 1;
    if (this.#window < largest) this.#window = Math.min(largest, this.#window + step);
  }
}
