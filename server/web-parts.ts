import type { RequestListener } from 'node:http';
import type { Core } from './core.ts';
import type { MailIdentity, Transport } from './delivery/mail.ts';
import { createDocsSite, DOCS_FOLDER, isForDocs } from './docs/site.ts';
import type { TlsMaterial } from './http/tls.ts';
import { complainAbout } from './sandbox/complaint.ts';
import { createReader, type Reader } from './sandbox/reader.ts';
import { baseUrlOf } from './sandbox/target.ts';
import type { SystemStore } from './store/store.ts';
import { createTracking } from './tracking/listener.ts';
import { createRecorder, type Recorder } from './tracking/recorder.ts';

/** Where the web listener is: in this process, or where the settings say that another one has it. */
export interface WebListener {
  port: number;
  tls: TlsMaterial | undefined;
}

/** What stands behind the web listener. */
export interface Web {
  app: RequestListener;
  recorder: Recorder;
}

/** The origin that links in mails begin with. */
export function webUrlOf({ webUrl, tls, host }: Core['config'], { port }: WebListener): string {
  return webUrl ?? baseUrlOf({ tls, host, apiPort: port });
}

/** Makes what answers pixels, tracked links and unsubscribing, and shows the documentation. */
export function createWeb(
  { config, logger, metrics, clock }: Core,
  store: SystemStore,
  { key }: Pick<MailIdentity, 'key'>,
): Web {
  const fault = (what: string, error?: unknown) => logger.error({ err: error }, what);
  const recorder = createRecorder({ store: store.delivery, fault });
  const docs = createDocsSite(DOCS_FOLDER, fault);
  const tracking = createTracking({
    key,
    recorder,
    store: store.delivery,
    clock,
    trustProxy: config.tls.kind === 'proxy',
    observer: {
      webRequestFinished: (kind, status, automated) => metrics.webRequestFinished(kind, status, automated),
      fault,
    },
  });
  const app: RequestListener = (request, response) =>
    isForDocs(request) ? docs(request, response) : tracking(request, response);
  return { app, recorder };
}

/** Plays the recipients of the simulator, in the sandbox: over the web listener of this process or of one beside it. */
export function createSimulatedReader(
  { config, logger }: Core,
  store: SystemStore,
  { webUrl, mailHostname }: MailIdentity,
  listener: WebListener,
  transport: Transport,
): Reader {
  return createReader({
    inbox: store.sandbox,
    webUrl,
    web: { host: reachable(config.host), port: listener.port, ca: listener.tls?.cert },
    complain: (mail) => complainAbout(mail, { transport, mailHostname }),
    fault: (what, error) => logger.error({ err: error }, what),
  });
}

/** An address of this machine at which a listener is reached that was told to listen there. */
function reachable(host: string | undefined): string {
  return host === undefined || host === '0.0.0.0' || host === '::' ? 'localhost' : host;
}
