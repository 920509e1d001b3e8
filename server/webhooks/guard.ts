import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from '../domain/public-address.ts';
import type { NameLookup } from './name-lookup.ts';
import { isOwnAddress } from './own-addresses.ts';

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
  /** Which addresses are public; those of this machine are refused even then. */
  isPublic?: (address: string) => boolean;
}

/**
 * Makes the connections of the HTTP client, and only to public addresses (DECISIONS, notifications-targets). The addresses that were
 * judged are those that are connected to, so that a name cannot lead elsewhere between the two. Where a name has public and other
 * addresses, the public ones are taken. Fails with ForbiddenTarget or UnknownHost, or as the network does.
 */
export function createGuardedConnector(options: GuardOptions): buildConnector.connector {
  const { allowPrivate, timeoutMs, isPublic = isPublicAddress } = options;
  const faultOf = allowPrivate ? () => undefined : faultOfAddress(isPublic);
  const connect = buildConnector({
    allowH2: false,
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says (DECISIONS, notifications-certificates).
    rejectUnauthorized: true,
    timeout: timeoutMs,
    lookup: guardedLookup(options.lookup, faultOf),
  });
  return (target, callback) => {
    const refusal = allowPrivate ? undefined : refusalOf(target, faultOf);
    if (refusal === undefined) connect(target, callback);
    else queueMicrotask(() => callback(new ForbiddenTarget(refusal), null));
  };
}

/** What is wrong with an address, to be put behind "an address that"; undefined for one that may be connected to. */
type AddressJudge = (address: string) => string | undefined;

function faultOfAddress(isPublic: (address: string) => boolean): AddressJudge {
  return (address) => {
    if (!isPublic(address)) return 'is not public';
    return isOwnAddress(address) ? "is the service's own" : undefined;
  };
}

/** What is wrong with a target before its name is looked up; an address in place of a name is never looked up. */
function refusalOf(
  { protocol, hostname }: buildConnector.Options,
  faultOf: AddressJudge,
): string | undefined {
  if (protocol !== 'https:') return 'Webhooks are sent over https only: change the URL.';
  const fault = isIP(hostname) === 0 ? undefined : faultOf(hostname);
  return fault && `The address ${hostname} ${fault}: nothing was sent.`;
}

/** A lookup as sockets want it, which they get no other addresses from than allowed ones. */
function guardedLookup(lookup: NameLookup, faultOf: AddressJudge): LookupFunction {
  const addressesOf = async (hostname: string) => {
    const found = (await lookup(hostname)).map((address) => ({ address, fault: faultOf(address) }));
    const allowed = found.filter(({ fault }) => fault === undefined);
    if (allowed.length > 0) return allowed.map(({ address }) => address);
    throw new ForbiddenTarget(
      `The name ${hostname} leads to an address that ${found[0]?.fault} (${found[0]?.address}): nothing was sent.`,
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
