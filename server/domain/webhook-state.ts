import type { Timestamp } from './time.ts';
import { isOutOfPatience } from './webhook-schedule.ts';
import type { WebhookAttempt, WebhookStatus, WebhookStatusChange } from './webhooks.ts';

const MOST_STATUS_CHANGES = 20;

/** How a webhook stands. */
export interface WebhookState {
  url: string;
  status: WebhookStatus;
  /** Newest first. */
  status_changes: WebhookStatusChange[];
  failing_since: Timestamp | null;
  paused_until: Timestamp | null;
  /** When its URL, events or status last changed. */
  updated_at: Timestamp;
}

/** An attempt, and what its receiver's answer asks for. */
export interface AttemptOutcome {
  attempt: WebhookAttempt;
  isTest: boolean;
  pausedUntil?: Timestamp | undefined;
}

/** The state with another status, and the reason on record; the same state when it has the status already. */
export function withStatus(
  state: WebhookState,
  status: WebhookStatus,
  reason: WebhookStatusChange['reason'],
  now: Timestamp,
): WebhookState {
  if (state.status === status) return state;
  const changes = [{ changed_at: now, status, reason }, ...state.status_changes];
  return {
    ...state,
    ...(status === 'enabled' ? UNTRIED : {}),
    status,
    status_changes: changes.slice(0, MOST_STATUS_CHANGES),
    updated_at: now,
  };
}

/** The state with another URL: what is known of the old one's receiver says nothing of it. */
export function withUrl(state: WebhookState, url: string, now: Timestamp): WebhookState {
  return state.url === url ? state : { ...state, ...UNTRIED, url, updated_at: now };
}

const UNTRIED = { failing_since: null, paused_until: null };

/**
 * The state after an attempt (DECISIONS, notifications-retry-after, notifications-disabled and notifications-enabled-again).
 * Only what the state itself knows of failures counts: a success, or somebody who enabled it, may have come since the attempt
 * began. An attempt at a URL that is no longer the webhook's changes nothing.
 */
export function afterAttempt(state: WebhookState, outcome: AttemptOutcome, now: Timestamp): WebhookState {
  const { attempt, isTest, pausedUntil } = outcome;
  if (!isSameUrl(attempt.url, state.url)) return state;
  if (attempt.result === 'delivered') return afterSuccess(state, isTest, now);
  const paused = { ...state, paused_until: later(state.paused_until, pausedUntil) };
  const failing = isTest || isSilentOn(attempt) ? paused : withFailure(paused, attempt.attempted_at);
  const reason = reasonToDisable(state, attempt, now);
  return reason === undefined ? failing : withStatus(failing, 'disabled', reason, now);
}

function reasonToDisable(
  { failing_since }: WebhookState,
  { result }: WebhookAttempt,
  now: Timestamp,
): 'gone' | 'failing' | undefined {
  if (result === 'gone') return 'gone';
  if (result === 'invalid_payload') return undefined;
  return failing_since !== null && isOutOfPatience(failing_since, now) ? 'failing' : undefined;
}

function afterSuccess(state: WebhookState, isTest: boolean, now: Timestamp): WebhookState {
  const succeeding = state.failing_since === null ? state : { ...state, failing_since: null };
  const reason = state.status_changes[0]?.reason;
  const isDisabledByService = state.status === 'disabled' && (reason === 'gone' || reason === 'failing');
  return isTest && isDisabledByService ? withStatus(succeeding, 'enabled', 'recovered', now) : succeeding;
}

function withFailure(state: WebhookState, failedAt: Timestamp): WebhookState {
  return { ...state, failing_since: state.failing_since ?? failedAt };
}

/** A 410 has its own consequence, and what was never sent says nothing of the receiver. */
function isSilentOn({ result }: WebhookAttempt): boolean {
  return result === 'gone' || result === 'invalid_payload';
}

function later(one: Timestamp | null, other: Timestamp | undefined): Timestamp | null {
  if (other === undefined) return one;
  return one !== null && one > other ? one : other;
}

function isSameUrl(one: string, other: string): boolean {
  return one === other || (URL.parse(one)?.href ?? one) === (URL.parse(other)?.href ?? other);
}
