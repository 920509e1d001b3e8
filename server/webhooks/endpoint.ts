import type { DueNotification, NotificationOutcome } from '../store/webhook-rows.ts';
import { EndpointPace, type PacedAttempt, QUICK_MS } from './endpoint-pace.ts';
import type { HttpLine } from './http-sender.ts';

/** A notification that was taken, and until when it may be sent (performance.now): later, somebody else may send it. */
export interface Held {
  due: DueNotification;
  startBy: number;
}

type Result = NotificationOutcome['attempt']['result'];

/** What is held for one webhook: some on their way, the others in line. */
export class Endpoint {
  readonly webhookId: string;
  readonly line: HttpLine;
  readonly #pace: EndpointPace;
  #waiting: Held[] = [];
  /** What is on its way, by sequence, the longest first: since when (performance.now). */
  readonly #underWay = new Map<number, number>();
  /** Outcomes that are not recorded yet. */
  #unrecorded = 0;
  #isHalted = false;
  #usedAt = performance.now();
  /** The last look found as many as there was room for: there may be more. */
  isWanting = false;

  constructor(webhookId: string, line: HttpLine, isFailing: boolean) {
    this.webhookId = webhookId;
    this.line = line;
    this.#pace = new EndpointPace(isFailing);
  }

  /** All that is held for it. */
  get held(): number {
    return this.#waiting.length + this.#underWay.size + this.#unrecorded;
  }

  /** How many more may be taken for it. */
  get room(): number {
    return Math.max(0, this.#size - this.held);
  }

  /** There may be more, and half of what it may hold is free: taking one by one would cost more than sending. */
  get isWorthFilling(): boolean {
    return this.isWanting && this.room > 0 && this.room >= this.#size / 2;
  }

  /** One at a time, as it may be dead. */
  get isCrawling(): boolean {
    return this.#pace.isCrawling;
  }

  /** How much of what it holds it may hold for long: all of it where it may be dead, else what is overdue. */
  get lingering(): number {
    return this.isCrawling ? this.held : this.#overdue;
  }

  /** Requests that were not answered quickly. */
  get #overdue(): number {
    const bound = performance.now() - QUICK_MS;
    return [...this.#underWay.values()].filter((since) => since <= bound).length;
  }

  /** How much it may hold now. Nothing waits in line behind answers that are overdue: maybe they never come. */
  get #size(): number {
    if (this.#isHalted) return 0;
    return this.#overdue > 0 ? this.#pace.connections : this.#pace.window;
  }

  /** For how long it has had nothing to do, in milliseconds. */
  get idleMs(): number {
    return this.held === 0 ? performance.now() - this.#usedAt : 0;
  }

  add(held: Held): void {
    this.#waiting.push(held);
  }

  /** The next to be sent, which counts as under way; undefined when none is to be sent now. */
  next(): DueNotification | undefined {
    if (this.#isHalted || this.#underWay.size >= this.#pace.connections) return undefined;
    const held = this.#waiting.shift();
    if (held !== undefined) this.#underWay.set(held.due.sequence, performance.now());
    return held?.due;
  }

  /** An attempt is over, and not recorded. Nothing goes to a receiver that asked for a pause, or has gone, until the store knows it. */
  attempted({ sequence, attempt, pausedUntil }: NotificationOutcome): void {
    const outcome = pacedOutcomeOf(attempt.result);
    if (outcome !== undefined) this.#pace.finished({ outcome, durationMs: attempt.duration_ms });
    if (pausedUntil !== undefined || attempt.result === 'gone') this.#isHalted = true;
    this.#underWay.delete(sequence);
    this.#unrecorded += 1;
  }

  /** An outcome is recorded, or never will be. */
  settled(): void {
    this.#unrecorded -= 1;
    this.#usedAt = performance.now();
    if (this.#unrecorded === 0) this.#isHalted = false;
  }

  /** Takes out what is not to be sent from here: too late, or more than there is room for. */
  surplus(): Held[] {
    const now = performance.now();
    const inTime = this.#waiting.findIndex((held) => held.startBy > now);
    const late = this.#waiting.splice(0, inTime === -1 ? this.#waiting.length : inTime);
    const allowed = Math.max(0, this.#size - this.#underWay.size);
    return [...late, ...this.#waiting.splice(allowed)];
  }

  /** Takes out everything that waits. */
  drain(): Held[] {
    return this.#waiting.splice(0);
  }
}

/** Undefined for what says nothing about the receiver. */
function pacedOutcomeOf(result: Result): PacedAttempt['outcome'] | undefined {
  switch (result) {
    case 'invalid_payload':
      return undefined;
    case 'delivered':
      return 'delivered';
    case 'rejected':
    case 'redirected':
    case 'gone':
      return 'refused';
    case 'timed_out':
    case 'unreachable':
    case 'forbidden_address':
      return 'missed';
  }
}
