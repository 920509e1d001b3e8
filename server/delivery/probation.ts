import { Turns } from './turns.ts';

/** A message in delivery to a destination that has not answered yet. */
export interface Guest {
  /** Aborted when it has to make room. */
  readonly signal: AbortSignal;
  /** It waits for somebody else's connection: it may be put off at any moment. */
  waits(): void;
  /** It asks the DNS, or connects. */
  knocks(): void;
  /** Somebody has answered: it is not interrupted any more. */
  talks(): void;
  leave(): void;
}

interface Place {
  state: 'waiting' | 'knocking' | 'talking';
  since: number;
  abort: AbortController;
}

/**
 * The room that destinations have together at which nobody has answered yet. Hundreds of dead mail hosts then leave the rest of a
 * worker to those that answer, and their own room goes round: whoever has knocked in vain for long makes way for the next.
 */
export class Probation {
  readonly #room: number;
  readonly #patienceMs: number;
  readonly #now: () => number;
  readonly #places = new Set<Place>();
  readonly #turns: Turns;

  constructor(room: number, patienceMs: number, now: () => number = Date.now) {
    this.#room = room;
    this.#patienceMs = patienceMs;
    this.#now = now;
    this.#turns = new Turns(now);
  }

  /** How long a message is to be put off; 0 when there is room, or would be made for it. `willWait`: somebody else knocks there already. */
  putOffMs(willWait: boolean): number {
    const hasRoom = this.#places.size < this.#room;
    return hasRoom || (!willWait && this.#dispensable() !== undefined) ? 0 : this.#turns.next();
  }

  /** Takes a place, which `putOffMs` has to have offered; who is in its way has to go. */
  enter(): Guest {
    if (this.#places.size >= this.#room) this.#evict(this.#dispensable());
    const place: Place = { state: 'knocking', since: this.#now(), abort: new AbortController() };
    this.#places.add(place);
    const become = (state: Place['state']) => {
      place.state = state;
      place.since = this.#now();
    };
    return {
      signal: place.abort.signal,
      waits: () => become('waiting'),
      knocks: () => become('knocking'),
      talks: () => become('talking'),
      leave: () => {
        if (this.#places.delete(place)) this.#turns.finished();
      },
    };
  }

  /** One that waits, or else has knocked in vain for too long; the first of them. */
  #dispensable(): Place | undefined {
    const places = [...this.#places];
    const isTooLong = ({ since }: Place) => this.#now() - since >= this.#patienceMs;
    return (
      places.find(({ state }) => state === 'waiting') ??
      places.find((place) => place.state === 'knocking' && isTooLong(place))
    );
  }

  #evict(place: Place | undefined): void {
    if (place === undefined) return;
    this.#places.delete(place);
    this.#turns.finished();
    place.abort.abort();
  }
}
