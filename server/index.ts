import { loadConfig } from './config.ts';
import { createLogger } from './operations/logger.ts';
import { baseUrlOf, opsUrlOf, type TargetTenant } from './sandbox/target.ts';

export { ConfigError } from './config.ts';
export { StartupError } from './errors.ts';
export type { TargetAccount, TargetTenant } from './sandbox/target.ts';

/** The settings by the names that `sendspec serve --help` lists, as text; what is absent has its default. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** A service that runs in this process. */
export interface RunningService {
  /** Where clients on this machine reach the API, without a slash at the end: `https://localhost:8443`. */
  readonly apiUrl: string;
  /** Health, metrics and in sandbox mode the inbox, on loopback. */
  readonly operationsUrl: string;
  /** What the links in mails begin with. */
  readonly webUrl: string;
  /** The port for mail. */
  readonly smtpPort: number;
  /** The certificate authority that `apiUrl` is trusted by, as a file in PEM; undefined when the certificate is not a local one. */
  readonly caFile: string | undefined;
  /** The demo organisations with their credentials; none outside of the sandbox. */
  readonly tenants: readonly TargetTenant[];
  /** Finishes what is under way, within bounds, and closes everything. */
  stop(): Promise<void>;
}

/**
 * Starts the service in this process, as `sendspec serve` does, for tests against a real one and for hosting it inside another
 * program. Its log goes to standard error; `SENDSPEC_LOG_LEVEL` says how much of it. The environment is not read: pass
 * `process.env` to have it so.
 * @throws ConfigError that names every setting that is wrong.
 * @throws StartupError when a port, a folder or the database cannot be used, with what to do about it in `hint`.
 */
export async function startService(settings: Settings = {}): Promise<RunningService> {
  const config = loadConfig(settings);
  // Loaded only now: whoever imports a type or an error from here does not wait for the whole service.
  const { startService: start } = await import('./service.ts');
  const service = await start(config, createLogger(config.logLevel));
  return {
    apiUrl: baseUrlOf(service.addresses),
    operationsUrl: opsUrlOf(service.addresses),
    webUrl: service.webUrl,
    smtpPort: service.smtpPort,
    caFile: service.caFile,
    tenants: service.tenants,
    stop: () => service.stop(),
  };
}
