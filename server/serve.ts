import { banner } from './banner.ts';
import type { Config } from './config.ts';
import { createLogger, type Logger } from './operations/logger.ts';
import { type Service, startService } from './service.ts';

const SUCCESS = 0;
const FAILURE = 1;

/**
 * Runs the service until SIGINT or SIGTERM, then stops it in order; a second signal ends the process at once.
 * Returns the exit code. Throws StartupError when the service cannot start.
 */
export async function serve(config: Config): Promise<number> {
  const logger = createLogger(config.logLevel);
  for (const warning of config.warnings) logger.warn(warning);
  if (config.databaseUrl === undefined) {
    logger.warn('the embedded database is safe against a killed process, not against power loss');
  }
  endOnUnknownFaults(logger);
  const signal = firstSignal();
  const service = await startService(config, logger);
  console.log(banner(service));
  logger.info({ ...service.addresses }, 'ready');
  logger.info({ signal: await signal }, 'stopping');
  return await stop(service, logger);
}

async function stop(service: Service, logger: Logger): Promise<number> {
  try {
    await service.stop();
    logger.info('stopped');
    return SUCCESS;
  } catch (error) {
    logger.error({ err: error }, 'stopped in disorder; the next start takes up what was left');
    return FAILURE;
  }
}

/** Resolves with the first signal to stop. The second one ends the process: whoever sends it does not want to wait. */
function firstSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let isStopping = false;
  const stopOrForce = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(FAILURE);
    isStopping = true;
    resolve(signal);
  };
  process.on('SIGINT', stopOrForce);
  process.on('SIGTERM', stopOrForce);
  return promise;
}

/** After a fault that nobody expected nothing is certain: the process ends, and its supervisor starts it again. */
function endOnUnknownFaults(logger: Logger): void {
  const end = (error: unknown) => {
    logger.fatal({ err: error }, 'unexpected fault');
    process.exit(FAILURE);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
