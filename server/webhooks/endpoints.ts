import type { DueNotification, WebhookRoom } from '../store/webhook-rows.ts';
import type { NotificationStore } from '../store/webhook-store.ts';
import { Endpoint, type Held } from './endpoint.ts';
import { FIRST_WINDOW } from './endpoint-pace.ts';
import type { HttpLine } from './http-sender.ts';

type TakeRequest = Omit<Parameters<NotificationStore['take']>[0], 'heldUntil'>;

/** In memory at the same time, payloads included: for endpoints that answer, and as many for those that may not. */
const MOST_HELD = 1_000;
const MOST_LINGERING = 1_000;
/** Those of the latter that are known get by themselves; the rest is for those that come to be known, or fall silent. */
const MOST_CRAWLING = MOST_LINGERING / 2;
const LARGEST_TAKE = 500;
const FORGOTTEN_AFTER_MS = 60_000;
// Those that fail are remembered for longer, and with them that they have to prove themselves.
const FAILING_FORGOTTEN_AFTER_MS = 10 * 60_000;

/** What is known of the endpoints that there was something for lately. */
export class Endpoints {
  readonly #openLine: () => HttpLine;
  readonly #byId = new Map<string, Endpoint>();

  constructor(openLine: () => HttpLine) {
    this.#openLine = openLine;
  }

  /** What to ask the store for. What lingers takes no place of the others, unless it is more than there are places for it. */
  request(): TakeRequest {
    this.#forgetIdle();
    const endpoints = [...this.#byId.values()];
    const lingering = sum(endpoints.map((endpoint) => endpoint.lingering));
    const quick = sum(endpoints.map(({ held }) => held)) - lingering;
    const free = MOST_HELD - quick - Math.max(0, lingering - MOST_LINGERING);
    const limit = Math.min(LARGEST_TAKE, Math.max(0, free));
    return {
      limit,
      rooms: this.#rooms(endpoints, Math.max(0, MOST_CRAWLING - lingering)),
      roomOfOthers: FIRST_WINDOW,
      roomOfFailing: lingering + limit <= MOST_LINGERING ? 1 : 0,
    };
  }

  /** How many more each may hold; those that crawl share the places. */
  #rooms(endpoints: readonly Endpoint[], places: number): WebhookRoom[] {
    let left = places;
    return endpoints.map((endpoint) => {
      const { webhookId, isCrawling } = endpoint;
      if (!isCrawling) return { webhookId, room: endpoint.room };
      const room = Math.min(endpoint.room, left);
      left -= room;
      if (room > 0) this.#moveToEnd(endpoint);
      return { webhookId, room };
    });
  }

  /** Takes out what is not to be sent from here any more. */
  surplus(): Held[] {
    return [...this.#byId.values()].flatMap((endpoint) => endpoint.surplus());
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
