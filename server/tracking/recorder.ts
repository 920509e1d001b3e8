import { setImmediate } from 'node:timers/promises';
import type { MessageEvent } from '../domain/events.ts';
import type { DeliveryStore } from '../store/store.ts';

export interface RecorderOptions {
  store: Pick<DeliveryStore, 'recordEvents'>;
  /** Told of the database's faults, and of what could not be kept. */
  fault: (what: string, error?: unknown) => void;
  /** The clock of the machine in milliseconds, by which events of one message are counted. */
  nowMs?: () => number;
  /** How long to wait after the database failed. */
  faultPauseMs?: number;
  /** The most that waits while the database is away. */
  mostWaiting?: number;
}

/** Writes events in the background, so that whoever caused them has an answer already. */
export interface Recorder {
  /** Takes an event at once; it is written as soon as the database lets it. */
  add(event: MessageEvent): void;
  /** Resolves when everything is written, at the latest after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

const FAULT_PAUSE_MS = 1_000;
const LARGEST_BATCH = 500;
const MOST_WAITING = 100_000;
const MINUTE_MS = 60_000;
const MOST_A_MINUTE = 100;

/**
 * Creates a recorder. Batches form by themselves: while one is written, the next one collects. What the database refuses
 * while it is away is written again until it is written.
 */
export function createRecorder(options: RecorderOptions): Recorder {
  return new BackgroundRecorder(options);
}

class BackgroundRecorder implements Recorder {
  readonly #options: RecorderOptions;
  readonly #mostWaiting: number;
  #waiting: MessageEvent[] = [];
  #counts = new Map<string, number>();
  #minute = 0;
  #batchSize = LARGEST_BATCH;
  #isFull = false;
  #stopBy = Number.POSITIVE_INFINITY;
  #loop: Promise<void> | undefined;
  #wake: () => void = () => {};

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#mostWaiting = options.mostWaiting ?? MOST_WAITING;
  }

  add(event: MessageEvent): void {
    if (this.#isFlood(event) || this.#isBeyondRoom()) return;
    this.#waiting.push(event);
    this.#loop ??= this.#writeAll().finally(() => {
      this.#loop = undefined;
    });
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopBy = performance.now() + graceMs;
    this.#wake();
    const timer = setTimeout(() => this.#wake(), graceMs);
    await this.#loop;
    clearTimeout(timer);
    if (this.#waiting.length > 0) {
      this.#options.fault(`${this.#waiting.length} visits are lost: the database was away until the end.`);
    }
  }

  /** Who has one mail must not be able to fill the log (DECISIONS: mail-tracking-flood). */
  #isFlood({ messageId }: MessageEvent): boolean {
    const minute = Math.floor((this.#options.nowMs ?? Date.now)() / MINUTE_MS);
    if (minute !== this.#minute) this.#counts = new Map();
    this.#minute = minute;
    const count = (this.#counts.get(messageId) ?? 0) + 1;
    this.#counts.set(messageId, count);
    return count > MOST_A_MINUTE;
  }

  #isBeyondRoom(): boolean {
    const wasFull = this.#isFull;
    this.#isFull = this.#waiting.length >= this.#mostWaiting;
    if (this.#isFull && !wasFull)
      this.#options.fault(`${this.#mostWaiting} visits wait for the database; further ones are lost.`);
    return this.#isFull;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // One turn of the event loop: answers go first, and the next events arrive.
      await setImmediate();
      const batch = this.#waiting.slice(0, this.#batchSize);
      try {
        await this.#options.store.recordEvents(batch);
        this.#waiting.splice(0, batch.length);
        this.#batchSize = Math.min(LARGEST_BATCH, this.#batchSize * 2);
      } catch (error) {
        this.#options.fault('Recording visits failed; they are kept and written again.', error);
        // Should one event be at fault, it ends up alone and behind the others.
        this.#waiting.push(...this.#waiting.splice(0, batch.length));
        this.#batchSize = Math.max(1, Math.floor(this.#batchSize / 2));
        if (performance.now() >= this.#stopBy) return;
        await this.#pause();
      }
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#options.faultPauseMs ?? FAULT_PAUSE_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
