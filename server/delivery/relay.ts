import { StartupError } from '../errors.ts';
import type { SmtpTarget } from './smtp-session.ts';

/** A server that takes all mail, whoever its recipient is. */
export type FixedTarget = Omit<SmtpTarget, 'heloName' | 'timeouts'>;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'smtp:': 25, 'smtps:': 465 };
const RELAY_HINT =
  'Write smtp://user:password@mail.example.com:587 or smtps://mail.example.com; a user name or password is percent-encoded.';

/**
 * The relay that a URL names. `smtps:` is TLS from the first byte; with `smtp:`, STARTTLS is used when offered, and required when there is
 * a password, unless the relay is this machine. `?tls=off|try|require` says otherwise. Certificates are checked, except with
 * `tls=try`. Throws StartupError when it is no such URL.
 */
export function relayTarget(text: string): FixedTarget {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const defaultPort = url === undefined ? undefined : DEFAULT_PORTS[url.protocol];
  if (url === undefined || defaultPort === undefined || url.hostname === '') {
    throw new StartupError('SENDSPEC_SMTP_URL is not the URL of an SMTP server.', RELAY_HINT);
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const auth = url.username === '' ? undefined : { user: decode(url.username), pass: decode(url.password) };
  const isThisMachine = host === 'localhost' || host === '::1' || host.startsWith('127.');
  const usual = auth !== undefined && !isThisMachine ? 'require' : 'try';
  const tls = url.protocol === 'smtps:' ? 'implicit' : tlsOption(url.searchParams.get('tls') ?? usual);
  return {
    host,
    port: url.port === '' ? defaultPort : Number(url.port),
    tls,
    verifyCertificate: tls === 'implicit' || tls === 'require',
    ...(auth === undefined ? {} : { auth }),
  };
}

function tlsOption(value: string): 'off' | 'try' | 'require' {
  if (value === 'off' || value === 'try' || value === 'require') return value;
  throw new StartupError('The tls option in SENDSPEC_SMTP_URL is not off, try or require.', RELAY_HINT);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StartupError(
      'The user name or password in SENDSPEC_SMTP_URL is not percent-encoded correctly.',
      RELAY_HINT,
    );
  }
}
