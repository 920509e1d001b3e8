import type { DnsResolver } from '../dns/resolver.ts';
import { verdictOfFault } from '../domain/smtp-verdict.ts';
import { StartupError } from '../errors.ts';
import { isPublicAddress } from './addresses.ts';
import { ConnectionPool, POOL_LIMITS, type PoolLimits } from './connection-pool.ts';
import { type Attempt, type ComposedMail, NotAttempted, type Transport } from './mail.ts';
import { faultOf, findRoute, type RouteFault } from './mx.ts';
import {
  ConnectFailure,
  SMTP_TIMEOUTS,
  SmtpSession,
  type SmtpTarget,
  type SmtpTimeouts,
} from './smtp-session.ts';

/** Where mail goes: the built-in sink, one relay, or the mail hosts of each recipient's domain. */
export type DeliveryRoute =
  | { mode: 'sandbox'; sinkPort: number }
  | { mode: 'relay'; url: string }
  | {
      mode: 'mx';
      resolver: DnsResolver;
      /** 25, except in a laboratory. */
      port?: number;
      /** Deliver to mail hosts with private addresses too, as in a closed network. */
      allowPrivateAddresses?: boolean;
    };

export interface TransportOptions {
  route: DeliveryRoute;
  /** What we call ourselves in EHLO. */
  mailHostname: string;
  limits?: Partial<PoolLimits>;
  timeouts?: Partial<SmtpTimeouts>;
}

/**
 * Opens the transport of a delivery mode. Nothing is connected before the first mail.
 * Throws StartupError when the URL of a relay cannot be used.
 */
export function openTransport({ route, mailHostname, limits, timeouts }: TransportOptions): Transport {
  const common = { heloName: mailHostname, timeouts: { ...SMTP_TIMEOUTS, ...timeouts } };
  const pool = new ConnectionPool({ ...POOL_LIMITS, ...limits });
  if (route.mode === 'mx') return new PooledTransport(pool, mxSender(pool, { ...route, ...common }));
  const target = {
    ...(route.mode === 'relay' ? relayTarget(route.url) : sinkTarget(route.sinkPort)),
    ...common,
  };
  return new PooledTransport(pool, (mail) =>
    conversation(pool, 'relay', (signal) => SmtpSession.open(target, signal), mail),
  );
}

// How long an attempt whose connection was cut may take to notice; one that waits for the DNS has none to cut.
const CUT_MS = 100;

type Sender = (mail: ComposedMail) => Promise<Attempt>;

class PooledTransport implements Transport {
  readonly #pool: ConnectionPool;
  readonly #sender: Sender;
  /** How to end each attempt that runs without an outcome. */
  readonly #running = new Set<() => void>();
  #cut = false;
  #drained: () => void = () => {};

  constructor(pool: ConnectionPool, sender: Sender) {
    this.#pool = pool;
    this.#sender = sender;
  }

  async send(mail: ComposedMail): Promise<Attempt> {
    const { promise: cutOff, reject } = Promise.withResolvers<never>();
    const end = () => reject(new NotAttempted());
    this.#running.add(end);
    try {
      const attempt = await Promise.race([this.#sender(mail), cutOff]);
      // What failed because we cut it off says nothing about the message.
      if (this.#cut && attempt.verdict.retry) throw new NotAttempted();
      return attempt;
    } finally {
      this.#running.delete(end);
      if (this.#running.size === 0) this.#drained();
    }
  }

  async close(graceMs: number): Promise<void> {
    this.#pool.drain();
    await this.#emptyWithin(graceMs);
    this.#cut = true;
    this.#pool.cut();
    await this.#emptyWithin(CUT_MS);
    for (const end of this.#running) end();
  }

  async #emptyWithin(milliseconds: number): Promise<void> {
    if (this.#running.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#drained = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

async function conversation(
  pool: ConnectionPool,
  name: string,
  open: (signal: AbortSignal) => Promise<SmtpSession>,
  mail: ComposedMail,
): Promise<Attempt> {
  try {
    return await pool.use(name, open, async (session, reused) => {
      const outcome = await session.send(mail, reused);
      if (outcome !== undefined && outcome.verdict.event !== 'delivery') await session.reset();
      return outcome;
    });
  } catch (error) {
    if (error instanceof ConnectFailure) return error.outcome;
    throw error;
  }
}

interface MxOptions extends Pick<SmtpTarget, 'heloName' | 'timeouts'> {
  resolver: DnsResolver;
  port?: number;
  allowPrivateAddresses?: boolean;
}

// Of one host, and of one attempt: a domain with many dead addresses must not hold a worker for an hour.
const MOST_ADDRESSES = 5;

function mxSender(pool: ConnectionPool, options: MxOptions): Sender {
  return async (mail) => {
    const domain = mail.recipient.slice(mail.recipient.lastIndexOf('@') + 1);
    const route = await findRoute(options.resolver, domain, options.heloName);
    if (!route.ok) return failed(route.fault);
    let last: Attempt | undefined;
    let tries = 0;
    for (const host of route.hosts) {
      const addresses = await addressesOf(options, host);
      if (!addresses.ok) {
        last = moreHopeful(last, failed(addresses.fault));
        continue;
      }
      tries += addresses.values.length;
      const attempt = await tryHost(pool, options, host, addresses.values, mail);
      if (!attempt.unreachable) return attempt.attempt;
      last = moreHopeful(last, attempt.attempt);
      if (tries >= MOST_ADDRESSES) break;
    }
    return last ?? failed(faultOf('empty', domain));
  };
}

/** A host that may be reached later outweighs another one that never will. */
function moreHopeful(last: Attempt | undefined, next: Attempt): Attempt {
  return last?.verdict.retry === true ? last : next;
}

async function tryHost(
  pool: ConnectionPool,
  options: MxOptions,
  host: string,
  addresses: readonly string[],
  mail: ComposedMail,
): Promise<{ attempt: Attempt; unreachable: boolean }> {
  let unreachable = false;
  const open = (signal: AbortSignal) =>
    openFirst(options, host, addresses, signal).catch((error: unknown) => {
      unreachable = true;
      throw error;
    });
  const attempt = await conversation(pool, `${host}:${options.port ?? 25}`, open, mail);
  return { attempt, unreachable };
}

/** Connects to the first of a host's addresses that answers. Rejects with the ConnectFailure of the last one. */
async function openFirst(
  options: MxOptions,
  host: string,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<SmtpSession> {
  let failure: unknown;
  for (const address of addresses) {
    const target = {
      host,
      address,
      port: options.port ?? 25,
      tls: 'try',
      // The MX record that named the host is not authenticated either; a wrong certificate still beats no encryption (RFC 7435).
      verifyCertificate: false,
      heloName: options.heloName,
      timeouts: options.timeouts,
    } as const;
    try {
      return await openEncryptedOrNot(target, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      failure = error;
    }
  }
  throw failure;
}

async function openEncryptedOrNot(target: SmtpTarget, signal: AbortSignal): Promise<SmtpSession> {
  try {
    return await SmtpSession.open(target, signal);
  } catch (error) {
    if (!(error instanceof ConnectFailure) || !error.tlsFailed) throw error;
    return SmtpSession.open({ ...target, tls: 'off' }, signal);
  }
}

async function addressesOf(
  { resolver, allowPrivateAddresses = false }: MxOptions,
  host: string,
): Promise<{ ok: true; values: string[] } | { ok: false; fault: RouteFault }> {
  const answer = await resolver.addresses(host);
  if (!answer.ok) return { ok: false, fault: faultOf(answer.failure, host) };
  const values = allowPrivateAddresses ? answer.values : answer.values.filter(isPublicAddress);
  if (values.length > 0) return { ok: true, values: values.slice(0, MOST_ADDRESSES) };
  return { ok: false, fault: { status: '5.4.4', text: `${host} has no address on the public internet.` } };
}

function failed({ status, text }: RouteFault): Attempt {
  return { verdict: verdictOfFault(status), host: '', response: `${status} ${text}`, transcript: '' };
}

type FixedTarget = Omit<SmtpTarget, 'heloName' | 'timeouts'>;

function sinkTarget(port: number): FixedTarget {
  return { host: '127.0.0.1', port, tls: 'off', verifyCertificate: false };
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'smtp:': 25, 'smtps:': 465 };
const RELAY_HINT =
  'Write smtp://user:password@mail.example.com:587 or smtps://mail.example.com; a user name or password is percent-encoded.';

/**
 * The relay that a URL names. `smtps:` is TLS from the first byte; with `smtp:`, STARTTLS is used when offered, and required when there is
 * a password, unless the relay is this machine. `?tls=off|try|require` says otherwise. Certificates are checked, except with
 * `tls=try`.
 */
function relayTarget(text: string): FixedTarget {
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
