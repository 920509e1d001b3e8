import type { RequestListener } from 'node:http';
import { type Closing, createClosing } from './closing.ts';
import type { Config } from './config.ts';
import { type Contract, loadContract } from './contract/contract.ts';
import type { Core } from './core.ts';
import { createDkimRoute } from './dns/dkim-route.ts';
import { openDns } from './dns/open.ts';
import { type DnsResolver, openResolver } from './dns/resolver.ts';
import { zoneFactsOf } from './dns/zone-facts.ts';
import { createZoneRoute } from './dns/zone-route.ts';
import { SystemClock } from './domain/time.ts';
import { lockFolder } from './folder-lock.ts';
import {
  openApi,
  openOperations,
  openTls,
  openWeb,
  type PublicListener,
  type SharedTls,
} from './listeners.ts';
import { type MailListener, openMailListener } from './mail-listener.ts';
import { startMaintenance } from './maintenance.ts';
import { type Memory, openMemory } from './memory.ts';
import { createHealth, type Health } from './operations/health.ts';
import { createOperationsListener } from './operations/listener.ts';
import type { Logger } from './operations/logger.ts';
import { createMetrics } from './operations/metrics.ts';
import { createOperatorRoutes } from './operator/routes.ts';
import { createSandboxClock } from './sandbox/clock.ts';
import { prepareDemo } from './sandbox/demo.ts';
import { createSandboxRoutes, type SandboxParts } from './sandbox/routes.ts';
import { type Addresses, describeTarget, type TargetTenant, writeTarget } from './sandbox/target.ts';
import { createSandboxWebhook } from './sandbox/webhook.ts';
import { webUrlOf } from './web-parts.ts';
import { dutiesOf, startWork } from './work.ts';

/** The running service. */
export interface Service {
  config: Config;
  addresses: Addresses;
  /** The port for mail; in sandbox mode of the built-in sink, too. */
  smtpPort: number;
  /** Undefined: the zone is not served. */
  dnsPort: number | undefined;
  /** What the links in mails begin with. */
  webUrl: string;
  caFile: string | undefined;
  /** The demo organisations, in sandbox mode. */
  tenants: readonly TargetTenant[];
  /** Finishes what is under way, within bounds, and closes everything. */
  stop(): Promise<void>;
}

const REQUESTS_GRACE_MS = 10_000;
const DELIVERIES_GRACE_MS = 10_000;
// What the target file says of the addresses that play an outcome (sandbox/simulator.ts).
const SIMULATOR = {
  delivery: 'delivery@simulator.test',
  hard_bounce: 'hard_bounce@simulator.test',
  soft_bounce: 'soft_bounce@simulator.test',
  spam_complaint: 'spam_complaint@simulator.test',
  unsubscribe: 'unsubscribe@simulator.test',
  open: 'open@simulator.test',
  click: 'click@simulator.test',
};

/**
 * Starts every part of the service. When one cannot start, the others are closed again.
 * @throws StartupError that tells the operator what to do.
 */
export async function startService(config: Config, logger: Logger): Promise<Service> {
  const closing = createClosing();
  const core = { config, logger, metrics: createMetrics(), clock: new SystemClock(), closing };
  try {
    return await start(core);
  } catch (error) {
    await closing
      .closeAll()
      .catch((fault: unknown) => logger.debug({ err: fault }, 'closing after a failed start'));
    throw error;
  }
}

async function start(core: Core): Promise<Service> {
  const { config, logger, closing } = core;
  const { answers, delivers } = dutiesOf(config.role);
  const resolver = openResolver({ servers: config.dnsServers });
  const opened: Opened = {};
  const health = healthOf(opened);
  // What can fail because of the surroundings comes first: it takes no time, and leaves no half-made database behind.
  claimOnce(config);
  const { tls, front, ...ports } = await openListeners(
    core,
    operationsOf(core, opened, health, resolver),
    opened,
  );
  const [memory, contract] = await allOrFirstFault([openMemory(core), readContract()]);
  fill(opened, core, memory);
  const tenants = isSandbox(config) && answers ? await prepareDemo(memory.store, config.dataDir) : [];
  const { mailListener, dnsPort } = ports;
  const webListener = { port: front?.web.port ?? config.webPort, tls: tls.material };
  const work = await startWork(core, memory, { contract, resolver, mailListener, webListener });
  closing.add(() => work.stop(DELIVERIES_GRACE_MS));
  if (delivers) clearAway(core, memory);

  const apiPort = front?.api.port ?? config.apiPort;
  const addresses = { tls: config.tls, host: config.host, apiPort, opsPort: ports.opsPort };
  if (isSandbox(config) && answers) await tellTarget(config, addresses, tenants);
  if (front !== undefined && work.answering !== undefined) {
    front.api.serve(work.answering.app);
    front.web.serve(work.answering.web);
  }
  health.enter('ready');
  const warming = contract
    .warm()
    .catch((error: unknown) => logger.error({ err: error }, 'the contract is damaged'));
  return {
    config,
    addresses,
    smtpPort: mailListener?.port ?? config.smtpPort,
    dnsPort,
    webUrl: webUrlOf(config, webListener),
    caFile: tls.material?.caFile,
    tenants,
    async stop() {
      health.enter('stopping');
      await Promise.all([front?.api.close(REQUESTS_GRACE_MS), front?.web.close(REQUESTS_GRACE_MS), warming]);
      await closing.closeAll();
    },
  };
}

/** What is there only once the database is open. The listeners are open before it, and look here. */
interface Opened {
  memory?: Memory;
  sandbox?: SandboxParts;
}

function fill(opened: Opened, { config, clock, metrics }: Core, memory: Memory): void {
  const { store, queue } = memory;
  metrics.watchQueue(async () => ({ ...(await queue.depth()) }));
  metrics.watchNotifications(async () => ({ ...(await store.notifications.depth()) }));
  opened.memory = memory;
  opened.sandbox = {
    inbox: store.sandbox,
    clock: createSandboxClock({ clock, store, queue }),
    setWebhook: createSandboxWebhook({ store, allowPrivate: config.webhookAllowPrivate }),
  };
}

function isSandbox({ delivery }: Config): boolean {
  return delivery.mode === 'sandbox';
}

function healthOf(opened: Opened): Health {
  return createHealth({
    database: async () => {
      await opened.memory?.store.ping();
      return undefined;
    },
  });
}

/** Health, metrics and what operators ask for; what needs the database says so while that is being opened. */
function operationsOf(core: Core, opened: Opened, health: Health, resolver: DnsResolver): RequestListener {
  const { config, logger, metrics, clock } = core;
  const deliveryMode = config.delivery.mode;
  const extra = {
    ...createDkimRoute(() => opened.memory && { store: opened.memory.store, resolver, clock, deliveryMode }),
    ...createOperatorRoutes(() => opened.memory && { store: opened.memory.store, clock }),
    ...createZoneRoute(zoneFactsOf(config), () => opened.memory?.store.zone),
    ...(isSandbox(config) ? createSandboxRoutes(() => opened.sandbox) : {}),
  };
  return createOperationsListener({ health, metrics, logger, extra });
}

/** Every listener of this process; what is undefined is another role's, or not asked for. */
interface Listeners {
  tls: SharedTls;
  front: Front | undefined;
  mailListener: MailListener | undefined;
  opsPort: number;
  dnsPort: number | undefined;
}

async function openListeners(core: Core, operations: RequestListener, opened: Opened): Promise<Listeners> {
  const { config, logger, closing } = core;
  const { answers, delivers } = dutiesOf(config.role);
  const tlsOpened = openTls(config, logger, closing);
  const frontOpened = tlsOpened.then((shared) => (answers ? openFront(config, shared, closing) : undefined));
  const mailOpened = tlsOpened.then((shared) =>
    delivers ? openMailListener(core, shared.material) : undefined,
  );
  const [tls, opsPort, mailListener, front, dnsPort] = await allOrFirstFault([
    tlsOpened,
    openOperations(config, operations, closing),
    mailOpened,
    frontOpened,
    openDns(core, () => opened.memory?.store.zone),
  ]);
  if (mailListener !== undefined) tls.onRenewal(mailListener.renew);
  return { tls, front, mailListener, opsPort, dnsPort };
}

function clearAway({ config, logger, clock, closing }: Core, { store }: Memory): void {
  const maintenance = startMaintenance({
    store,
    clock,
    logger,
    isSandbox: isSandbox(config),
    retentionDays: config.logRetentionDays,
  });
  closing.add(() => maintenance.stop());
}

function tellTarget(
  { dataDir, webhookAllowPrivate }: Config,
  addresses: Addresses,
  tenants: TargetTenant[],
): Promise<void> {
  const target = describeTarget({ addresses, tenants, simulator: SIMULATOR, webhookAllowPrivate });
  return writeTarget(dataDir, target);
}

/** The listeners that the world talks HTTPS to. */
interface Front {
  api: PublicListener;
  web: PublicListener;
}

async function openFront(config: Config, tls: SharedTls, closing: Closing): Promise<Front> {
  const [api, web] = await allOrFirstFault([
    openApi(config, tls.material, closing),
    openWeb(config, tls.material, closing),
  ]);
  tls.onRenewal(api.renew);
  tls.onRenewal(web.renew);
  return { api, web };
}

/** Whether the folder of the embedded database is free and writable is found out before anything else is opened. */
function claimOnce({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== undefined) return;
  const release = lockFolder(dataDir);
  release();
}

async function readContract(): Promise<Contract> {
  return loadContract();
}

/** Waits for all, so that nothing is left half open behind a fault; then the first of them counts. */
async function allOrFirstFault<const T extends readonly Promise<unknown>[]>(
  steps: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  await Promise.allSettled(steps);
  return await Promise.all(steps);
}
