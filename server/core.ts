import type { Closing } from './closing.ts';
import type { Config } from './config.ts';
import type { SystemClock } from './domain/time.ts';
import type { Logger } from './operations/logger.ts';
import type { MetricsRegistry } from './operations/metrics.ts';

/** What every part is handed. */
export interface Core {
  config: Config;
  logger: Logger;
  metrics: MetricsRegistry;
  clock: SystemClock;
  closing: Closing;
}
