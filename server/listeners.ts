import { createServer, type RequestListener } from 'node:http';
import { Server as TlsServer } from 'node:tls';
import type { Closing } from './closing.ts';
import type { Config } from './config.ts';
import { closeWebServer, type ListenerName, listen } from './http/listen.ts';
import { createListener, type ListenerOptions } from './http/listener.ts';
import { plainText } from './http/protocol-faults.ts';
import { loadTls, type TlsMaterial } from './http/tls.ts';
import type { Logger } from './operations/logger.ts';

/** A listener whose port is open although the application behind it may still be starting. */
export interface PublicListener {
  port: number;
  /** Hands over the requests that have waited, and all that follow. */
  serve(app: RequestListener): void;
  /** Presents another certificate from now on. */
  renew(tls: TlsMaterial): void;
  /** Accepts nothing more and lets what is under way finish within the bound. */
  close(boundMs: number): Promise<void>;
}

/** The certificate that the listeners of this process share. */
export interface SharedTls {
  /** As it was at the start; undefined when nothing is encrypted here. */
  material: TlsMaterial | undefined;
  /** Calls this with every certificate that takes the place of the present one. */
  onRenewal(take: (tls: TlsMaterial) => void): void;
}

const TLS_CHECK_MS = 3_600_000;

/**
 * Reads or makes the certificate, and watches it from then on.
 * @throws StartupError when the TLS files cannot be used.
 */
export async function openTls(config: Config, logger: Logger, closing: Closing): Promise<SharedTls> {
  const material = await loadTls(config.tls, config.dataDir, new Date());
  const takers: ((tls: TlsMaterial) => void)[] = [];
  closing.add(
    keepTlsFresh(material, config, logger, (next) => {
      for (const take of takers) take(next);
    }),
  );
  return { material, onRenewal: (take) => void takers.push(take) };
}

/**
 * Opens the API's port. Requests that come before the application is there wait for it.
 * @throws StartupError when the port cannot be used.
 */
export function openApi(
  config: Config,
  tls: TlsMaterial | undefined,
  closing: Closing,
): Promise<PublicListener> {
  const name = { what: 'the API', portSetting: 'PORT', hostSetting: 'SENDSPEC_HOST' };
  return openPublic({ host: config.host, port: config.apiPort }, name, tls, closing);
}

/**
 * Opens the web listener's port, with the API's certificate. Requests that come before the application is there wait for it.
 * @throws StartupError when the port cannot be used.
 */
export function openWeb(
  config: Config,
  tls: TlsMaterial | undefined,
  closing: Closing,
): Promise<PublicListener> {
  const name = {
    what: 'tracking and unsubscribing',
    portSetting: 'SENDSPEC_WEB_PORT',
    hostSetting: 'SENDSPEC_HOST',
  };
  return openPublic({ host: config.host, port: config.webPort }, name, tls, closing, {
    faultText: plainText,
  });
}

async function openPublic(
  address: { host: string | undefined; port: number },
  name: ListenerName,
  tls: TlsMaterial | undefined,
  closing: Closing,
  options: Pick<ListenerOptions, 'faultText'> = {},
): Promise<PublicListener> {
  const gate = Promise.withResolvers<RequestListener>();
  let current: RequestListener = (request, response) => {
    void gate.promise.then((app) => app(request, response));
  };
  const server = createListener((request, response) => current(request, response), {
    ...options,
    ...(tls === undefined ? {} : { tls: secureContext(tls) }),
  });
  const port = await listen(server, address, name);
  closing.add(() => closeWebServer(server, 0));
  return {
    port,
    serve(app) {
      current = app;
      gate.resolve(app);
    },
    renew(next) {
      if (server instanceof TlsServer) server.setSecureContext(secureContext(next));
    },
    close: (boundMs) => closeWebServer(server, boundMs),
  };
}

function secureContext({ cert, key }: TlsMaterial) {
  return { cert, key, minVersion: 'TLSv1.2' } as const;
}

/** A certificate that was renewed, by this service or by the operator, is taken over without a restart. */
function keepTlsFresh(
  first: TlsMaterial | undefined,
  config: Config,
  logger: Logger,
  renew: (next: TlsMaterial) => void,
): () => void {
  if (first === undefined) return () => {};
  let { cert } = first;
  const check = async () => {
    const next = await loadTls(config.tls, config.dataDir, new Date());
    if (next === undefined || next.cert === cert) return;
    renew(next);
    cert = next.cert;
    logger.info({ expires_at: next.expiresAt.toISOString() }, 'the TLS certificate was renewed');
  };
  const timer = setInterval(() => {
    check().catch((error: unknown) => logger.error({ err: error }, 'the TLS certificate cannot be renewed'));
  }, TLS_CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Opens the listener for operators, on loopback, and returns its port. */
export async function openOperations(
  config: Config,
  listener: RequestListener,
  closing: Closing,
): Promise<number> {
  const server = createServer(listener);
  const port = await listen(
    server,
    { host: '127.0.0.1', port: config.opsPort },
    { what: 'health and metrics', portSetting: 'SENDSPEC_OPS_PORT' },
  );
  closing.add(() => closeWebServer(server, 0));
  return port;
}
