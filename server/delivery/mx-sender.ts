import { isIP } from 'node:net';
import type { DnsResolver } from '../dns/resolver.ts';
import { asciiDomain } from '../domain/ascii.ts';
import { providerOf, USUAL_LIMITS } from '../domain/providers.ts';
import { verdictOfFault } from '../domain/smtp-verdict.ts';
import { isPublicAddress } from './addresses.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { conversation } from './conversation.ts';
import { createDeadHosts, type DeadHosts } from './dead-hosts.ts';
import type { Destination, DestinationLimits } from './destination.ts';
import type { Attempt, ComposedMail } from './mail.ts';
import { faultOf, findRoute, missingHost, type Route, type RouteFault } from './mx.ts';
import { createRecent } from './recent.ts';
import { ConnectFailure, type SmtpOutcome, SmtpSession, type SmtpTarget } from './smtp-session.ts';

export interface MxOptions extends Pick<SmtpTarget, 'heloName' | 'timeouts'> {
  resolver: DnsResolver;
  port?: number;
  allowPrivateAddresses?: boolean;
  /** What holds for every destination, unless its provider takes less. */
  limits: DestinationLimits;
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
  return {
    putOffMs(recipient) {
      const name = names.get(domainOf(recipient));
      return (name === undefined ? undefined : pool.known(name)?.putOffMs()) ?? 0;
    },
    async send(mail) {
      const domain = domainOf(mail.recipient);
      const route = await findRoute(options.resolver, domain, options.heloName);
      if (!route.ok) return failed(route.fault);
      const provider = providerOf(route.destination);
      const name = provider?.name ?? route.destination;
      names.set(domain, name);
      const destination = pool.destination(name, () => limitsOf(options.limits, provider));
      return await destination.occupy(() =>
        viaHosts({ pool, destination, dead, options, domain: asciiDomain(domain) }, route.hosts, mail),
      );
    },
  };
}

function domainOf(recipient: string): string {
  return recipient.slice(recipient.lastIndexOf('@') + 1).toLowerCase();
}

function limitsOf(limits: DestinationLimits, provider = USUAL_LIMITS): DestinationLimits {
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
}

/** Tries the hosts in their order until one has an answer that another one would not better. */
async function viaHosts(
  way: Way,
  hosts: Extract<Route, { ok: true }>['hosts'],
  mail: ComposedMail,
): Promise<Attempt> {
  const { pace } = way.destination;
  let last: SmtpOutcome | undefined;
  let tries = 0;
  for (const host of way.dead.lastOf(hosts)) {
    const addresses = await addressesOf(way, host);
    if (!addresses.ok) {
      last = moreHopeful(last, failed(addresses.fault));
      continue;
    }
    tries += addresses.values.length;
    const outcome = await tryHost(way, host, addresses.values, mail);
    if (outcome.verdict.event === 'delivery') pace.succeeded();
    if (!isForAnotherHost(outcome)) return slowed(way, outcome);
    last = moreHopeful(last, outcome);
    if (tries >= MOST_ADDRESSES) break;
  }
  const outcome = last ?? failed(faultOf('empty', domainOf(mail.recipient)));
  if (outcome.unreachable === true && outcome.reply === undefined && outcome.verdict.retry)
    pace.unreachable();
  return slowed(way, outcome);
}

function slowed({ destination }: Way, outcome: SmtpOutcome): Attempt {
  if (outcome.reply?.asksToSlowDown === true) destination.pace.slowDown();
  return outcome;
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
function moreHopeful(last: SmtpOutcome | undefined, next: SmtpOutcome): SmtpOutcome {
  return last?.verdict.retry === true ? last : next;
}

async function tryHost(
  { pool, destination, dead, options }: Way,
  host: string,
  addresses: readonly string[],
  mail: ComposedMail,
): Promise<SmtpOutcome> {
  let unreachable = false;
  const open = (signal: AbortSignal) =>
    openFirst(options, host, addresses, signal).catch((error: unknown) => {
      unreachable = true;
      throw error;
    });
  const outcome = await conversation(pool, destination, host, open, mail);
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
    if (!(error instanceof ConnectFailure) || !error.tlsFailed) throw error;
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

function failed({ status, text }: RouteFault): SmtpOutcome {
  return { verdict: verdictOfFault(status), host: '', response: `${status} ${text}`, transcript: '' };
}
