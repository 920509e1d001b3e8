import { setTimeout as delay } from 'node:timers/promises';
import { Batcher } from '../batcher.ts';
import { isGivenUp } from '../domain/retry-schedule.ts';
import type { Verdict } from '../domain/smtp-verdict.ts';
import { type Clock, plusMilliseconds, type Timestamp } from '../domain/time.ts';
import type { DeliveryJob, DeliveryRecord, OutgoingMessage } from '../store/delivery-rows.ts';
import type { DeliveryRetry, Queue } from '../store/queue.ts';
import type { DeliveryStore } from '../store/store.ts';
import { compose } from './compose.ts';
import { expiredUntried, localFailure, recordOf, unsigned } from './delivery-record.ts';
import { type Attempt, type MailIdentity, NotAttempted, type Transport } from './mail.ts';
import { KeyUnusable, type Signer } from './signer.ts';

/** Told of what the worker does, for metrics and logs. */
export interface WorkerObserver {
  /** What came of an attempt is recorded. */
  deliveryFinished(verdict: Verdict['event'], message: OutgoingMessage): void;
  /** Something on our side failed (the database, mostly); the worker goes on. */
  fault(what: string, error: unknown): void;
}

export interface WorkerOptions {
  queue: Pick<Queue, 'fetchDeliveries' | 'release' | 'putOff'>;
  store: Pick<DeliveryStore, 'load' | 'record' | 'discard'>;
  transport: Transport;
  clock: Clock;
  /** What this installation puts of itself into mails. */
  identity: MailIdentity;
  sign: Signer;
  observer: WorkerObserver;
  /** Messages in delivery at the same time. */
  concurrency?: number;
  /** How long an idle worker waits before it looks into the queue again. */
  idleMs?: number;
  /** How long the worker waits after the database failed. */
  faultPauseMs?: number;
}

/** Takes messages from the queue and delivers them. */
export interface DeliveryWorker {
  start(): void;
  /** There is new work: an idle worker looks at once. */
  wake(): void;
  /** Takes no more, finishes what is in delivery within `graceMs`, and hands the rest back. */
  stop(graceMs: number): Promise<void>;
}

// Each is in memory whole, and a message may have 10 MB.
const CONCURRENCY = 50;
const IDLE_MS = 250;
const FAULT_PAUSE_MS = 1000;
const LARGEST_BATCH = 500;
const UNSIGNED_PUT_OFF_MS = 10_000;

/** Creates the worker; `start` sets it going. Attempts that fail on the network are retried by the schedule, not by the worker. */
export function createWorker(options: WorkerOptions): DeliveryWorker {
  return new Worker(options);
}

class Worker implements DeliveryWorker {
  readonly #options: WorkerOptions;
  readonly #concurrency: number;
  readonly #records: Batcher<DeliveryRecord>;
  readonly #putOffs: Batcher<DeliveryRetry>;
  readonly #inDelivery = new Map<string, Promise<void>>();
  #stopping = false;
  #recordUntil = Number.POSITIVE_INFINITY;
  #loop: Promise<void> | undefined;
  /** Ends the loop's present wait, whatever it waits for. */
  #nudge: () => void = () => {};

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#concurrency = options.concurrency ?? CONCURRENCY;
    this.#records = new Batcher((records) => options.store.record(records), LARGEST_BATCH);
    this.#putOffs = new Batcher((jobs) => options.queue.putOff(jobs), LARGEST_BATCH);
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  wake(): void {
    this.#nudge();
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#recordUntil = Math.min(this.#recordUntil, performance.now() + graceMs);
    this.#nudge();
    await this.#loop;
    await this.#options.transport.close(graceMs);
    await Promise.allSettled(this.#inDelivery.values());
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        const jobs = await this.#fetch();
        if (jobs.length > 0) await this.#take(jobs);
        else await this.#pause(this.#options.idleMs ?? IDLE_MS);
      } catch (error) {
        this.#options.observer.fault('Taking messages from the queue failed.', error);
        await this.#pause(this.#options.faultPauseMs ?? FAULT_PAUSE_MS);
      }
    }
  }

  /**
   * Fetches as much as there is room for, once half of the room is free: fetching one by one would cost more than delivering. What
   * hangs is not waited for longer than an idle worker waits.
   */
  async #fetch(): Promise<DeliveryJob[]> {
    const end = performance.now() + (this.#options.idleMs ?? IDLE_MS);
    while (this.#inDelivery.size > this.#concurrency / 2 && performance.now() < end) {
      await this.#pause(end - performance.now());
      if (this.#stopping) return [];
    }
    const room = this.#concurrency - this.#inDelivery.size;
    return room === 0 ? [] : this.#options.queue.fetchDeliveries(room);
  }

  async #take(jobs: DeliveryJob[]): Promise<void> {
    const messages = await this.#load(jobs);
    const jobOf = new Map(jobs.map((job) => [job.id, job]));
    for (const message of messages) {
      const job = jobOf.get(message.messageId);
      if (job === undefined) continue;
      jobOf.delete(job.id);
      this.#inDelivery.set(
        job.id,
        this.#deliver(job, message).finally(() => this.#finished(job)),
      );
    }
    // Nothing is to be done for the rest: the account was deleted, or the message is final already.
    if (jobOf.size > 0) await this.#discard([...jobOf.values()]);
  }

  async #discard(jobs: DeliveryJob[]): Promise<void> {
    try {
      await this.#options.store.discard(jobs);
    } catch (error) {
      await this.#handBack(jobs);
      throw error;
    }
  }

  async #load(jobs: DeliveryJob[]): Promise<OutgoingMessage[]> {
    try {
      return await this.#options.store.load(jobs.map(({ id }) => id));
    } catch (error) {
      await this.#handBack(jobs);
      throw error;
    }
  }

  async #deliver(job: DeliveryJob, message: OutgoingMessage): Promise<void> {
    const startedAt = this.#options.clock.now();
    let attempt: Attempt;
    try {
      attempt = await this.#attempt(message);
    } catch (error) {
      await this.#notAttempted(job, message, error);
      return;
    }
    // From here on the job is never handed back: the recipient may have the message.
    try {
      await this.#finish(job, message, attempt, startedAt);
    } catch (error) {
      this.#options.observer.fault(`Finishing message ${job.id} failed.`, error);
    }
  }

  async #notAttempted(job: DeliveryJob, message: OutgoingMessage, error: unknown): Promise<void> {
    if (error instanceof NotAttempted && error.afterMs > 0) {
      await this.#putOff(job, message, error.afterMs);
      return;
    }
    if (!(error instanceof NotAttempted))
      this.#options.observer.fault(`Delivering message ${job.id} failed.`, error);
    await this.#handBack([job]);
  }

  async #finish(
    job: DeliveryJob,
    message: OutgoingMessage,
    attempt: Attempt,
    startedAt: Timestamp,
  ): Promise<void> {
    const finishedAt = this.#options.clock.now();
    const isRecorded = await this.#record(recordOf(job, message, attempt, { startedAt, finishedAt }));
    if (isRecorded) this.#options.observer.deliveryFinished(attempt.verdict.event, message);
  }

  /** Leaves the message for later, without a trace in its log; at the end of its time this is its end. */
  async #putOff(job: DeliveryJob, message: OutgoingMessage, afterMs: number): Promise<void> {
    const now = this.#options.clock.now();
    const at = plusMilliseconds(now, afterMs);
    try {
      if (isGivenUp(message.acceptedAt, at)) await this.#finish(job, message, expiredUntried(message), now);
      else await this.#putOffs.add({ job, at });
    } catch (error) {
      this.#options.observer.fault(`Putting off message ${job.id} failed; it comes back by itself.`, error);
    }
  }

  async #attempt(message: OutgoingMessage): Promise<Attempt> {
    const putOffMs = this.#options.transport.putOffMs?.(message.to.email) ?? 0;
    if (putOffMs > 0) throw new NotAttempted(putOffMs);
    let mail: Awaited<ReturnType<typeof compose>>;
    try {
      mail = await compose(message, this.#options.identity);
    } catch (error) {
      this.#options.observer.fault(`Composing message ${message.messageId} failed.`, error);
      // It would fail at every attempt.
      return localFailure('5.6.0 The message cannot be composed.', false);
    }
    try {
      const raw = await this.#sign(mail.raw, message);
      return await this.#options.transport.send({ ...mail, raw });
    } catch (error) {
      if (error instanceof NotAttempted) throw error;
      if (error instanceof KeyUnusable) return unsigned(message);
      this.#options.observer.fault(`Sending message ${message.messageId} failed.`, error);
      return localFailure('4.3.0 The mail system failed.', true);
    }
  }

  /**
   * Rejects with KeyUnusable when there is something to mend; with NotAttempted when the key cannot be had, such as while the database is
   * away: that says nothing about the message.
   */
  async #sign(raw: Buffer, { messageId, dkimKeyId, domainName }: OutgoingMessage): Promise<Buffer> {
    try {
      if (dkimKeyId === null) throw new KeyUnusable(`The domain ${domainName} has no DKIM key.`);
      return await this.#options.sign(raw, dkimKeyId);
    } catch (error) {
      this.#options.observer.fault(`Signing message ${messageId} failed.`, error);
      if (error instanceof KeyUnusable) throw error;
      throw new NotAttempted(UNSIGNED_PUT_OFF_MS);
    }
  }

  /**
   * What was delivered must not be forgotten because the database is away: it is written again until it is written, or the time to
   * stop has run out. Returns whether it was written.
   */
  async #record(record: DeliveryRecord): Promise<boolean> {
    for (;;) {
      try {
        await this.#records.add(record);
        return true;
      } catch (error) {
        this.#options.observer.fault(`Recording the delivery of message ${record.job.id} failed.`, error);
        if (performance.now() >= this.#recordUntil) return false;
        await delay(this.#options.faultPauseMs ?? FAULT_PAUSE_MS);
      }
    }
  }

  async #handBack(jobs: DeliveryJob[]): Promise<void> {
    try {
      await this.#options.queue.release(jobs);
    } catch (error) {
      this.#options.observer.fault(
        'Handing messages back to the queue failed; they come back by themselves.',
        error,
      );
    }
  }

  #finished(job: DeliveryJob): void {
    this.#inDelivery.delete(job.id);
    if (this.#inDelivery.size <= this.#concurrency / 2) this.#nudge();
  }

  /** Waits for a nudge (there is work, there is room, the worker stops), at most so long. */
  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#nudge(), milliseconds);
      this.#nudge = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
