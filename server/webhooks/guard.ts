import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from '../domain/public-address.ts';
import type { NameLookup } from './name-lookup.ts';

/** Nothing was sent, as the URL leads to where no stranger's URL may lead; the message says why, in words for the customer. */
export class ForbiddenTarget extends Error {
  override readonly name = 'ForbiddenTarget';
}

export interface GuardOptions {
  lookup: NameLookup;
  /** Takes every address, and plain HTTP: for closed networks. */
  allowPrivate: boolean;
  /** Until the connection stands, TLS included. */
  timeoutMs: number;
  /** Which addresses are public. */
  isPublic?: (address: string) => boolean;
}

/**
 * Makes the connections of the HTTP client, and only to public addresses (DECISIONS, notifications-targets). The addresses that were
 * judged are those that are connected to, so that a name cannot lead elsewhere between the two. Where a name has public and other
 * addresses, the public ones are taken. Fails with ForbiddenTarget or UnknownHost, or as the network does.
 */
export function createGuardedConnector(options: GuardOptions): buildConnector.connector {
  const { allowPrivate, timeoutMs, isPublic = isPublicAddress } = options;
  const connect = buildConnector({
    allowH2: false,
    timeout: timeoutMs,
    lookup: guardedLookup(options.lookup, allowPrivate ? () => true : isPublic),
  });
  return (target, callback) => {
    const refusal = allowPrivate ? undefined : refusalOf(target, isPublic);
    if (refusal === undefined) connect(target, callback);
    else queueMicrotask(() => callback(new ForbiddenTarget(refusal), null));
  };
}

/** What is wrong with a target before its name is looked up; an address in place of a name is never looked up. */
function refusalOf(
  { protocol, hostname }: buildConnector.Options,
  isPublic: (address: string) => boolean,
): string | undefined {
  if (protocol !== 'https:') return 'Webhooks are sent over https only: change the URL.';
  if (isIP(hostname) === 0 || isPublic(hostname)) return undefined;
  return `The address ${hostname} is not public: nothing was sent.`;
}

/** A lookup as sockets want it, which they get no other addresses from than allowed ones. */
function guardedLookup(lookup: NameLookup, isAllowed: (address: string) => boolean): LookupFunction {
  const addressesOf = async (hostname: string) => {
    const found = await lookup(hostname);
    const allowed = found.filter(isAllowed);
    if (allowed.length > 0) return allowed;
    throw new ForbiddenTarget(
      `The name ${hostname} leads to an address that is not public (${found[0]}): nothing was sent.`,
    );
  };
  return (hostname, { all }, callback) => {
    addressesOf(hostname).then(
      (addresses) => {
        const answers = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = answers;
        if (all === true || first === undefined) callback(null, answers);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}
