import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createApp } from './app.ts';
import type { Closing } from './closing.ts';
import type { Config } from './config.ts';
import type { Contract } from './contract/contract.ts';
import { sendPasswordResetMail } from './delivery/password-reset.ts';
import { type DeliveryRoute, openTransport } from './delivery/transport.ts';
import { createWorker, type DeliveryWorker } from './delivery/worker.ts';
import type { DnsResolver } from './dns/resolver.ts';
import type { SystemClock } from './domain/time.ts';
import { StartupError } from './errors.ts';
import { createHandlers } from './handlers/index.ts';
import { createAuthenticate } from './http/authentication.ts';
import { createRateLimiter } from './http/rate-limit.ts';
import { startForwarder } from './inbound/forwarder.ts';
import { createInbound } from './inbound/inbound.ts';
import type { MailListener } from './mail-listener.ts';
import type { Logger } from './operations/logger.ts';
import type { MetricsRegistry } from './operations/metrics.ts';
import { restoreClock } from './sandbox/clock.ts';
import { createSink } from './sandbox/sink.ts';
import { type Database, openDatabase } from './store/database.ts';
import { migrate } from './store/migrate.ts';
import { openStore } from './store/open-store.ts';
import { createQueue, type Queue } from './store/queue.ts';
import type { SystemStore } from './store/store.ts';
import { createWeb, type WebListener, webUrlOf } from './web-parts.ts';

/** What every part is handed. */
export interface Core {
  config: Config;
  logger: Logger;
  metrics: MetricsRegistry;
  clock: SystemClock;
  closing: Closing;
}

/** The parts that remember. */
export interface Memory {
  store: SystemStore;
  queue: Queue;
}

const RETURN_PATH_KEY = 'mail.return_path_key';
const KEY_BYTES = 32;

/** Opens the database, brings it up to date, starts the queue in it and puts the clock where it was. */
export async function openMemory({ config, logger, clock, closing }: Core): Promise<Memory> {
  const onError = (error: Error) => logger.error({ err: error }, 'a connection to the database failed');
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.databaseUrl === undefined ? config.dataDir : undefined,
    poolSize: config.poolSize,
    onConnectionError: onError,
  });
  closing.add(() => database.close());
  await bringUpToDate(database);
  const queue = createQueue({
    database,
    clock,
    backend: config.databaseUrl === undefined ? undefined : config.databaseBackend,
    onError: (error) => logger.error({ err: error }, 'background work of the queue failed; it goes on'),
  });
  closing.add(() => queue.stop());
  await queue.start();
  const store = openStore({ database, queue, clock, mailHostname: config.mailHostname });
  if (config.delivery.mode === 'sandbox') await restoreClock(clock, store);
  return { store, queue };
}

/** Kysely's words for a migration that has run and that this version does not know. */
const UNKNOWN_MIGRATION = /previously executed migration (\S+) is missing/;

async function bringUpToDate(database: Database): Promise<void> {
  try {
    await migrate(database);
  } catch (error) {
    const [, name] = UNKNOWN_MIGRATION.exec(error instanceof Error ? error.message : '') ?? [];
    if (name === undefined) throw error;
    throw new StartupError(
      `The database was written by a newer version of sendspec (it has ${name}).`,
      'Start that version or a later one; nothing was changed.',
      { cause: error },
    );
  }
}

/** What works once the service runs. */
export interface Work {
  /** The API. */
  app: RequestListener;
  /** What stands behind the web listener. */
  web: RequestListener;
  worker: DeliveryWorker;
  /** Finishes what is under way within the bound, once nothing comes in any more. */
  stop(graceMs: number): Promise<void>;
}

/** The API and the web listener's answers; and, already running, the worker that delivers what is accepted, and what takes the mail that comes back. */
export async function startWork(
  core: Core,
  { store, queue }: Memory,
  parts: { contract: Contract; resolver: DnsResolver; mailListener: MailListener; webListener: WebListener },
): Promise<Work> {
  const { config, logger, metrics, clock } = core;
  const { contract, resolver } = parts;
  const { mailHostname } = config;
  const fault = (what: string, error: unknown) => logger.error({ err: error }, what);
  const transport = openTransport({
    route: routeOf(config, resolver, parts.mailListener.port),
    mailHostname,
  });
  const key = await secretOf(store, RETURN_PATH_KEY);
  const identity = { key, webUrl: webUrlOf(config, parts.webListener), mailHostname };
  const web = createWeb(core, store, identity, parts.webListener, transport);
  const worker = createWorker({
    queue,
    store: store.delivery,
    transport,
    clock,
    identity,
    observer: {
      deliveryFinished(verdict, message) {
        metrics.deliveryFinished(verdict);
        if (verdict === 'delivery') web.reader?.delivered(message);
      },
      fault,
    },
    concurrency: config.workerConcurrency,
  });
  const forwarder = startForwarder({ store: store.reports, transport, clock, mailHostname, fault });
  const inbound = createInbound({
    store: store.delivery,
    reports: store.reports,
    clock,
    key,
    mailHostname,
    mailRead: (outcome) => metrics.mailReceived(outcome),
    forwardQueued: () => forwarder.wake(),
  });
  const isSandbox = config.delivery.mode === 'sandbox';
  const failed = (reason: string) => logger.error({ reason }, 'the mail of a password reset did not leave');
  const handlers = createHandlers({
    authentication: store.authentication,
    clock,
    resolver,
    deliveryMode: config.delivery.mode,
    validateMessage: (item) => contract.validateMessage(item),
    mailQueued: () => worker.wake(),
    sendPasswordReset: (reset) => {
      void sendPasswordResetMail(reset, { transport, mailHostname, failed });
    },
  });
  const app = createApp({
    contract,
    handlers,
    authenticate: createAuthenticate(store),
    rateLimiter: createRateLimiter(config.rateLimitPerMinute),
    logger,
    metrics,
    corsOrigins: config.corsOrigins,
    trustProxy: config.tls.kind === 'proxy',
  });
  parts.mailListener.serve([inbound, ...(isSandbox ? [createSink(store.sandbox)] : [])]);
  worker.start();
  return {
    app,
    web: web.app,
    worker,
    async stop(graceMs) {
      await Promise.all([worker.stop(graceMs), forwarder.stop(), web.reader?.stop()]);
      await web.recorder.stop(graceMs);
    },
  };
}

function routeOf({ delivery }: Config, resolver: DnsResolver, sinkPort: number): DeliveryRoute {
  switch (delivery.mode) {
    case 'sandbox':
      return { mode: 'sandbox', sinkPort };
    case 'relay':
      return { mode: 'relay', url: delivery.url };
    case 'mx':
      return { mode: 'mx', resolver };
  }
}

/** A secret of this installation: made once, the same after every restart and in every process. */
async function secretOf({ settings }: Pick<SystemStore, 'settings'>, name: string): Promise<string> {
  const secret = await settings.setOnce(name, randomBytes(KEY_BYTES).toString('base64url'));
  if (typeof secret !== 'string') throw new TypeError(`The setting ${name} in the database is not a secret.`);
  return secret;
}
