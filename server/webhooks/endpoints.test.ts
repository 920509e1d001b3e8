import { expect, test } from 'vitest';
import type { DueNotification } from '../store/webhook-rows.ts';
import { Endpoints } from './endpoints.ts';

const DEAD = 1_200;

test('however many endpoints may be dead, each has its turn, and others keep half of the places', () => {
  const endpoints = new Endpoints(() => ({ post: () => new Promise(() => {}), destroy: () => {} }));
  for (let sequence = 0; sequence < DEAD; sequence++) {
    const endpoint = endpoints.hold({ due: dueOf(sequence), startBy: Number.POSITIVE_INFINITY });
    endpoint.drain();
  }
  const served = new Set<string>();
  for (let look = 0; look < 3; look++) {
    const { limit, rooms } = endpoints.request(0);
    const open = rooms.filter(({ room }) => room > 0);
    expect(open.length).toBeLessThanOrEqual(limit / 2);
    for (const { webhookId } of open) served.add(webhookId);
  }
  expect(served.size).toBe(DEAD);
});

/** A notification for a webhook of its own that has failed before. */
function dueOf(sequence: number): DueNotification {
  return {
    sequence,
    webhookId: `webhook ${sequence}`,
    accountId: 'account',
    notificationId: `notification ${sequence}`,
    event: 'message.open',
    isTest: false,
    payload: '{}',
    url: 'https://shop.customer.test/',
    secrets: [],
    takenAt: '2026-03-14T09:26:53.000000+00:00',
    attemptsMade: 1,
    failingSince: '2026-03-14T09:00:00.000000+00:00',
  };
}
