import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as TlsServer } from 'node:tls';
import type { Closing } from './closing.ts';
import type { Config } from './config.ts';
import { closeWebServer, listen } from './http/listen.ts';
import { createListener } from './http/listener.ts';
import { loadTls, type TlsMaterial } from './http/tls.ts';
import type { Logger } from './operations/logger.ts';

/** The API's listener, whose port is open although the application behind it may still be starting. */
export interface ApiListener {
  port: number;
  tls: TlsMaterial | undefined;
  /** Hands over the requests that have waited, and all that follow. */
  serve(app: RequestListener): void;
  /** Accepts nothing more and lets what is under way finish within the bound. */
  close(boundMs: number): Promise<void>;
}

const TLS_CHECK_MS = 3_600_000;

/**
 * Opens the API's port. Requests that come before the application is there wait for it.
 * @throws StartupError when the port or the TLS files cannot be used.
 */
export async function openApi(config: Config, logger: Logger, closing: Closing): Promise<ApiListener> {
  const tls = await loadTls(config.tls, config.dataDir, new Date());
  const gate = Promise.withResolvers<RequestListener>();
  let current: RequestListener = (request, response) => {
    void gate.promise.then((app) => app(request, response));
  };
  const server = createListener(
    (request, response) => current(request, response),
    tls === undefined ? {} : { tls: { cert: tls.cert, key: tls.key, minVersion: 'TLSv1.2' } },
  );
  const port = await listen(
    server,
    { host: config.host, port: config.apiPort },
    { what: 'the API', portSetting: 'PORT', hostSetting: 'SENDSPEC_HOST' },
  );
  closing.add(() => closeWebServer(server, 0));
  closing.add(keepTlsFresh(server, tls, config, logger));
  return {
    port,
    tls,
    serve(app) {
      current = app;
      gate.resolve(app);
    },
    close: (boundMs) => closeWebServer(server, boundMs),
  };
}

/** A certificate that was renewed, by this service or by the operator, is taken over without a restart. */
function keepTlsFresh(
  server: Server,
  first: TlsMaterial | undefined,
  config: Config,
  logger: Logger,
): () => void {
  if (first === undefined || !(server instanceof TlsServer)) return () => {};
  let { cert } = first;
  const check = async () => {
    const next = await loadTls(config.tls, config.dataDir, new Date());
    if (next === undefined || next.cert === cert) return;
    server.setSecureContext({ cert: next.cert, key: next.key, minVersion: 'TLSv1.2' });
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
