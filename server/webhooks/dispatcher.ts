import { setTimeout as delay } from 'node:timers/promises';
import { Batcher } from '../batcher.ts';
import { type Clock, plusMilliseconds, type Timestamp } from '../domain/time.ts';
import type {
  DueNotification,
  HeldNotification,
  NotificationOutcome,
  StatusChange,
} from '../store/webhook-rows.ts';
import type { NotificationStore } from '../store/webhook-store.ts';
import type { Endpoint } from './endpoint.ts';
import { Endpoints } from './endpoints.ts';
import type { HttpLine } from './http-sender.ts';

/** Told of what the dispatcher does, for metrics and logs. */
export interface DispatcherObserver {
  /** An attempt and what follows from it are recorded. */
  attemptFinished(outcome: NotificationOutcome, due: DueNotification): void;
  /** An attempt has disabled a webhook, or enabled it. */
  statusChanged(change: StatusChange): void;
  /** Something on our side failed (the database, mostly); the dispatcher goes on. */
  fault(what: string, error: unknown): void;
}

export interface DispatcherOptions {
  store: Pick<NotificationStore, 'take' | 'record' | 'release'>;
  clock: Clock;
  /** Sends a notification once, and says what follows; never rejects. */
  attempt(due: DueNotification, line: HttpLine): Promise<NotificationOutcome>;
  /** The connections to one endpoint. */
  openLine(): HttpLine;
  observer: DispatcherObserver;
  /** How long an idle dispatcher waits before it looks again. */
  idleMs?: number;
  /** How long it waits after the database failed. */
  faultPauseMs?: number;
}

/** Sends notifications to the webhooks of all accounts. */
export interface Dispatcher {
  /** There are new notifications: it looks at once. */
  wake(): void;
  /** Takes no more, finishes what is on its way within `graceMs`, and gives the rest back. */
  stop(graceMs: number): Promise<void>;
}

const IDLE_MS = 250;
const FAULT_PAUSE_MS = 1_000;
// Looking more often finds little more each time.
const LEAST_PAUSE_MS = 15;
const HELD_FOR_MS = 60_000;
// The longest attempt and its recording end well before others may take over.
const START_WITHIN_MS = 30_000;
const LARGEST_BATCH = 500;

/** Starts the dispatcher. */
export function startDispatcher(options: DispatcherOptions): Dispatcher {
  return new RunningDispatcher(options);
}

class RunningDispatcher implements Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #outcomes: Batcher<NotificationOutcome>;
  readonly #releases: Batcher<HeldNotification>;
  readonly #endpoints: Endpoints;
  /** All that is held, by sequence: when it was taken last. */
  readonly #takenAt = new Map<number, Timestamp>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #loop: Promise<void>;
  #isStopping = false;
  #isCutOff = false;
  #isWoken = false;
  /** Ends the loop's present wait. */
  #nudge: () => void = () => {};

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#outcomes = new Batcher(async (outcomes) => {
      for (const change of await options.store.record(outcomes)) options.observer.statusChanged(change);
    }, LARGEST_BATCH);
    this.#releases = new Batcher((held) => options.store.release(held), LARGEST_BATCH);
    this.#endpoints = new Endpoints(() => options.openLine());
    this.#loop = this.#run();
  }

  wake(): void {
    this.#isWoken = true;
    this.#nudge();
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#nudge();
    await this.#loop;
    await this.#release(this.#endpoints.drain().map(({ due }) => due.sequence));
    await Promise.race([Promise.all(this.#underWay), delay(graceMs, undefined, { ref: false })]);
    this.#isCutOff = true;
    this.#endpoints.close();
    await this.#release([...this.#takenAt.keys()]);
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#isWoken = false;
      const mayBeMore = await this.#take().catch(async (error: unknown) => {
        this.#options.observer.fault('Taking notifications failed.', error);
        await this.#pause(this.#options.faultPauseMs ?? FAULT_PAUSE_MS);
        return false;
      });
      await delay(LEAST_PAUSE_MS);
      if (!mayBeMore && !this.#isWoken && !this.#isStopping)
        await this.#pause(this.#options.idleMs ?? IDLE_MS);
    }
  }

  /** Takes what there is room for, and sends it; returns whether there may be more that there is room for. */
  async #take(): Promise<boolean> {
    const { store, clock } = this.#options;
    void this.#release(this.#endpoints.surplus().map(({ due }) => due.sequence));
    const request = this.#endpoints.request();
    if (request.limit === 0) return false;
    const startBy = performance.now() + START_WITHIN_MS;
    const heldUntil = plusMilliseconds(clock.now(), HELD_FOR_MS);
    const { taken, mayBeMore } = await store.take({ ...request, heldUntil });
    const fresh = taken.filter((due) => !this.#takenAt.has(due.sequence));
    for (const { sequence, takenAt } of taken) this.#takenAt.set(sequence, takenAt);
    const endpoints = new Set(fresh.map((due) => this.#endpoints.hold({ due, startBy })));
    for (const endpoint of endpoints) this.#sendFrom(endpoint);
    this.#endpoints.found(taken, request);
    return mayBeMore || [...endpoints].some((endpoint) => endpoint.isWorthFilling);
  }

  /** Starts what may be sent now, and gives back what may not. */
  #sendFrom(endpoint: Endpoint): void {
    const surplus = endpoint.surplus().map(({ due }) => due.sequence);
    if (surplus.length > 0) void this.#release(surplus);
    for (let due = endpoint.next(); due !== undefined; due = endpoint.next()) {
      const sending = this.#send(due, endpoint).finally(() => this.#underWay.delete(sending));
      this.#underWay.add(sending);
    }
  }

  async #send(due: DueNotification, endpoint: Endpoint): Promise<void> {
    const outcome = await this.#options.attempt(due, endpoint.line);
    if (this.#isCutOff) return;
    endpoint.attempted(outcome);
    if (!this.#isStopping) this.#sendFrom(endpoint);
    const takenAt = this.#takenAt.get(due.sequence) ?? due.takenAt;
    const isRecorded = await this.#record({ ...outcome, takenAt });
    this.#takenAt.delete(due.sequence);
    endpoint.settled();
    if (isRecorded) this.#options.observer.attemptFinished(outcome, due);
    if (endpoint.isWorthFilling) this.wake();
  }

  /** What was sent must not be forgotten because the database is away: it is written again until it is written, or the time to stop has run out. */
  async #record(outcome: NotificationOutcome): Promise<boolean> {
    while (!this.#isCutOff) {
      try {
        await this.#outcomes.add(outcome);
        return true;
      } catch (error) {
        this.#options.observer.fault(`Recording notification ${outcome.sequence} failed.`, error);
        await delay(this.#options.faultPauseMs ?? FAULT_PAUSE_MS);
      }
    }
    return false;
  }

  async #release(sequences: readonly number[]): Promise<void> {
    const held = sequences.flatMap((sequence) => {
      const takenAt = this.#takenAt.get(sequence);
      return takenAt === undefined ? [] : [{ sequence, takenAt }];
    });
    for (const { sequence } of held) this.#takenAt.delete(sequence);
    try {
      await Promise.all(held.map((one) => this.#releases.add(one)));
    } catch (error) {
      this.#options.observer.fault('Giving notifications back failed; they come back by themselves.', error);
    }
  }

  /** Waits for a nudge (there is work, there is room, the dispatcher stops), at most so long. */
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
