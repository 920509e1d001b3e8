import type { DueNotification } from '../store/webhook-rows.ts';
import type { NotificationStore } from '../store/webhook-store.ts';
import { Endpoint, type Held } from './endpoint.ts';
import { FIRST_WINDOW } from './endpoint-pace.ts';
import type { HttpLine } from './http-sender.ts';

type TakeRequest = Omit<Parameters<NotificationStore['take']>[0], 'heldUntil'>;

/** In memory at the same time, payloads included. */
const MOST_HELD = 1_000;
// Endpoints that may be dead share half of the places, so that however many there are, others find room.
const MOST_HELD_CRAWLING = MOST_HELD / 2;
const FORGOTTEN_AFTER_MS = 60_000;
// Those that fail are remembered: else each of them would be tried with a whole first window again.
const FAILING_FORGOTTEN_AFTER_MS = 10 * 60_000;

/** What is known of the endpoints that there was something for lately. */
export class Endpoints {
  readonly #openLine: () => HttpLine;
  readonly #byId = new Map<string, Endpoint>();

  constructor(openLine: () => HttpLine) {
    this.#openLine = openLine;
  }

  /** What to ask the store for, when so many notifications are held already. */
  request(held: number): TakeRequest {
    this.#forgetIdle();
    const endpoints = [...this.#byId.values()];
    const crawling = sum(
      endpoints.filter((endpoint) => endpoint.isCrawling).map((endpoint) => endpoint.held),
    );
    let places = Math.max(0, MOST_HELD_CRAWLING - crawling);
    const rooms = endpoints.map((endpoint) => {
      const { webhookId, isCrawling } = endpoint;
      if (!isCrawling) return { webhookId, room: endpoint.room };
      const room = Math.min(endpoint.room, places);
      places -= room;
      if (room > 0) this.#moveToEnd(endpoint);
      return { webhookId, room };
    });
    return {
      limit: Math.max(0, MOST_HELD - held),
      rooms,
      roomOfOthers: FIRST_WINDOW,
      roomOfFailing: crawling < MOST_HELD_CRAWLING ? 1 : 0,
    };
  }

  /** Learns from what the request has found where there may be more. */
  found(taken: readonly DueNotification[], { limit, rooms, roomOfOthers }: TakeRequest): void {
    const roomOf = new Map(rooms.map(({ webhookId, room }) => [webhookId, room]));
    const counts = Map.groupBy(taken, ({ webhookId }) => webhookId);
    for (const endpoint of this.#byId.values()) {
      const room = roomOf.get(endpoint.webhookId) ?? roomOfOthers;
      const count = counts.get(endpoint.webhookId)?.length ?? 0;
      if (room > 0) endpoint.isWanting = count >= room || taken.length === limit;
    }
  }

  /** Puts a notification in the line of its endpoint, and returns that. */
  hold(held: Held): Endpoint {
    const { webhookId, failingSince } = held.due;
    const known = this.#byId.get(webhookId);
    const endpoint = known ?? new Endpoint(webhookId, this.#openLine(), failingSince !== null);
    if (known === undefined) this.#byId.set(webhookId, endpoint);
    endpoint.add(held);
    return endpoint;
  }

  /** Takes out everything that waits. */
  drain(): Held[] {
    return [...this.#byId.values()].flatMap((endpoint) => endpoint.drain());
  }

  /** Ends all connections, and what is on its way over them. */
  close(): void {
    for (const { line } of this.#byId.values()) line.destroy();
    this.#byId.clear();
  }

  /** Who had a turn comes after all others at the next one. */
  #moveToEnd(endpoint: Endpoint): void {
    this.#byId.delete(endpoint.webhookId);
    this.#byId.set(endpoint.webhookId, endpoint);
  }

  #forgetIdle(): void {
    for (const [id, endpoint] of this.#byId) {
      const bound = endpoint.isCrawling ? FAILING_FORGOTTEN_AFTER_MS : FORGOTTEN_AFTER_MS;
      if (endpoint.idleMs < bound) continue;
      endpoint.line.destroy();
      this.#byId.delete(id);
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
