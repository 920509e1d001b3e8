import { eventIdOf } from '../domain/event-id.ts';
import type { UnsubscribeEvent } from '../domain/events.ts';
import type { Clock, Timestamp } from '../domain/time.ts';
import type { Subscription } from '../store/delivery-rows.ts';
import type { DeliveryStore } from '../store/store.ts';

/** What unsubscribing works on. */
export interface UnsubscribeParts {
  store: Pick<DeliveryStore, 'subscription' | 'recordEvents'>;
  clock: Clock;
}

/**
 * Records that the recipient of a message has unsubscribed, by whatever way, and returns what is known of the message;
 * undefined when it is gone. Asking again has no effect while the address is suppressed; after the suppression was deleted it
 * is a new event, which suppresses again (DECISIONS: mail-unsubscribe-again).
 * Rejects with what the database says when it is away.
 */
export async function unsubscribe(
  messageId: string,
  { store, clock }: UnsubscribeParts,
): Promise<Subscription | undefined> {
  const subscription = await store.subscription(messageId);
  if (subscription === undefined) return undefined;
  const event = unsubscribeEvent(messageId, subscription, clock.now());
  if (event !== undefined) await store.recordEvents([event]);
  return subscription;
}

/** The event of unsubscribing now; undefined when the recipient has done so and is suppressed. */
export function unsubscribeEvent(
  messageId: string,
  { unsubscribes, isSuppressed, listId }: Subscription,
  receivedAt: Timestamp,
): UnsubscribeEvent | undefined {
  if (unsubscribes > 0 && isSuppressed) return undefined;
  // Two requests at the same moment count the same events so far, and so make the same id.
  const eventId = eventIdOf('unsubscribe', messageId, String(unsubscribes));
  return { eventId, messageId, receivedAt, type: 'unsubscribe', listId };
}
