import { sql, type Transaction } from 'kysely';
import { hourOf, type Timestamp } from '../domain/time.ts';
import type { OrganisationId } from './column-types.ts';
import type { Schema, StatisticsCounters } from './schema.ts';

/** The names of the statistics counters, in the order of the contract. */
export const COUNTERS = [
  'messages',
  'delivery',
  'hard_bounce',
  'soft_bounce',
  'spam_complaint',
  'unsubscribe',
  'open',
  'track_opens',
  'click',
  'track_clicks',
  'unique_opens',
  'unique_clicks',
] as const satisfies readonly (keyof StatisticsCounters)[];

export type Counter = (typeof COUNTERS)[number];

/** Whose counter a change belongs to. */
export interface CounterOwner {
  organisation_id: OrganisationId;
  account_id: string;
  domain_id: string;
}

/** What of a message is counted with the hour that it was accepted in. */
export interface CountedMessage extends CounterOwner {
  created_at: Timestamp;
  event_mask: number;
  track_opens: boolean;
  track_clicks: boolean;
}

type StatsChange = CounterOwner & { bucket: Timestamp } & Record<Counter, number>;
type CountChange = CounterOwner & { bucket: Timestamp; event_mask: number; messages: number };

/**
 * Collects what one transaction changes about the counters, so that each row is written once however many messages
 * the transaction is about.
 */
export class CounterChanges {
  readonly #stats = new Map<string, StatsChange>();
  readonly #counts = new Map<string, CountChange>();

  /** Adds one to a statistics counter, in the hour of `moment`. */
  count(owner: CounterOwner, moment: Timestamp, counter: Counter): void {
    this.#add(owner, moment, counter, 1);
  }

  #add(owner: CounterOwner, moment: Timestamp, counter: Counter, by: 1 | -1): void {
    const bucket = hourOf(moment);
    const key = keyOf(owner, bucket);
    let change = this.#stats.get(key);
    if (change === undefined) {
      change = { ...ownerOf(owner), bucket, ...NO_COUNTS };
      this.#stats.set(key, change);
    }
    change[counter] += by;
  }

  /** Moves a message from the count of one event mask to that of another; `before` is undefined for a new message. */
  move(owner: CounterOwner, createdAt: Timestamp, before: number | undefined, after: number): void {
    if (before === after) return;
    if (before !== undefined) this.#addMessages(owner, createdAt, before, -1);
    this.#addMessages(owner, createdAt, after, 1);
  }

  /** Takes a message out of the hour that it was accepted in: it leaves the log. */
  forget(message: CountedMessage): void {
    const { created_at: createdAt } = message;
    this.#add(message, createdAt, 'messages', -1);
    if (message.track_opens) this.#add(message, createdAt, 'track_opens', -1);
    if (message.track_clicks) this.#add(message, createdAt, 'track_clicks', -1);
    this.#addMessages(message, createdAt, message.event_mask, -1);
  }

  /**
   * Writes the changes. The last step of a transaction, in the order of the keys: many transactions change the same few
   * rows, so each waits as briefly as can be, and never in a circle.
   */
  async write(tx: Transaction<Schema>): Promise<void> {
    await writeStats(tx, inOrder(this.#stats));
    const counts = inOrder(this.#counts).filter((change) => change.messages !== 0);
    await writeCounts(tx, counts);
  }

  #addMessages(owner: CounterOwner, createdAt: Timestamp, mask: number, messages: number): void {
    const bucket = hourOf(createdAt);
    const key = `${keyOf(owner, bucket)} ${mask}`;
    const change = this.#counts.get(key);
    if (change === undefined) {
      this.#counts.set(key, { ...ownerOf(owner), bucket, event_mask: mask, messages });
    } else {
      change.messages += messages;
    }
  }
}

/** All counters at zero. */
export const NO_COUNTS: Readonly<StatisticsCounters> = {
  messages: 0,
  delivery: 0,
  hard_bounce: 0,
  soft_bounce: 0,
  spam_complaint: 0,
  unsubscribe: 0,
  open: 0,
  track_opens: 0,
  click: 0,
  track_clicks: 0,
  unique_opens: 0,
  unique_clicks: 0,
};

function ownerOf({ organisation_id, account_id, domain_id }: CounterOwner): CounterOwner {
  return { organisation_id, account_id, domain_id };
}

function keyOf(owner: CounterOwner, bucket: Timestamp): string {
  return `${owner.organisation_id} ${bucket} ${owner.account_id} ${owner.domain_id}`;
}

function inOrder<Change>(changes: Map<string, Change>): Change[] {
  return [...changes].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, change]) => change);
}

const COUNTER_LIST = sql.join(COUNTERS.map((counter) => sql.ref(counter)));
const COUNTER_COLUMNS = sql.join(COUNTERS.map((counter) => sql`${sql.ref(counter)} integer`));
const COUNTER_SUMS = sql.join(
  COUNTERS.map((name) => sql`${sql.ref(name)} = s.${sql.ref(name)} + excluded.${sql.ref(name)}`),
);

async function writeStats(tx: Transaction<Schema>, changes: readonly StatsChange[]): Promise<void> {
  if (changes.length === 0) return;
  await sql`
    insert into stats_hourly as s (organisation_id, account_id, domain_id, bucket, ${COUNTER_LIST})
    select organisation_id, account_id, domain_id, bucket, ${COUNTER_LIST}
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as change (
      organisation_id uuid, account_id uuid, domain_id uuid, bucket timestamptz, ${COUNTER_COLUMNS}
    )
    on conflict (organisation_id, bucket, account_id, domain_id) do update set ${COUNTER_SUMS}`.execute(tx);
}

async function writeCounts(tx: Transaction<Schema>, changes: readonly CountChange[]): Promise<void> {
  if (changes.length === 0) return;
  await sql`
    insert into message_counts as c (organisation_id, account_id, domain_id, bucket, event_mask, messages)
    select organisation_id, account_id, domain_id, bucket, event_mask, messages
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as change (
      organisation_id uuid, account_id uuid, domain_id uuid, bucket timestamptz, event_mask smallint, messages integer
    )
    on conflict (organisation_id, bucket, account_id, domain_id, event_mask)
    do update set messages = c.messages + excluded.messages`.execute(tx);
}
