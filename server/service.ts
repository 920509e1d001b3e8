import { type Closing, createClosing } from './closing.ts';
import type { Config } from './config.ts';
import { type Contract, loadContract } from './contract/contract.ts';
import type { Core } from './core.ts';
import { createDkimRoute } from './dns/dkim-route.ts';
import { openDns } from './dns/open.ts';
import { openResolver } from './dns/resolver.ts';
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
import { openMailListener } from './mail-listener.ts';
import { startMaintenance } from './maintenance.ts';
import { type Memory, openMemory } from './memory.ts';
import { createHealth } from './operations/health.ts';
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
// Those that play their outcome through the parts that there are.
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
  const { config, logger, metrics, closing } = core;
  const isSandbox = config.delivery.mode === 'sandbox';
  const resolver = openResolver({ servers: config.dnsServers });
  let memory: Memory | undefined;
  let sandbox: SandboxParts | undefined;
  const health = createHealth({
    database: async () => {
      await memory?.store.ping();
      return undefined;
    },
  });
  const zoneFacts = zoneFactsOf(config);
  const extra = {
    ...createDkimRoute(
      () =>
        memory && { store: memory.store, resolver, clock: core.clock, deliveryMode: config.delivery.mode },
    ),
    ...createOperatorRoutes(() => memory && { store: memory.store, clock: core.clock }),
    ...createZoneRoute(zoneFacts, () => memory?.store.zone),
    ...(isSandbox ? createSandboxRoutes(() => sandbox) : {}),
  };
  const operations = createOperationsListener({ health, metrics, logger, extra });

  // What can fail because of the surroundings comes first: it takes no time, and leaves no half-made database behind.
  claimOnce(config);
  const { answers, delivers } = dutiesOf(config.role);
  const tlsOpened = openTls(config, logger, closing);
  const mailOpened = tlsOpened.then((shared) =>
    delivers ? openMailListener(core, shared.material) : undefined,
  );
  const frontOpened = tlsOpened.then((shared) => (answers ? openFront(config, shared, closing) : undefined));
  const [tls, opsPort, mailListener, front, dnsPort] = await allOrFirstFault([
    tlsOpened,
    openOperations(config, operations, closing),
    mailOpened,
    frontOpened,
    openDns(core, () => memory?.store.zone),
  ]);
  if (mailListener !== undefined) tls.onRenewal(mailListener.renew);
  const [opened, contract] = await allOrFirstFault([openMemory(core), readContract()]);
  memory = opened;
  const { store, queue } = opened;
  metrics.watchQueue(async () => ({ ...(await queue.depth()) }));
  metrics.watchNotifications(async () => ({ ...(await store.notifications.depth()) }));
  const tenants = isSandbox && answers ? await prepareDemo(store, config.dataDir) : [];
  sandbox = {
    inbox: store.sandbox,
    clock: createSandboxClock({ clock: core.clock, store, queue }),
    setWebhook: createSandboxWebhook({ store, allowPrivate: config.webhookAllowPrivate }),
  };
  const webListener = { port: front?.web.port ?? config.webPort, tls: tls.material };
  const work = await startWork(core, opened, { contract, resolver, mailListener, webListener });
  closing.add(() => work.stop(DELIVERIES_GRACE_MS));
  if (delivers) {
    const maintenance = startMaintenance({
      store,
      clock: core.clock,
      logger,
      isSandbox,
      retentionDays: config.logRetentionDays,
    });
    closing.add(() => maintenance.stop());
  }

  const apiPort = front?.api.port ?? config.apiPort;
  const addresses = { tls: config.tls, host: config.host, apiPort, opsPort };
  if (isSandbox && answers)
    await writeTarget(
      config.dataDir,
      describeTarget({
        addresses,
        tenants,
        simulator: SIMULATOR,
        webhookAllowPrivate: config.webhookAllowPrivate,
      }),
    );
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
