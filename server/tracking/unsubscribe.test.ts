import { expect, test } from 'vitest';
import type { MessageEvent } from '../domain/events.ts';
import { SystemClock } from '../domain/time.ts';
import type { Subscription } from '../store/delivery-rows.ts';
import { unsubscribe } from './unsubscribe.ts';

const ID = '0198c5d0-1111-7222-8333-444455556666';
const subscribed: Subscription = {
  fromEmail: 'hello@demo.test',
  listId: 'news.demo.test',
  listUnsubscribe: null,
  unsubscribes: 0,
  isSuppressed: false,
};

/** The events that come of requests which all look before any of them writes. */
async function atOnce(requests: number, found: Subscription | undefined): Promise<MessageEvent[]> {
  const events: MessageEvent[] = [];
  const parts = {
    clock: new SystemClock(),
    store: {
      subscription: async () => found,
      recordEvents: async (recorded: readonly MessageEvent[]) => {
        events.push(...recorded);
        return { recorded: [], notifications: 0 };
      },
    },
  };
  const answers = await Promise.all(Array.from({ length: requests }, () => unsubscribe(ID, parts)));
  for (const answer of answers) expect(answer).toBe(found);
  return events;
}

test('requests at the same moment report one and the same event', async () => {
  const events = await atOnce(3, subscribed);
  expect(events).toHaveLength(3);
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(1);
  expect(events[0]).toMatchObject({ messageId: ID, type: 'unsubscribe', listId: 'news.demo.test' });
});

test('asking again after the suppression was deleted is another event', async () => {
  const [first] = await atOnce(1, subscribed);
  const [second] = await atOnce(1, { ...subscribed, unsubscribes: 1 });
  expect(second?.eventId).not.toBe(first?.eventId);
  expect(second?.eventId).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

test('there is nothing to report while the address is suppressed by it, or of a message that is gone', async () => {
  expect(await atOnce(1, { ...subscribed, unsubscribes: 1, isSuppressed: true })).toEqual([]);
  expect(await atOnce(1, undefined)).toEqual([]);
  expect(await atOnce(1, { ...subscribed, isSuppressed: true })).toHaveLength(1);
});
