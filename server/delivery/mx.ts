import type { DnsFailure, DnsResolver, MxRecord } from '../dns/resolver.ts';
import { asciiDomain } from '../domain/ascii.ts';

/** Why no host can be found for a domain: an enhanced status (4.x.x: perhaps later) and words. */
export interface RouteFault {
  status: string;
  text: string;
}

/** The hosts, best first, and the one by which the destination goes: the same for all domains that have these hosts. */
export type Route = { ok: true; hosts: string[]; destination: string } | { ok: false; fault: RouteFault };

// More than anybody needs; a hostile zone may list thousands.
const MOST_HOSTS = 10;

/**
 * The mail hosts of a domain, best first, hosts of equal preference in random order (RFC 5321, section 5.1); the domain itself when it
 * has no MX record. `ownName` is our own mail name: hosts that are no better than ourselves are left out, or mail would run in a
 * circle.
 */
export async function findRoute(
  resolver: DnsResolver,
  domain: string,
  ownName: string,
  random: () => number = Math.random,
): Promise<Route> {
  const name = asciiDomain(domain);
  const answer = await resolver.mx(name);
  if (!answer.ok) {
    if (answer.failure === 'empty') return { ok: true, hosts: [name], destination: name };
    return { ok: false, fault: faultOf(answer.failure, name) };
  }
  if (answer.values.every(({ exchange }) => exchange === '' || exchange === '.')) {
    return {
      ok: false,
      fault: { status: '5.1.10', text: `${name} takes no mail (its MX record is empty, RFC 7505).` },
    };
  }
  return withoutOurselves(inOrder(answer.values, random), ownName, name);
}

/** The enhanced status of a failed lookup: what is certain is final, everything else may be cured. */
export function faultOf(failure: DnsFailure, name: string): RouteFault {
  if (failure === 'missing') return { status: '5.1.2', text: `The domain ${name} does not exist.` };
  if (failure === 'empty') return { status: '5.4.4', text: `${name} has no address.` };
  return { status: '4.4.3', text: `The DNS did not answer for ${name} (${failure}).` };
}

/** A domain names a mail host that does not exist: a slip in its zone, which says nothing about the recipient. */
export function missingHost(host: string, domain: string): RouteFault {
  return { status: '4.4.4', text: `${host}, which takes the mail of ${domain}, does not exist.` };
}

function inOrder(records: readonly MxRecord[], random: () => number): MxRecord[] {
  return records
    .map((record) => ({ record, key: random() }))
    .sort((a, b) => a.record.priority - b.record.priority || a.key - b.key)
    .map(({ record }) => record);
}

function withoutOurselves(records: readonly MxRecord[], ownName: string, domain: string): Route {
  const own = records.find(({ exchange }) => canonical(exchange) === canonical(ownName));
  const better = own === undefined ? records : records.filter(({ priority }) => priority < own.priority);
  const named = better.filter(({ exchange }) => canonical(exchange) !== '');
  const [best] = named;
  if (best !== undefined) {
    const hosts = new Set(named.map(({ exchange }) => canonical(exchange)));
    // Of equally good hosts, whose order is left to chance, the first by name.
    const [destination = ''] = named
      .filter(({ priority }) => priority === best.priority)
      .map(({ exchange }) => canonical(exchange))
      .sort();
    return { ok: true, hosts: [...hosts].slice(0, MOST_HOSTS), destination };
  }
  return {
    ok: false,
    fault: { status: '5.4.6', text: `The mail for ${domain} would come back to this host.` },
  };
}

function canonical(host: string): string {
  return host.replace(/\.$/, '').toLowerCase();
}
