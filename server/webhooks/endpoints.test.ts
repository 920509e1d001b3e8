import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DueNotification, NotificationOutcome } from '../store/webhook-rows.ts';
import { Endpoints } from './endpoints.ts';

// How the places are shared. Time is the only stand-in: that endpoints fall silent takes seconds.

const DEAD = 1_200;
const FAILING_SINCE = '2026-03-14T09:00:00.000000+00:00';

let endpoints: Endpoints;
let sequence = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  endpoints = new Endpoints(() => ({ post: () => new Promise(() => {}), destroy: () => {} }));
});
afterEach(() => {
  vi.useRealTimers();
});

test('however many endpoints may be dead, each has its turn', () => {
  for (let count = 0; count < DEAD; count++) hold(`dead ${count}`, FAILING_SINCE).drain();
  const served = new Set<string>();
  for (let look = 0; look < 3; look++) for (const webhookId of open()) served.add(webhookId);
  expect(served.size).toBe(DEAD);
});

test('those that may be dead take no place of the others', () => {
  for (let count = 0; count < DEAD; count++) send(`dead ${count}`, FAILING_SINCE);
  const request = endpoints.request();
  expect(request).toMatchObject({ limit: 500, roomOfFailing: 0 });
  expect(open()).toEqual([]);
});

test('those that have answered for long and fall silent all at once take no place of the others', () => {
  for (let count = 0; count < 30; count++) flow(`good ${count}`);
  expect(endpoints.request().limit).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(endpoints.surplus().length).toBeGreaterThan(0);
  expect(endpoints.request().limit).toBe(500);
});

test('one that fell silent gets more once it has answered', () => {
  const { endpoint, dues } = flow('good');
  vi.advanceTimersByTime(1_000);
  endpoint.surplus();
  expect(open()).toEqual([]);
  for (const due of dues) endpoint.attempted(deliveredOf(due));
  expect(open()).toEqual(['good']);
});

/** The endpoints that more is asked for. */
function open(): string[] {
  const { rooms } = endpoints.request();
  return rooms.filter(({ room }) => room > 0).map(({ webhookId }) => webhookId);
}

function hold(webhookId: string, failingSince: string | null = null) {
  return endpoints.hold({ due: dueOf(webhookId, failingSince), startBy: Number.POSITIVE_INFINITY });
}

function send(webhookId: string, failingSince: string | null = null) {
  const endpoint = hold(webhookId, failingSince);
  const due = endpoint.next();
  if (due === undefined) throw new Error('nothing may be sent');
  return { endpoint, due };
}

/** An endpoint that has answered a thousand times, with as much on its way and in line as it gets. */
function flow(webhookId: string) {
  for (let count = 0; count < 1_000; count++) {
    const { endpoint, due } = send(webhookId);
    endpoint.attempted(deliveredOf(due));
    endpoint.settled();
  }
  const endpoint = hold(webhookId);
  while (endpoint.room > 0) hold(webhookId);
  const dues: DueNotification[] = [];
  for (let due = endpoint.next(); due !== undefined; due = endpoint.next()) dues.push(due);
  return { endpoint, dues };
}

function dueOf(webhookId: string, failingSince: string | null): DueNotification {
  sequence += 1;
  return {
    sequence,
    webhookId,
    accountId: 'account',
    notificationId: `notification ${sequence}`,
    event: 'message.open',
    isTest: false,
    payload: '{}',
    url: 'https://shop.customer.test/',
    secrets: [],
    takenAt: '2026-03-14T09:26:53.000000+00:00',
    attemptsMade: 1,
    failingSince,
  };
}

function deliveredOf(due: DueNotification): NotificationOutcome {
  return {
    ...due,
    status: 'delivered',
    nextAttemptAt: null,
    attempt: {
      attempted_at: '2026-03-14T09:26:53.000000+00:00',
      url: due.url,
      duration_ms: 20,
      status_code: 200,
      result: 'delivered',
      response: '',
    },
  };
}
