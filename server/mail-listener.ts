import type { Config } from './config.ts';
import type { Core } from './core.ts';
import { explainListenFailure } from './http/listen.ts';
import type { TlsMaterial } from './http/tls.ts';
import type { MailDestination } from './inbound/destination.ts';
import { startSmtpListener } from './inbound/smtp-listener.ts';

/** The SMTP port, which is open although the service behind it may still be starting. */
export interface MailListener {
  port: number;
  /** Takes mail from now on; until then, senders were asked to try again. */
  serve(destinations: readonly MailDestination[]): void;
  renew(tls: TlsMaterial): void;
}

const LOOPBACK = '127.0.0.1';

/**
 * Opens the port for mail: in the sandbox on loopback, otherwise where the world gets to, with STARTTLS if there is a certificate.
 * @throws StartupError when it cannot be opened.
 */
export async function openMailListener(
  { config, logger, metrics, clock, closing }: Core,
  tls: TlsMaterial | undefined,
): Promise<MailListener> {
  const address = addressOf(config);
  let current: readonly MailDestination[] | undefined;
  try {
    const listener = await startSmtpListener({
      destinations: () => current,
      clock,
      hostname: config.mailHostname,
      ...address,
      ...(address.isSandbox ? { banner: 'sendspec sandbox: every mail ends here' } : { tls }),
      onFault: (error) => logger.error({ err: error }, 'a mail that came in could not be kept'),
      onRefusal: () => metrics.mailReceived('refused'),
    });
    closing.add(() => listener.close());
    return {
      port: listener.port,
      serve(destinations) {
        current = destinations;
      },
      renew: (next) => listener.renew(next),
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const name = address.isSandbox
      ? { what: 'the mail server of the sandbox' }
      : { what: 'the mail listener', hostSetting: 'SENDSPEC_HOST' };
    throw explainListenFailure(error, address, { ...name, portSetting: 'SENDSPEC_SMTP_PORT' });
  }
}

function addressOf(config: Config): { isSandbox: boolean; host: string | undefined; port: number } {
  const isSandbox = config.delivery.mode === 'sandbox';
  return { isSandbox, host: isSandbox ? LOOPBACK : config.host, port: config.smtpPort };
}
