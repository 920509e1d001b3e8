import { type Clock, parseDateTime } from '../domain/time.ts';
import { fieldsOf } from '../fields.ts';
import { type OperationsEndpoints, OperationsError, type OperationsReply } from '../operations/listener.ts';
import type { OperatorStore } from '../store/operator-store.ts';
import type { SystemStore } from '../store/store.ts';
import { queueText, storyText } from './texts.ts';

const DEFAULT_LIMIT = 20;
const MOST_LIMIT = 1000;
const MOST_OFFSET = 100_000_000;
const MOST_IDS = 1000;
const MESSAGES_A_STEP = 500;
const DESTINATIONS = 20;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
// What can stand behind the @ of an address that was accepted.
const DOMAIN = /^[^\s@\p{Cc}]{1,255}$/u;

/** What an operator wants done to messages that wait. */
type Wish = 'retry' | 'cancel';

/** What the operator's endpoints work on. */
export interface OperatorParts {
  store: Pick<SystemStore, 'operator' | 'notifications'>;
  clock: Clock;
}

/** The endpoints on the operations listener behind `sendspec queue`, `message`, `retry` and `cancel`, which answer in words, and `webhooks tail`. */
export function createOperatorRoutes(partsOf: () => OperatorParts | undefined): OperationsEndpoints {
  const parts = () => {
    const present = partsOf();
    if (present === undefined) throw new OperationsError(503, 'The service is starting.');
    return present;
  };
  const started = () => parts().store.operator;
  return {
    'GET /queue': async ({ query }) => text(await queue(started(), query)),
    'GET /queue/message': async ({ query }) => text(await story(started(), query.get('id') ?? '')),
    'POST /queue/retry': async ({ json }) => text(await change(started(), 'retry', await json())),
    'POST /queue/cancel': async ({ json }) => text(await change(started(), 'cancel', await json())),
    'GET /webhooks/attempts': async ({ query }) => await attempts(parts(), query),
  };
}

function text(body: string): OperationsReply {
  return { status: 200, body, contentType: 'text/plain; charset=utf-8' };
}

async function queue(store: OperatorStore, query: URLSearchParams): Promise<string> {
  const domain = query.get('domain') ?? undefined;
  const filter = { domain: domain === undefined ? undefined : domainOf(domain) };
  const limit = numberOf(query, 'limit', { from: 1, to: MOST_LIMIT, fallback: DEFAULT_LIMIT });
  const offset = numberOf(query, 'offset', { from: 0, to: MOST_OFFSET, fallback: 0 });
  const overview = await store.overview(filter);
  const destinations = await store.destinations(filter, DESTINATIONS);
  const messages = await store.waiting(filter, { limit, offset });
  return queueText({ overview, destinations, messages, offset });
}

async function story(store: OperatorStore, id: string): Promise<string> {
  const found = await store.story(idOf(id));
  if (found === undefined) throw new OperationsError(409, `There is no message ${id}, or not any more.`);
  return storyText(found);
}

/**
 * Attempts at notifications behind a cursor, in the order of their being recorded; without one, the cursor at which what is recorded
 * from now on begins.
 */
async function attempts({ store, clock }: OperatorParts, query: URLSearchParams): Promise<OperationsReply> {
  const accountId = query.get('account_id');
  const account = accountId === null ? undefined : idOf(accountId, 'an account');
  const recordedAt = query.get('recorded_at');
  if (recordedAt === null) {
    const isKnown = account === undefined || (await store.operator.organisationOf(account)) !== undefined;
    if (!isKnown) throw new OperationsError(409, `There is no account ${account}.`);
    return { status: 200, body: { now: clock.now(), attempts: [] } };
  }
  const moment = parseDateTime(recordedAt);
  if (moment === undefined) throw new OperationsError(422, 'recorded_at is an RFC 3339 timestamp.');
  const sequence = numberOf(query, 'sequence', { from: 0, to: Number.MAX_SAFE_INTEGER, fallback: 0 });
  const cursor = { recorded_at: moment, sequence };
  const found = await store.notifications.attemptsSince(cursor, MOST_LIMIT, account);
  return { status: 200, body: { now: clock.now(), attempts: found } };
}

async function change(store: OperatorStore, wish: Wish, body: unknown): Promise<string> {
  const { ids, domain } = fieldsOf(body);
  if (typeof domain === 'string' && ids === undefined)
    return await changeDomain(store, wish, domainOf(domain));
  if (Array.isArray(ids) && ids.length > 0 && domain === undefined) {
    if (ids.length > MOST_IDS) throw new OperationsError(422, `At most ${MOST_IDS} messages at a time.`);
    return await changeMessages(store, wish, [...new Set(ids.map((id) => idOf(id)))]);
  }
  throw new OperationsError(422, 'Send {"ids": ["..."]} or {"domain": "example.com"}.');
}

/** Nothing is done when one of the ids is wrong: half of what was meant helps nobody. */
async function changeMessages(store: OperatorStore, wish: Wish, ids: string[]): Promise<string> {
  const states = await store.states(ids);
  const unknown = ids.filter((_id, index) => states[index] === 'unknown');
  if (unknown.length > 0) {
    throw new OperationsError(
      409,
      `There is no message ${unknown.join(', ')}, or not any more. Nothing was done.`,
    );
  }
  const done = new Set(await apply(store, wish, ids));
  const after = await store.states(ids);
  return ids
    .map((id, index) => `${id}: ${done.has(id) ? DONE[wish] : NOT_DONE[after[index] ?? 'final']}\n`)
    .join('');
}

async function changeDomain(store: OperatorStore, wish: Wish, domain: string): Promise<string> {
  let cursor = FIRST_ID;
  let done = 0;
  for (;;) {
    const ids = await store.waitingFor(domain, cursor, MESSAGES_A_STEP);
    done += (await apply(store, wish, ids)).length;
    const last = ids.at(-1);
    if (last === undefined || ids.length < MESSAGES_A_STEP) break;
    cursor = last;
  }
  if (done === 0) throw new OperationsError(409, `Nothing waits for ${domain}.`);
  return `${done} messages for ${domain}: ${DONE[wish]}\n`;
}

async function apply(store: OperatorStore, wish: Wish, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  return wish === 'retry' ? await store.retryNow(ids) : await store.cancel(ids);
}

const DONE = { retry: 'the next attempt is due now.', cancel: 'cancelled, with a soft bounce.' };
const NOT_DONE = {
  unknown: 'not done: the message is gone.',
  waiting: 'not done: it was in delivery; ask again.',
  active: 'not done: it is in delivery at this moment.',
  final: 'not done: nothing waits, its delivery has ended.',
};

function idOf(id: unknown, what = 'a message'): string {
  if (typeof id === 'string' && UUID.test(id)) return id.toLowerCase();
  const shown = typeof id === 'string' ? JSON.stringify(id.slice(0, 60)) : 'that';
  throw new OperationsError(422, `The id of ${what} is a UUID, not ${shown}.`);
}

function domainOf(domain: string): string {
  if (DOMAIN.test(domain) && domain.isWellFormed()) return domain.toLowerCase();
  throw new OperationsError(422, 'A domain is what stands behind the @ of an address, such as example.com.');
}

function numberOf(
  query: URLSearchParams,
  name: string,
  { from, to, fallback }: { from: number; to: number; fallback: number },
): number {
  const value = query.get(name);
  if (value === null) return fallback;
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= from && number <= to) return number;
  throw new OperationsError(422, `--${name} is a whole number from ${from} to ${to}.`);
}
