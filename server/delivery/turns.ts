// Of a message that is put off because many wait: until there may be room, as things go.
const SHORTEST_PUT_OFF_MS = 2_000;
const LONGEST_PUT_OFF_MS = 15 * 60_000;
const FIRST_GUESS_MS = 100;
const WEIGHT_OF_LATEST = 0.1;

/** When messages that find no room come back: one after another, as fast as room gets free. */
export class Turns {
  readonly #now: () => number;
  /** Milliseconds from one finished message to the next, about. */
  #gapMs = FIRST_GUESS_MS;
  #lastFinished: number;
  /** When the message that was put off last comes back. */
  #lastTurn = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#lastFinished = now();
  }

  /** A message has left its room to the next. */
  finished(): void {
    const now = this.#now();
    this.#gapMs += WEIGHT_OF_LATEST * (now - this.#lastFinished - this.#gapMs);
    this.#lastFinished = now;
  }

  /** How long one more message is to be put off; at least as long as the pause. */
  next(pauseMs = 0): number {
    const now = this.#now();
    const earliest = now + Math.max(SHORTEST_PUT_OFF_MS, pauseMs);
    this.#lastTurn = Math.max(earliest, this.#lastTurn + this.#gapMs);
    return Math.min(this.#lastTurn - now, Math.max(LONGEST_PUT_OFF_MS, pauseMs));
  }
}
