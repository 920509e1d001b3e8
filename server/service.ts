import { createClosing } from './closing.ts';
import type { Config } from './config.ts';
import { type Contract, loadContract } from './contract/contract.ts';
import { openResolver } from './dns/resolver.ts';
import { createZoneRoute } from './dns/zone-route.ts';
import { SystemClock } from './domain/time.ts';
import { openApi, openOperations, openWeb } from './listeners.ts';
import { openMailListener } from './mail-listener.ts';
import { startMaintenance } from './maintenance.ts';
import { createHealth } from './operations/health.ts';
import { createOperationsListener } from './operations/listener.ts';
import type { Logger } from './operations/logger.ts';
import { createMetrics } from './operations/metrics.ts';
import { createSandboxClock } from './sandbox/clock.ts';
import { prepareDemo } from './sandbox/demo.ts';
import { createSandboxRoutes, type SandboxParts } from './sandbox/routes.ts';
import { type Addresses, describeTarget, type TargetTenant, writeTarget } from './sandbox/target.ts';
import { type Core, type Memory, openMemory, startWork } from './service-parts.ts';
import { lockFolder } from './store/folder-lock.ts';
import { webUrlOf } from './web-parts.ts';

/** The running service. */
export interface Service {
  config: Config;
  addresses: Addresses;
  /** The port for mail; in sandbox mode of the built-in sink, too. */
  smtpPort: number;
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
  const extra = {
    ...createZoneRoute(config.mailHostname, () => memory?.store.zone),
    ...(isSandbox ? createSandboxRoutes(() => sandbox) : {}),
  };
  const operations = createOperationsListener({ health, metrics, logger, extra });

  // What can fail because of the surroundings comes first: it takes no time, and leaves no half-made database behind.
  claimOnce(config);
  const apiOpened = openApi(config, logger, closing);
  const mailOpened = apiOpened.then(({ tls }) => openMailListener(core, tls));
  const webOpened = apiOpened.then(({ tls }) => openWeb(config, tls, closing));
  const [api, opsPort, mailListener, web] = await allOrFirstFault([
    apiOpened,
    openOperations(config, operations, closing),
    mailOpened,
    webOpened,
  ]);
  api.onRenewal(web.renew);
  api.onRenewal(mailListener.renew);
  const [opened, contract] = await allOrFirstFault([openMemory(core), readContract()]);
  memory = opened;
  const { store, queue } = opened;
  metrics.watchQueue(async () => ({ ...(await queue.depth()) }));
  const tenants = isSandbox ? await prepareDemo(store, config.dataDir) : [];
  sandbox = { inbox: store.sandbox, clock: createSandboxClock({ clock: core.clock, store, queue }) };
  const webListener = { port: web.port, tls: api.tls };
  const work = await startWork(core, opened, { contract, resolver, mailListener, webListener });
  const maintenance = startMaintenance(store, logger, { isSandbox });
  closing.add(() => Promise.all([work.stop(DELIVERIES_GRACE_MS), maintenance.stop()]));

  const addresses = { tls: config.tls, host: config.host, apiPort: api.port, opsPort };
  if (isSandbox)
    await writeTarget(config.dataDir, describeTarget({ addresses, tenants, simulator: SIMULATOR }));
  api.serve(work.app);
  web.serve(work.web);
  health.enter('ready');
  const warming = contract
    .warm()
    .catch((error: unknown) => logger.error({ err: error }, 'the contract is damaged'));
  return {
    config,
    addresses,
    smtpPort: mailListener.port,
    webUrl: webUrlOf(config, webListener),
    caFile: api.tls?.caFile,
    tenants,
    async stop() {
      health.enter('stopping');
      await Promise.all([api.close(REQUESTS_GRACE_MS), web.close(REQUESTS_GRACE_MS), warming]);
      await closing.closeAll();
    },
  };
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
