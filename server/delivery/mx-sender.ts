import type { DnsResolver } from '../dns/resolver.ts';
import { verdictOfFault } from '../domain/smtp-verdict.ts';
import { isPublicAddress } from './addresses.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { conversation } from './conversation.ts';
import type { Attempt, ComposedMail } from './mail.ts';
import { faultOf, findRoute, type RouteFault } from './mx.ts';
import { ConnectFailure, SmtpSession, type SmtpTarget } from './smtp-session.ts';

export interface MxOptions extends Pick<SmtpTarget, 'heloName' | 'timeouts'> {
  resolver: DnsResolver;
  port?: number;
  allowPrivateAddresses?: boolean;
}

// Of one host, and of one attempt: a domain with many dead addresses must not hold a worker for an hour.
const MOST_ADDRESSES = 5;

/** Sends each mail to the hosts that the recipient's domain names, best first, each of their addresses in turn. */
export function mxSender(pool: ConnectionPool, options: MxOptions): (mail: ComposedMail) => Promise<Attempt> {
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
