import { setTimeout as delay } from 'node:timers/promises';
import { type Attempt, type ComposedMail, NotAttempted, type Transport } from '../delivery/mail.ts';
import { isAscii } from '../domain/ascii.ts';
import { withAsciiDomain } from '../domain/mailbox.ts';
import { nextAttemptAt } from '../domain/retry-schedule.ts';
import { type Clock, plusMilliseconds } from '../domain/time.ts';
import type { Forward } from '../store/delivery-rows.ts';
import type { ReportStore } from '../store/store.ts';
import { forwardSenderOf } from './addresses.ts';

export interface ForwarderOptions {
  store: Pick<ReportStore, 'takeForwards' | 'holdForwards' | 'finishForward' | 'putOffForward'>;
  transport: Transport;
  clock: Clock;
  mailHostname: string;
  /** The database failed, mostly; the forwarder goes on. */
  fault: (what: string, error: unknown) => void;
  /** A mail was given up: it was refused for good, or its time is over. */
  gaveUp: (domain: string, response: string) => void;
  /** How long it waits before it looks again. */
  idleMs?: number;
  /** How long it waits before it writes again what the database did not take. */
  faultPauseMs?: number;
  /** How often it says that it still holds what it holds. */
  holdEveryMs?: number;
}

/** Sends mails on: requests to unsubscribe to the senders, and the postmaster's mail to SENDSPEC_POSTMASTER. */
export interface Forwarder {
  /** There is something to forward: it looks at once. */
  wake(): void;
  /** Takes no more and waits for what is on its way, which the end of the transport cuts off. */
  stop(): Promise<void>;
}

const IDLE_MS = 15_000;
const FAULT_PAUSE_MS = 1000;
const AT_ONCE = 20;
const HOLD_EVERY_MS = 60_000;
// After so long without a word from it, what a process held is anybody's.
const HELD_FOR_MS = 5 * 60_000;

/** Starts the forwarder. What cannot be sent is tried again by the schedule of messages, and given up as they are. */
export function startForwarder(options: ForwarderOptions): Forwarder {
  return new PoolOfForwards(options);
}

class PoolOfForwards implements Forwarder {
  readonly #options: ForwarderOptions;
  readonly #holding: NodeJS.Timeout;
  /** What is on its way, at most one to a domain: a slow one holds up nobody else's. */
  readonly #underWay = new Map<Forward, Promise<void>>();
  readonly #running: Promise<void>;
  #isStopping = false;
  #wake = new AbortController();

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#holding = setInterval(() => void this.#hold(), options.holdEveryMs ?? HOLD_EVERY_MS).unref();
    this.#running = this.#run();
  }

  wake(): void {
    this.#wake.abort();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.wake();
    await this.#running;
    await Promise.all(this.#underWay.values());
    clearInterval(this.#holding);
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      const { signal } = this.#wake;
      const taken = await this.#take().catch((error: unknown) => {
        this.#options.fault('Taking mails to forward failed.', error);
        return 0;
      });
      if (taken === 0) await this.#pause(signal);
      if (this.#wake.signal.aborted) this.#wake = new AbortController();
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    await delay(this.#options.idleMs ?? IDLE_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }

  /** Begins what is due, as far as there is room; returns how many those were. */
  async #take(): Promise<number> {
    const room = AT_ONCE - this.#underWay.size;
    if (room === 0) return 0;
    const busy = [...this.#underWay.keys()].map(({ recipient }) => domainOf(recipient));
    const due = await this.#options.store.takeForwards(room, { until: this.#heldUntil(), busy });
    for (const forward of due) {
      this.#underWay.set(
        forward,
        this.#forward(forward).finally(() => {
          this.#underWay.delete(forward);
          this.wake();
        }),
      );
    }
    return due.length;
  }

  #heldUntil() {
    return plusMilliseconds(this.#options.clock.now(), HELD_FOR_MS);
  }

  async #hold(): Promise<void> {
    const held = [...this.#underWay.keys()].map(({ forwardId }) => forwardId);
    if (held.length === 0) return;
    try {
      await this.#options.store.holdForwards(held, this.#heldUntil());
    } catch (error) {
      this.#options.fault('Holding mails that are being forwarded failed.', error);
    }
  }

  async #forward(forward: Forward): Promise<void> {
    try {
      await this.#write(forward.isCurrent ? await this.#send(forward) : this.#finish(forward));
    } catch (error) {
      this.#options.fault('Forwarding a mail failed; it comes back by itself.', error);
    }
  }

  /** Makes the attempt; returns what is to be written down of it. */
  async #send(forward: Forward): Promise<() => Promise<void>> {
    const { store, transport, clock } = this.#options;
    const { forwardId, createdAt, attempts } = forward;
    let attempt: Attempt;
    try {
      attempt = await transport.send(mailOf(forward, this.#options.mailHostname));
    } catch (error) {
      if (!(error instanceof NotAttempted)) throw error;
      const until = plusMilliseconds(clock.now(), error.afterMs);
      return () => store.putOffForward(forwardId, { until, attempts: attempts - 1 });
    }
    const { verdict, response } = attempt;
    const until = verdict.retry ? nextAttemptAt(createdAt, clock.now(), attempts, Math.random()) : undefined;
    if (until !== undefined) return () => store.putOffForward(forwardId, { until, attempts });
    if (verdict.event !== 'delivery') this.#options.gaveUp(domainOf(forward.recipient), response);
    return this.#finish(forward);
  }

  #finish({ forwardId }: Forward): () => Promise<void> {
    return () => this.#options.store.finishForward(forwardId);
  }

  /** What has been sent must not be sent again because the database is away: it is written until it is written, or the time to stop has come. */
  async #write(change: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await change();
      } catch (error) {
        if (this.#isStopping) throw error;
        this.#options.fault('Recording a forwarded mail failed; it is tried again.', error);
        await delay(this.#options.faultPauseMs ?? FAULT_PAUSE_MS);
      }
    }
  }
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

function mailOf({ recipient, raw }: Forward, mailHostname: string): ComposedMail {
  const local = recipient.slice(0, recipient.lastIndexOf('@'));
  return {
    mailFrom: forwardSenderOf(mailHostname),
    recipient: isAscii(local) ? withAsciiDomain(recipient) : recipient,
    raw: Buffer.from(raw),
    headersNeedUtf8: false,
  };
}
