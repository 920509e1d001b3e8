import { types } from '@electric-sql/pglite';
import { sql, type Transaction } from 'kysely';
import { type Db, fromKysely, fromPglite, PgBoss } from 'pg-boss';
import type { Clock, Timestamp } from '../domain/time.ts';
import { toEpochMs } from '../domain/time.ts';
import type { Database } from './database.ts';
import type { DeliveryJob } from './delivery-rows.ts';
import type { Schema } from './schema.ts';

/** How many delivery jobs there are. */
export interface QueueDepth {
  /** Due now and not taken. */
  ready: number;
  /** Waiting for a later moment. */
  waiting: number;
  /** Held by a worker. */
  active: number;
}

/** A job, and when it is to be tried again. */
export interface DeliveryRetry {
  job: DeliveryJob;
  at: Timestamp;
}

/** The jobs of the service, in the same database as what they are about. */
export interface Queue {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Puts a delivery job for each message into the queue, within the caller's transaction; due at once, or at `startAfter`. */
  enqueueDeliveries(
    tx: Transaction<Schema>,
    messageIds: readonly string[],
    startAfter?: Timestamp,
  ): Promise<void>;
  /** Takes up to so many due jobs, oldest first. They stay with this process until finished, retried, or its death. */
  fetchDeliveries(limit: number): Promise<DeliveryJob[]>;
  /** Removes jobs, within the caller's transaction. A job that another worker has taken over meanwhile is left alone. */
  finish(tx: Transaction<Schema>, jobs: readonly DeliveryJob[]): Promise<void>;
  /** Gives jobs back, each until its moment, within the caller's transaction. */
  retry(tx: Transaction<Schema>, retries: readonly DeliveryRetry[]): Promise<void>;
  /** Gives jobs back that were not begun, such as at shutdown. When that fails, they come back as those of a dead worker do. */
  release(jobs: readonly DeliveryJob[]): Promise<void>;
  /** Gives jobs back that were not begun, each until its moment. When that fails, they come back as those of a dead worker do. */
  putOff(jobs: readonly DeliveryRetry[]): Promise<void>;
  /**
   * Removes the jobs of the account's messages, whoever holds them, within the caller's transaction. A job that another session is
   * changing at this moment may stay, and finds its message gone.
   */
  cancelAccount(tx: Transaction<Schema>, accountId: string): Promise<void>;
  depth(): Promise<QueueDepth>;
  /** Brings what waits closer by so many seconds: the sandbox clock was moved. */
  advance(seconds: number): Promise<void>;
}

export interface QueueOptions {
  database: Database;
  clock: Clock;
  /** What pg-boss should adapt itself to, such as `yugabytedb`; by default what the database is. */
  backend?: 'postgres' | 'citus' | 'yugabytedb' | 'cockroachdb' | undefined;
  /** Told of faults of the background work, which goes on. */
  onError?: ((error: Error) => void) | undefined;
}

const DELIVER = 'deliver';
const HEARTBEAT_SECONDS = 30;
const TOUCH_INTERVAL_MS = 10_000;
const TOUCH_AGAIN_MS = 1000;
// A dead worker's jobs come back after heartbeat plus supervision, well within a minute.
const SUPERVISE_SECONDS = 15;
const LONGEST_EXPIRY_SECONDS = 86_399;
const TEN_YEARS_SECONDS = 10 * 365 * 86_400;
const NEVER_FAIL = 1_000_000;
const RARELY_SECONDS = 3600;
const BOSS_CONNECTIONS = 2;
// Any number that nobody else takes.
const INDEX_LOCK = 7_360_251;

/** The queue on pg-boss. Nothing is taken or put in before `start`. */
export function createQueue(options: QueueOptions): Queue {
  return new BossQueue(options);
}

class BossQueue implements Queue {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #boss: PgBoss;
  /** What this process holds, so that the database hears of its being alive. */
  readonly #held = new Map<string, DeliveryJob>();
  #heartbeat: NodeJS.Timeout | undefined;
  #isStopped = false;
  readonly #onError: (error: Error) => void;

  constructor({ database, clock, backend, onError }: QueueOptions) {
    this.#database = database;
    this.#clock = clock;
    this.#onError = onError ?? (() => {});
    this.#boss = new PgBoss({
      ...connectionOf(database, backend),
      schedule: false,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
      flowIntervalSeconds: RARELY_SECONDS,
      bamIntervalSeconds: RARELY_SECONDS,
      monitorVacuum: false,
      reindex: database.kind === 'postgres',
    });
    this.#boss.on('error', this.#onError);
  }

  async start(): Promise<void> {
    await this.#boss.start();
    await this.#boss.createQueue(DELIVER, {
      retryLimit: NEVER_FAIL,
      expireInSeconds: LONGEST_EXPIRY_SECONDS,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      retentionSeconds: TEN_YEARS_SECONDS,
    });
    await this.#warmUp();
    await this.#indexDue();
    if (this.#database.kind === 'pglite') await this.#releaseOrphans();
    this.#touchIn(TOUCH_INTERVAL_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#heartbeat);
    await this.#boss.stop({ graceful: false });
  }

  async enqueueDeliveries(
    tx: Transaction<Schema>,
    messageIds: readonly string[],
    startAfter?: Timestamp,
  ): Promise<void> {
    const when = startAfter === undefined ? {} : { startAfter: this.#delayUntil(startAfter) };
    await this.#insert(
      tx,
      messageIds.map((id) => ({ id, ...when })),
    );
  }

  async fetchDeliveries(limit: number): Promise<DeliveryJob[]> {
    // pg-boss's own fetch reads past every job that waits for a later moment, oldest first: a million of them would cost each look
    // a good part of a second. In the order of their moments nothing is read but what is due.
    const { rows: jobs } = await sql<DeliveryJob>`
      with due as materialized (
        select id from pgboss.job
        where name = ${DELIVER} and state < 'active' and not blocked and start_after <= pgboss.job_now()
        order by start_after limit ${limit} for update skip locked
      )
      update pgboss.job as job set state = 'active', started_on = pgboss.job_now(), heartbeat_on = pgboss.job_now(),
        retry_count = case when started_on is null then retry_count else retry_count + 1 end
      from due where job.name = ${DELIVER} and job.id = due.id
      returning job.id, job.retry_count as "retryCount"`.execute(this.#database.db);
    for (const job of jobs) this.#held.set(job.id, job);
    return jobs;
  }

  async finish(tx: Transaction<Schema>, jobs: readonly DeliveryJob[]): Promise<void> {
    if (jobs.length === 0) return;
    await this.#boss.deleteJob(DELIVER, [...jobs], { db: fromKysely(tx) });
    this.#letGo(jobs);
  }

  async retry(tx: Transaction<Schema>, retries: readonly DeliveryRetry[]): Promise<void> {
    await this.finish(
      tx,
      retries.map(({ job }) => job),
    );
    await this.#insert(
      tx,
      retries.map(({ job, at }) => ({ id: job.id, startAfter: this.#delayUntil(at) })),
    );
  }

  async release(jobs: readonly DeliveryJob[]): Promise<void> {
    if (jobs.length === 0) return;
    // First of all: what cannot be given back is taken over, once its heartbeat has ended.
    this.#letGo(jobs);
    await this.#database.db.transaction().execute(async (tx) => {
      await this.finish(tx, jobs);
      await this.enqueueDeliveries(
        tx,
        jobs.map((job) => job.id),
      );
    });
  }

  async putOff(jobs: readonly DeliveryRetry[]): Promise<void> {
    this.#letGo(jobs.map(({ job }) => job));
    await this.#database.db.transaction().execute((tx) => this.retry(tx, jobs));
  }

  async cancelAccount(tx: Transaction<Schema>, accountId: string): Promise<void> {
    await sql`
      with waiting as materialized (
        select job.id from pgboss.job as job join messages on messages.message_id = job.id
        where job.name = ${DELIVER} and messages.account_id = ${accountId} for update of job skip locked
      )
      delete from pgboss.job as job using waiting where job.name = ${DELIVER} and job.id = waiting.id`.execute(
      tx,
    );
  }

  async depth(): Promise<QueueDepth> {
    const { rows } = await sql<QueueDepth>`
      select
        count(*) filter (where state < 'active' and start_after <= pgboss.job_now())::int as ready,
        count(*) filter (where state < 'active' and start_after > pgboss.job_now())::int as waiting,
        count(*) filter (where state = 'active')::int as active
      from pgboss.job where name = ${DELIVER}`.execute(this.#database.db);
    return rows[0] ?? { ready: 0, waiting: 0, active: 0 };
  }

  async advance(seconds: number): Promise<void> {
    await sql`
      update pgboss.job set start_after = start_after - make_interval(secs => ${seconds})
      where name = ${DELIVER} and state < 'active' and start_after > pgboss.job_now()`.execute(
      this.#database.db,
    );
  }

  async #insert(tx: Transaction<Schema>, jobs: { id: string; startAfter?: string }[]): Promise<void> {
    if (jobs.length > 0) await this.#boss.insert(DELIVER, jobs, { db: fromKysely(tx) });
  }

  // The first insert into a queue reads the queue's settings on another connection. Inside a transaction on the embedded
  // database, which has one connection, that would wait for itself; after this the settings are known.
  async #warmUp(): Promise<void> {
    await this.#boss.insert(DELIVER, []);
  }

  /** What `fetchDeliveries` reads. Looked for first: making an index waits for those who write, and several processes may start at once. */
  async #indexDue(): Promise<void> {
    await this.#database.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ found: boolean }>`
        select to_regclass('pgboss.sendspec_due') is not null as found from pg_advisory_xact_lock(${INDEX_LOCK})`.execute(
        tx,
      );
      if (rows[0]?.found === true) return;
      await sql`
        create index if not exists sendspec_due on pgboss.job (name, start_after) where state < 'active' and not blocked`.execute(
        tx,
      );
    });
  }

  // The embedded database belongs to this process alone, so whoever held these jobs is dead.
  async #releaseOrphans(): Promise<void> {
    const release = sql`update pgboss.job set state = 'retry' where name = ${DELIVER} and state = 'active'`;
    await release.execute(this.#database.db);
  }

  // pg-boss reads the database's clock and this service its own, which the sandbox moves: between the two only distances count.
  #delayUntil(when: Timestamp): string {
    return `${Math.max(0, toEpochMs(when) - this.#clock.epochMs()) / 1000} seconds`;
  }

  #letGo(jobs: readonly DeliveryJob[]): void {
    for (const job of jobs) this.#held.delete(job.id);
  }

  #touchIn(milliseconds: number): void {
    if (this.#isStopped) return;
    this.#heartbeat = setTimeout(
      () => void this.#touch().then((pause) => this.#touchIn(pause)),
      milliseconds,
    );
    this.#heartbeat.unref();
  }

  // A database that was away has heard of nobody's being alive: whoever touches late is taken over from.
  async #touch(): Promise<number> {
    try {
      if (this.#held.size > 0) await this.#boss.touch(DELIVER, [...this.#held.values()]);
      return TOUCH_INTERVAL_MS;
    } catch (error) {
      this.#onError(error instanceof Error ? error : new Error(String(error)));
      return TOUCH_AGAIN_MS;
    }
  }
}

function connectionOf(database: Database, backend: QueueOptions['backend']) {
  if (database.kind === 'pglite') return { db: bossDatabase(database), backend: 'pglite' as const };
  return {
    connectionString: database.databaseUrl,
    max: BOSS_CONNECTIONS,
    application_name: 'sendspec queue',
    ...(backend === undefined ? {} : { backend }),
  };
}

// pg-boss expects dates as Date objects, not as the Timestamps that the rest of the service reads.
function bossDatabase({ pglite }: Extract<Database, { kind: 'pglite' }>): Db {
  const parsers = { [types.TIMESTAMPTZ]: (text: string) => new Date(text) };
  return fromPglite({
    query: (text, values) => pglite.query(text, values, { parsers }),
    exec: (text) => pglite.exec(text, { parsers }),
  });
}
