import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createApp } from './app.ts';
import type { Config, Role } from './config.ts';
import type { Contract } from './contract/contract.ts';
import type { Core } from './core.ts';
import type { MailIdentity, Transport } from './delivery/mail.ts';
import { sendPasswordResetMail } from './delivery/password-reset.ts';
import { createSigner } from './delivery/signer.ts';
import { type DeliveryRoute, openTransport } from './delivery/transport.ts';
import { createWorker, type DeliveryWorker } from './delivery/worker.ts';
import { watchRotations } from './dns/dkim-rotation.ts';
import type { DnsResolver } from './dns/resolver.ts';
import { createHandlers } from './handlers/index.ts';
import { createAuthenticate } from './http/authentication.ts';
import { createRateLimiter } from './http/rate-limit.ts';
import { startForwarder } from './inbound/forwarder.ts';
import { createInbound } from './inbound/inbound.ts';
import type { MailListener } from './mail-listener.ts';
import type { Memory } from './memory.ts';
import { createSink } from './sandbox/sink.ts';
import { createSharedCounter } from './store/rate-counter.ts';
import type { SystemStore } from './store/store.ts';
import { createSimulatedReader, createWeb, type WebListener, webUrlOf } from './web-parts.ts';
import { startNotifying } from './webhooks/start.ts';
import { withWake } from './webhooks/wake.ts';

/** What the process answers and does, by its role. */
export function dutiesOf(role: Role): { answers: boolean; delivers: boolean } {
  return { answers: role !== 'worker', delivers: role !== 'api' };
}

/** What answers requests. */
interface Answering {
  /** The API. */
  app: RequestListener;
  /** What stands behind the web listener. */
  web: RequestListener;
  stop(graceMs: number): Promise<void>;
}

/** What delivers, already running. */
interface Delivering {
  worker: DeliveryWorker;
  stop(graceMs: number): Promise<void>;
}

/** What works once the service runs. */
export interface Work {
  /** Undefined in a process that only delivers. */
  answering: Answering | undefined;
  /** Undefined in a process that only answers. */
  delivering: Delivering | undefined;
  /** Finishes what is under way within the bound, once nothing comes in any more. */
  stop(graceMs: number): Promise<void>;
}

/** The listeners that the work belongs behind; those of other processes are where the settings say. */
export interface WorkParts {
  contract: Contract;
  resolver: DnsResolver;
  /** Undefined in a process that only answers. */
  mailListener: MailListener | undefined;
  webListener: WebListener;
}

/** What both halves are handed. */
interface Shared extends WorkParts {
  transport: Transport;
  identity: MailIdentity;
}

const RETURN_PATH_KEY = 'mail.return_path_key';
const KEY_BYTES = 32;

/**
 * The API and the web listener's answers; and, already running, the worker that delivers what is accepted, what takes the mail that comes back,
 * and what notifies the webhooks.
 */
export async function startWork(core: Core, memory: Memory, parts: WorkParts): Promise<Work> {
  const { config } = core;
  const { mailHostname } = config;
  const sinkPort = parts.mailListener?.port ?? config.smtpPort;
  const transport = openTransport({
    route: routeOf(config, parts.resolver, sinkPort),
    mailHostname,
    concurrency: config.workerConcurrency,
  });
  const key = await secretOf(memory.store, RETURN_PATH_KEY);
  const identity = { key, webUrl: webUrlOf(config, parts.webListener), mailHostname };
  const shared = { ...parts, transport, identity };
  const { answers, delivers } = dutiesOf(config.role);
  const notifying = delivers
    ? await startNotifying(core, { ...parts, store: memory.store.notifications })
    : undefined;
  const waking = { ...memory, store: withWake(memory.store, () => notifying?.wake()) };
  const delivering = delivers ? startDelivering(core, waking, shared) : undefined;
  const answering = answers ? startAnswering(core, waking, shared, delivering?.worker) : undefined;
  return {
    answering,
    delivering,
    async stop(graceMs) {
      await Promise.all([delivering?.stop(graceMs) ?? transport.close(graceMs), notifying?.stop(graceMs)]);
      await answering?.stop(graceMs);
    },
  };
}

function startDelivering(core: Core, { store, queue }: Memory, shared: Shared): Delivering {
  const { config, logger, metrics, clock } = core;
  const { transport, identity, mailListener } = shared;
  const { key, mailHostname } = identity;
  const isSandbox = config.delivery.mode === 'sandbox';
  const fault = (what: string, error: unknown) => logger.error({ err: error }, what);
  const reader = isSandbox
    ? createSimulatedReader(core, store, identity, shared.webListener, transport)
    : undefined;
  const worker = createWorker({
    queue,
    store: store.delivery,
    transport,
    clock,
    identity,
    sign: createSigner((id) => store.delivery.signingKey(id)),
    observer: {
      deliveryFinished(verdict, message) {
        metrics.deliveryFinished(verdict);
        if (verdict === 'delivery') reader?.delivered(message);
      },
      fault,
    },
    concurrency: config.workerConcurrency,
  });
  const forwarder = startForwarder({
    store: store.reports,
    transport,
    clock,
    mailHostname,
    fault,
    gaveUp: (domain, response) => logger.warn({ domain, response }, 'a mail could not be forwarded'),
  });
  const inbound = createInbound({
    store: store.delivery,
    reports: store.reports,
    clock,
    key,
    mailHostname,
    mailbox: config.postmaster,
    isSandbox,
    mailRead: (outcome) => metrics.mailReceived(outcome),
    forwardQueued: () => forwarder.wake(),
  });
  mailListener?.serve([inbound, ...(isSandbox ? [createSink(store.sandbox)] : [])]);
  const rotations = watchRotations({ store: store.dkim, resolver: shared.resolver, clock, fault });
  worker.start();
  return {
    worker,
    async stop(graceMs) {
      await Promise.all([worker.stop(graceMs), forwarder.stop(), rotations.stop(), reader?.stop()]);
    },
  };
}

function startAnswering(
  core: Core,
  { database, store }: Memory,
  { contract, resolver, transport, identity }: Shared,
  worker: DeliveryWorker | undefined,
): Answering {
  const { config, logger, metrics, clock } = core;
  const { mailHostname } = identity;
  const web = createWeb(core, store, identity);
  const failed = (reason: string) => logger.error({ reason }, 'the mail of a password reset did not leave');
  const handlers = createHandlers({
    authentication: store.authentication,
    clock,
    resolver,
    deliveryMode: config.delivery.mode,
    webhookAllowPrivate: config.webhookAllowPrivate,
    dkimRotations: { store: store.dkim, resolver, clock },
    validateMessage: (item) => contract.validateMessage(item),
    // The workers of other processes look into the queue several times a second.
    mailQueued: () => worker?.wake(),
    sendPasswordReset: (reset) => {
      void sendPasswordResetMail(reset, { transport, mailHostname, failed });
    },
  });
  const app = createApp({
    contract,
    handlers,
    authenticate: createAuthenticate(store),
    rateLimiter: createRateLimiter(
      config.rateLimitPerMinute,
      createSharedCounter(database, config.rateLimitPerMinute),
    ),
    logger,
    metrics,
    corsOrigins: config.corsOrigins,
    trustProxy: config.tls.kind === 'proxy',
  });
  return { app, web: web.app, stop: (graceMs) => web.recorder.stop(graceMs) };
}

function routeOf({ delivery }: Config, resolver: DnsResolver, sinkPort: number): DeliveryRoute {
  switch (delivery.mode) {
    case 'sandbox':
      return { mode: 'sandbox', sinkPort };
    case 'relay':
      return { mode: 'relay', url: delivery.url };
    case 'mx':
      return { ...delivery, resolver };
  }
}

/** A secret of this installation: made once, the same after every restart and in every process. */
async function secretOf({ settings }: Pick<SystemStore, 'settings'>, name: string): Promise<string> {
  const secret = await settings.setOnce(name, randomBytes(KEY_BYTES).toString('base64url'));
  if (typeof secret !== 'string') throw new TypeError(`The setting ${name} in the database is not a secret.`);
  return secret;
}
