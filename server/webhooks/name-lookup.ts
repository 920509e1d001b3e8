import { lookup } from 'node:dns/promises';
import type { DnsResolver } from '../dns/resolver.ts';

/** The addresses that a host name leads to. Rejects with UnknownHost when there are none. */
export type NameLookup = (hostname: string) => Promise<string[]>;

/** A host name leads nowhere; the message says why, in words for the customer. */
export class UnknownHost extends Error {
  override readonly name = 'UnknownHost';
}

// The system's own lookup blocks a thread of the four that DKIM signatures and passwords need too.
const MOST_SYSTEM_LOOKUPS = 2;

/**
 * How the hosts of webhooks are found: through the service's DNS servers where it is told some, else as the system does, so that
 * /etc/hosts and search domains count. The system's lookup can hang for as long as a stranger's name server likes; DNS is then
 * asked beside it, and a name that one of both knows is known.
 */
export function createNameLookup(resolver: DnsResolver, usesSystem: boolean): NameLookup {
  const askDns: NameLookup = async (hostname) => {
    const answer = await resolver.addresses(hostname);
    if (answer.ok) return answer.values;
    throw new UnknownHost(`The name ${hostname} has no address in the DNS (${answer.failure}).`);
  };
  if (!usesSystem) return askDns;
  const askSystem = atMost(MOST_SYSTEM_LOOKUPS, async (hostname) =>
    (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address),
  );
  return async (hostname) => {
    const dns = askDns(hostname);
    return await Promise.any([askSystem(hostname), dns]).catch(() => dns);
  };
}

/** The same lookup, so many at a time; the others wait for their turn. */
function atMost(limit: number, ask: NameLookup): NameLookup {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (hostname) => {
    if (running === limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await ask(hostname);
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
