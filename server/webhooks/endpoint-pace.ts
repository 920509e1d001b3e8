/** An attempt, as the pace sees it. */
export interface PacedAttempt {
  /** `missed`: no answer at all. */
  outcome: 'delivered' | 'refused' | 'missed';
  durationMs: number;
}

/** So many notifications are taken at first for an endpoint of which nothing is known. */
export const FIRST_WINDOW = 8;
const LARGEST_WINDOW = 256;
/** Requests to one endpoint at the same time. */
export const MOST_CONNECTIONS = 32;
const QUICK_MS = 1_000;
const SLOW_MS = 5_000;

/**
 * How many notifications may be taken for an endpoint, and be on their way to it at the same time. The window doubles with each round
 * of good and quick answers, and halves with a refusal. Where there is no answer, or a slow one, a single notification goes at a time: a
 * dead endpoint holds one place of those that all endpoints share.
 */
export class EndpointPace {
  #window: number;

  /** `isFailing`: the last that was heard of the endpoint, maybe by another process, was a failure. */
  constructor(isFailing: boolean) {
    this.#window = isFailing ? 1 : FIRST_WINDOW;
  }

  /** Notifications that may be held for it. */
  get window(): number {
    return this.#window;
  }

  /** Requests at the same time. */
  get connections(): number {
    return Math.min(this.#window, MOST_CONNECTIONS);
  }

  /** One at a time: it may be dead. */
  get isCrawling(): boolean {
    return this.#window === 1;
  }

  finished({ outcome, durationMs }: PacedAttempt): void {
    if (outcome === 'missed' || durationMs >= SLOW_MS) this.#window = 1;
    else if (outcome === 'refused') this.#window = Math.max(1, Math.floor(this.#window / 2));
    // What waits here for a slow answer would only wait too long.
    else this.#grow(durationMs < QUICK_MS ? LARGEST_WINDOW : MOST_CONNECTIONS);
  }

  #grow(largest: number): void {
    if (this.#window < largest) this.#window += 1;
  }
}
