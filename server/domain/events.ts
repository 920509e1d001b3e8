import type { Timestamp } from './time.ts';

/** What every event of a message carries. The same `eventId` is recorded once, however often it is reported. */
interface EventBase {
  eventId: string;
  messageId: string;
  receivedAt: Timestamp;
}

/** A reply of the remote server, and the entry of the delivery log that it stands in. */
export interface SmtpOutcome {
  smtpResponse: string;
  smtpLogId: string;
}

/** The browser that fetched a pixel or followed a link. */
export interface Visit {
  userAgent: string;
  userIp: string;
  /** A prefetcher or a bot: recorded, but left out of the unique counts. */
  automated: boolean;
}

export type NewEvent = EventBase & { type: 'new' };
export type DeliveryEvent = EventBase & SmtpOutcome & { type: 'delivery' };
export type HardBounceEvent = EventBase & SmtpOutcome & { type: 'hard_bounce' };
export type SoftBounceEvent = EventBase & SmtpOutcome & { type: 'soft_bounce' };
export type SpamComplaintEvent = EventBase & { type: 'spam_complaint' };
export type UnsubscribeEvent = EventBase & { type: 'unsubscribe'; listId: string };
export type OpenEvent = EventBase & Visit & { type: 'open' };
export type ClickEvent = EventBase & Visit & { type: 'click'; trackingUrlDestination: string };

/** Everything that can happen to a message. */
export type MessageEvent =
  | NewEvent
  | DeliveryEvent
  | HardBounceEvent
  | SoftBounceEvent
  | SpamComplaintEvent
  | UnsubscribeEvent
  | OpenEvent
  | ClickEvent;

export type MessageEventType = MessageEvent['type'];

/** In the order of their bits in a message's event mask; a new type goes to the end. */
export const MESSAGE_EVENT_TYPES = [
  'new',
  'delivery',
  'hard_bounce',
  'soft_bounce',
  'spam_complaint',
  'unsubscribe',
  'open',
  'click',
] as const satisfies readonly MessageEventType[];

/** The bit of an event type in a message's event mask. */
export function eventBit(type: MessageEventType): number {
  return 1 << MESSAGE_EVENT_TYPES.indexOf(type);
}
