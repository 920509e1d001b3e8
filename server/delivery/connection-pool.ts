import { Destination, type DestinationLimits } from './destination.ts';
import { NotAttempted } from './mail.ts';
import type { Pace } from './pace.ts';
import type { SmtpSession } from './smtp-session.ts';

const QUIET_SWEPT_AT = 1000;

/** The destinations that mail goes to, with their connections. */
export class ConnectionPool {
  readonly #destinations = new Map<string, Destination>();
  readonly #inUse = new Set<SmtpSession>();
  readonly #opening = new AbortController();
  #sweptAt = QUIET_SWEPT_AT;
  #closing = false;

  /** The destination of this name; `limits` are those that a new one gets. Throws NotAttempted when the pool is closing. */
  destination(name: string, limits: () => DestinationLimits): Destination {
    if (this.#closing) throw new NotAttempted();
    return this.known(name) ?? this.#create(name, limits);
  }

  /** The pace of the destination of this name, even while the pool is closing. */
  pace(name: string, limits: () => DestinationLimits): Pace {
    return (this.known(name) ?? this.#create(name, limits)).pace;
  }

  /** The destination of this name, if there is something to know about it. */
  known(name: string): Destination | undefined {
    return this.#destinations.get(name);
  }

  /** Runs `work` with a connection to a host of the destination, so that `cut` reaches it. */
  async use<T>(
    destination: Destination,
    host: string,
    open: (signal: AbortSignal) => Promise<SmtpSession>,
    work: (session: SmtpSession, reused: boolean) => Promise<T | undefined>,
  ): Promise<T> {
    return await destination.use(
      host,
      () => open(this.#opening.signal),
      async (session, reused) => {
        this.#inUse.add(session);
        try {
          return await work(session, reused);
        } finally {
          this.#inUse.delete(session);
        }
      },
    );
  }

  /** Refuses new work and ends idle connections. */
  drain(): void {
    this.#closing = true;
    for (const destination of this.#destinations.values()) destination.drain();
  }

  /** Cuts the connections that are in use or being made. */
  cut(): void {
    this.#opening.abort();
    for (const session of this.#inUse) session.close();
  }

  #create(name: string, limits: () => DestinationLimits): Destination {
    this.#sweep();
    const destination = new Destination(limits());
    this.#destinations.set(name, destination);
    return destination;
  }

  /** Forgets what is quiet, whenever there is twice as much as was left last time. */
  #sweep(): void {
    if (this.#destinations.size < this.#sweptAt) return;
    for (const [name, destination] of this.#destinations) {
      if (destination.isQuiet) this.#destinations.delete(name);
    }
    this.#sweptAt = Math.max(QUIET_SWEPT_AT, 2 * this.#destinations.size);
  }
}
