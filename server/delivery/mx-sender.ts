import { isIP } from 'node:net';
import type { DnsResolver } from '../dns/resolver.ts';
import { asciiDomain } from '../domain/ascii.ts';
import { providerOf, USUAL_LIMITS } from '../domain/providers.ts';
import { isPublicAddress } from '../domain/public-address.ts';
import { verdictOfFault } from '../domain/smtp-verdict.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { conversation } from './conversation.ts';
import { createDeadHosts, type DeadHosts } from './dead-hosts.ts';
import type { Destination, DestinationLimits } from './destination.ts';
import { type Attempt, type ComposedMail, NotAttempted } from './mail.ts';
import { faultOf, findRoute, missingHost, type Route, type RouteFault } from './mx.ts';
import type { Pace } from './pace.ts';
import { type Guest, Probation } from './probation.ts';
import { createRecent } from './recent.ts';
import { ConnectFailure, type SmtpOutcome, SmtpSession, type SmtpTarget } from './smtp-session.ts';

export interface MxOptions extends Pick<SmtpTarget, 'heloName' | 'timeouts'> {
  resolver: DnsResolver;
  port?: number;
  allowPrivateAddresses?: boolean;
  /** What holds for every destination, unless its provider takes less. */
  limits: DestinationLimits;
  /** Messages in delivery at the same time to destinations that have not answered yet, together. */
  unprovenRoom: number;
}

// Of one host, and of one attempt: a domain with many dead addresses must not hold a worker for an hour.
const MOST_ADDRESSES = 5;
const MOST_DOMAINS_REMEMBERED = 10_000;

/** Sends to the mail hosts of the recipients' domains. */
export interface MxSender {
  send(mail: ComposedMail): Promise<Attempt>;
  /** How long a mail to this address is to be put off, as far as that is known without asking the DNS; 0 when it may be tried. */
  putOffMs(recipient: string): number;
}

/** Sends each mail to the hosts that the recipient's domain names, best first, each of their addresses in turn. */
export function mxSender(pool: ConnectionPool, options: MxOptions): MxSender {
  const names = createRecent<string, string>(MOST_DOMAINS_REMEMBERED);
  const dead = createDeadHosts();
  const probation = new Probation(options.unprovenRoom, options.timeouts.crowdedConnectMs);
  const known = (domain: string) => {
    const name = names.get(domain);
    return name === undefined ? undefined : pool.known(name);
  };

  function putOffMs(recipient: string): number {
    const destination = known(domainOf(recipient));
    const ownMs = destination?.putOffMs() ?? 0;
    if (ownMs > 0 || destination?.isProven === true) return ownMs;
    return probation.putOffMs(destination?.isFull ?? false);
  }

  async function viaRoute(mail: ComposedMail, guest: Guest | undefined): Promise<Attempt> {
    const domain = domainOf(mail.recipient);
    const route = await findRoute(options.resolver, domain, options.heloName);
    if (guest?.signal.aborted === true) return failed(crowded(`The DNS has not answered for ${domain}`));
    if (!route.ok) return failed(route.fault);
    const name = destinationName(route.destination);
    names.set(domain, name);
    const limits = limitsOf(options.limits, route.destination);
    const destination = pool.destination(name, () => limits);
    const way = { pool, destination, dead, options, domain: asciiDomain(domain), best: route.destination };
    guest?.waits();
    return await destination.occupy(() => {
      if (destination.isProven) guest?.leave();
      guest?.knocks();
      return viaHosts({ ...way, guest }, route.hosts, mail);
    }, guest?.signal);
  }

  return {
    putOffMs,
    async send(mail) {
      const waitMs = putOffMs(mail.recipient);
      if (waitMs > 0) throw new NotAttempted(waitMs);
      const isProven = known(domainOf(mail.recipient))?.isProven ?? false;
      const guest = isProven ? undefined : probation.enter();
      try {
        return await viaRoute(mail, guest);
      } finally {
        guest?.leave();
      }
    },
  };
}

function domainOf(recipient: string): string {
  return recipient.slice(recipient.lastIndexOf('@') + 1).toLowerCase();
}

/** The destination that a mail host belongs to: its provider, or itself. */
function destinationName(host: string): string {
  return providerOf(host)?.name ?? host;
}

function limitsOf(limits: DestinationLimits, host: string): DestinationLimits {
  const provider = providerOf(host) ?? USUAL_LIMITS;
  return {
    ...limits,
    connections: Math.min(limits.connections, provider.connections),
    messagesPerConnection: Math.min(limits.messagesPerConnection, provider.messagesPerConnection),
  };
}

interface Way {
  pool: ConnectionPool;
  destination: Destination;
  dead: DeadHosts;
  options: MxOptions;
  /** The recipient's. */
  domain: string;
  /** The host by which the destination goes. */
  best: string;
  /** Until the destination has answered. */
  guest: Guest | undefined;
}

/** Tries the hosts in their order until one has an answer that another one would not better. */
async function viaHosts(
  way: Way,
  hosts: Extract<Route, { ok: true }>['hosts'],
  mail: ComposedMail,
): Promise<Attempt> {
  let last: { outcome: SmtpOutcome; host: string } | undefined;
  let tries = 0;
  let pauseMs = Number.POSITIVE_INFINITY;
  let answered = false;
  const own = { tried: false, spoke: false };
  for (const host of way.dead.lastOf(hosts)) {
    const ownPauseMs = pauseMsOf(way, host);
    if (ownPauseMs > 0) {
      pauseMs = Math.min(pauseMs, ownPauseMs);
      continue;
    }
    const addresses = await addressesOf(way, host);
    if (!addresses.ok) {
      last = moreHopeful(last, { outcome: failed(addresses.fault), host });
      continue;
    }
    tries += addresses.values.length;
    const outcome = await tryHost(way, host, addresses.values, mail);
    answered ||= outcome.reply !== undefined;
    way.destination.answered(answered);
    if (belongs(way, host)) {
      own.tried = true;
      own.spoke ||= outcome.unreachable !== true || outcome.reply !== undefined;
    }
    if (!isForAnotherHost(outcome)) return judged(way, host, outcome);
    last = moreHopeful(last, { outcome, host });
    if (tries >= MOST_ADDRESSES || way.guest?.signal.aborted === true) break;
  }
  if (own.tried && !own.spoke) way.destination.pace.unreachable();
  if (last !== undefined) return judged(way, last.host, last.outcome);
  if (pauseMs !== Number.POSITIVE_INFINITY) throw new NotAttempted(pauseMs);
  return failed(faultOf('empty', way.domain));
}

/** Lets the pace of the host that spoke, and of nobody else, know what came of it. */
function judged(way: Way, host: string, outcome: SmtpOutcome): Attempt {
  if (outcome.verdict.event === 'delivery') paceOf(way, host).succeeded();
  if (outcome.reply?.asksToSlowDown === true) paceOf(way, host).slowDown();
  return outcome;
}

/** How long a host of somebody else is still to be left alone; the destination's own pause was looked at before. */
function pauseMsOf(way: Way, host: string): number {
  return belongs(way, host) ? 0 : (way.pool.known(destinationName(host))?.pace.pauseMs ?? 0);
}

function paceOf(way: Way, host: string): Pace {
  if (belongs(way, host)) return way.destination.pace;
  return way.pool.pace(destinationName(host), () => limitsOf(way.options.limits, host));
}

/**
 * Whether a host speaks for the destination: one of the same provider, or a sibling (`mx2.example.com` of `mx1.example.com`). Anybody's
 * zone may name anybody's hosts beside its own; that gives its own no say over them.
 */
function belongs({ best }: Way, host: string): boolean {
  if (destinationName(host) === destinationName(best)) return true;
  const isProviders = providerOf(host) !== undefined || providerOf(best) !== undefined;
  return !isProviders && isIP(host) === 0 && parentOf(host) === parentOf(best);
}

function parentOf(host: string): string {
  return host.slice(host.indexOf('.') + 1);
}

/**
 * Whether the next host may do better: no conversation with this one, or a temporary refusal before the content. One that asks
 * to slow down, once it has begun to talk, speaks for all of them.
 */
function isForAnotherHost({ verdict, unreachable = false, reply }: SmtpOutcome): boolean {
  if (unreachable) return true;
  const isEarly = reply?.stage === 'mail' || reply?.stage === 'rcpt';
  return verdict.retry && isEarly && !reply.asksToSlowDown;
}

/** A host that may be reached later outweighs another one that never will. */
function moreHopeful<T extends { outcome: SmtpOutcome }>(last: T | undefined, next: T): T {
  return last?.outcome.verdict.retry === true ? last : next;
}

async function tryHost(
  { pool, destination, dead, options, guest }: Way,
  host: string,
  addresses: readonly string[],
  mail: ComposedMail,
): Promise<SmtpOutcome> {
  let unreachable = false;
  const open = async (signal: AbortSignal) => {
    try {
      const session = await openFirst(options, host, addresses, eitherOf(signal, guest?.signal));
      guest?.talks();
      return session;
    } catch (error) {
      unreachable = true;
      throw error;
    }
  };
  const outcome = await conversation(pool, destination, host, open, mail);
  if (unreachable && guest?.signal.aborted === true)
    return { ...failed(crowded(`${host} has not answered`)), transcript: outcome.transcript, unreachable };
  if (unreachable && outcome.reply === undefined) dead.add(host);
  return { ...outcome, unreachable };
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
    if (!(error instanceof ConnectFailure) || !error.tlsFailed || signal.aborted) throw error;
    return SmtpSession.open({ ...target, tls: 'off' }, signal);
  }
}

async function addressesOf(
  { options: { resolver, allowPrivateAddresses = false }, domain }: Way,
  host: string,
): Promise<{ ok: true; values: string[] } | { ok: false; fault: RouteFault }> {
  // An MX record should name a host (RFC 5321, section 5.1), and some hold an address.
  const answer = isIP(host) === 0 ? await resolver.addresses(host) : { ok: true as const, values: [host] };
  if (!answer.ok) {
    const isMissingHost = answer.failure === 'missing' && host !== domain;
    return { ok: false, fault: isMissingHost ? missingHost(host, domain) : faultOf(answer.failure, host) };
  }
  const values = allowPrivateAddresses ? answer.values : answer.values.filter(isPublicAddress);
  if (values.length > 0) return { ok: true, values: values.slice(0, MOST_ADDRESSES) };
  return { ok: false, fault: { status: '5.4.4', text: `${host} has no address on the public internet.` } };
}

function eitherOf(signal: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other === undefined ? signal : AbortSignal.any([signal, other]);
}

/** Why an attempt was ended early. */
function crowded(what: string): RouteFault {
  return { status: '4.4.1', text: `${what} in a while, and mail for others waits.` };
}

function failed({ status, text }: RouteFault): SmtpOutcome {
  return { verdict: verdictOfFault(status), host: '', response: `${status} ${text}`, transcript: '' };
}
