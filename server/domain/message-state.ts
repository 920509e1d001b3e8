import { eventBit, type MessageEvent } from './events.ts';
import type { Timestamp } from './time.ts';

/** Where the delivery of a message stands. */
export type DeliveryStatus = 'new' | 'delivery' | 'soft_bounce' | 'hard_bounce';

/** What events change about a message. */
export interface MessageState {
  delivery_status: DeliveryStatus;
  updated_at: Timestamp;
  opened_at: Timestamp | null;
  clicked_at: Timestamp | null;
  unsubscribed_at: Timestamp | null;
  spam_complaint_at: Timestamp | null;
  /** The last reply of the remote server; empty before the first attempt. */
  smtp_response: string;
  /** One bit for each type of event that happened at least once (`eventBit`). */
  event_mask: number;
}

/** A state after an event, and whether the event was the first open or click that counts as unique. */
export interface Transition {
  state: MessageState;
  isUnique: boolean;
}

/** The state of a message that has just been accepted. */
export function acceptedState(acceptedAt: Timestamp): MessageState {
  return {
    delivery_status: 'new',
    updated_at: acceptedAt,
    opened_at: null,
    clicked_at: null,
    unsubscribed_at: null,
    spam_complaint_at: null,
    smtp_response: '',
    event_mask: eventBit('new'),
  };
}

/**
 * The state of a message after an event.
 * The delivery status follows the last outcome, and a hard bounce stays: a message that bounced for good is never
 * called delivered again. The first moments (opened, clicked, ...) are the earliest reported, in whatever order reports
 * arrive. Visits of prefetchers and bots leave no trace but their event: they are neither a first open nor unique.
 */
export function applyEvent(before: MessageState, event: MessageEvent): Transition {
  const state: MessageState = {
    ...before,
    updated_at: later(before.updated_at, event.receivedAt),
    event_mask: before.event_mask | eventBit(event.type),
  };
  switch (event.type) {
    case 'new':
      return { state, isUnique: false };
    case 'delivery':
    case 'soft_bounce':
    case 'hard_bounce':
      state.smtp_response = event.smtpResponse;
      if (before.delivery_status !== 'hard_bounce') state.delivery_status = event.type;
      return { state, isUnique: false };
    case 'spam_complaint':
      state.spam_complaint_at = earlier(before.spam_complaint_at, event.receivedAt);
      return { state, isUnique: false };
    case 'unsubscribe':
      state.unsubscribed_at = earlier(before.unsubscribed_at, event.receivedAt);
      return { state, isUnique: false };
    case 'open':
      if (event.automated) return { state, isUnique: false };
      state.opened_at = earlier(before.opened_at, event.receivedAt);
      return { state, isUnique: before.opened_at === null };
    case 'click':
      if (event.automated) return { state, isUnique: false };
      state.clicked_at = earlier(before.clicked_at, event.receivedAt);
      return { state, isUnique: before.clicked_at === null };
  }
}

// Timestamps are all in one form (UTC, six decimals), so their order is that of their text.
function earlier(known: Timestamp | null, reported: Timestamp): Timestamp {
  return known === null || reported < known ? reported : known;
}

function later(known: Timestamp, reported: Timestamp): Timestamp {
  return reported > known ? reported : known;
}
