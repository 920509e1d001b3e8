/** Microseconds since 1970. */
export type Micros = bigint;

export const MILLISECOND: Micros = 1_000n;
export const SECOND: Micros = 1_000_000n;
export const HOUR: Micros = 3_600n * SECOND;
export const DAY: Micros = 24n * HOUR;

/**
 * The server's time. It can be moved forward. With microseconds it never tells the same moment twice, so that order by time is
 * total; with a coarser `step` it may.
 */
export class Clock {
  readonly #step: Micros;
  #ahead: Micros = 0n;
  #last: Micros = 0n;

  constructor(step: Micros) {
    this.#step = step;
  }

  now(): Micros {
    const wall = BigInt(Date.now()) * 1000n + this.#ahead;
    this.#last = wall > this.#last ? wall : this.#last + 1n;
    return this.#last - (this.#last % this.#step);
  }

  advance(seconds: number): void {
    this.#ahead += BigInt(Math.round(seconds * 1e6));
  }
}

/** A moment as responses write it: `2020-09-07T04:49:50.268699+00:00`. */
export function stamp(at: Micros): string {
  const seconds = at / SECOND - (at % SECOND < 0n ? 1n : 0n);
  const micros = at - seconds * SECOND;
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return `${whole}.${String(micros).padStart(6, '0')}+00:00`;
}

/** As `stamp`; null is no moment. */
export function stampOrNull(at: Micros | null): string | null {
  return at === null ? null : stamp(at);
}

/** The later of two moments. */
export function later(one: Micros, other: Micros): Micros {
  return one > other ? one : other;
}
