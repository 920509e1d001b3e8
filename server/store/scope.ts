import { type Kysely, sql, type Transaction } from 'kysely';
import type { MessageEvent } from '../domain/events.ts';
import type { Clock } from '../domain/time.ts';
import type { OrganisationId } from './column-types.ts';
import { type RecordedEvents, type RecordedMessage, recordEvents } from './events.ts';
import type { Queue } from './queue.ts';
import type { Schema } from './schema.ts';

/** Stands for the organisation of the scope in a query; every query has it as its first parameter. */
export const own: unique symbol = Symbol('own');

/** What the store works on. */
export interface StoreParts {
  db: Kysely<Schema>;
  queue: Queue;
  clock: Clock;
  /** The service's own mail name, below which its DNS records live. */
  mailHostname: string;
}

/**
 * The database as one organisation may use it. The connection itself stays in here: a query is a template whose first
 * parameter is `own`, so that a query which forgets its organisation does not compile.
 */
export class Scope {
  readonly organisationId: OrganisationId;
  readonly clock: Clock;
  readonly mailHostname: string;
  readonly #parts: StoreParts;

  constructor(parts: StoreParts, organisationId: OrganisationId) {
    this.#parts = parts;
    this.organisationId = organisationId;
    this.clock = parts.clock;
    this.mailHostname = parts.mailHostname;
  }

  /** Runs a query; its first parameter has to be `own`. Returns the rows. */
  async rows<Row>(text: TemplateStringsArray, _own: typeof own, ...parameters: unknown[]): Promise<Row[]> {
    const { rows } = await sql<Row>(text, this.organisationId, ...parameters).execute(this.#parts.db);
    return rows;
  }

  /** Runs `work` in one transaction: all of it happens, or nothing. Await nothing but the database in there. */
  transaction<Result>(work: (scope: TransactionScope) => Promise<Result>): Promise<Result> {
    return this.#parts.db
      .transaction()
      .execute((tx) => work(new TransactionScope(this.#parts, this.organisationId, tx)));
  }
}

/** A scope within a transaction, where what has to happen together can be done. */
export class TransactionScope extends Scope {
  readonly #tx: Transaction<Schema>;
  readonly #queue: Queue;

  constructor(parts: StoreParts, organisationId: OrganisationId, tx: Transaction<Schema>) {
    super({ ...parts, db: tx }, organisationId);
    this.#tx = tx;
    this.#queue = parts.queue;
  }

  enqueueDeliveries(messageIds: readonly string[]): Promise<void> {
    return this.#queue.enqueueDeliveries(this.#tx, messageIds);
  }

  cancelDeliveries(accountId: string): Promise<void> {
    return this.#queue.cancelAccount(this.#tx, accountId);
  }

  recordEvents(
    events: readonly MessageEvent[],
    inserted?: readonly RecordedMessage[],
  ): Promise<RecordedEvents> {
    return recordEvents(this.#tx, events, inserted);
  }
}
