import { messageOfReturnPath } from '../delivery/return-path.ts';
import { messageOfUnsubscribeAddress } from '../delivery/unsubscribe-address.ts';
import { bounceHostOf, ownSenderOf } from '../domain/bounce-host.ts';
import { mailboxKey } from '../domain/mailbox.ts';

/** What a mail to an address of the service is taken for. */
export type Purpose =
  | { kind: 'bounce'; messageId: string }
  | { kind: 'unsubscribe'; messageId: string }
  | { kind: 'feedback' }
  /** For the people who run the service (RFC 5321, 4.5.1; RFC 2142). */
  | { kind: 'postmaster' }
  /** The envelope sender of what is forwarded, and of what the service writes itself: nobody reads what comes back to it. */
  | { kind: 'discard' };

/** The host of an address of the postmaster: none, an address literal, or a name. */
const POSTMASTER = /^(?:postmaster|abuse)(?:@(.+))?$/i;
const SIGNED_FORM = /^[bu]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9a-f]{24}@/i;

/** The addresses of the service itself. */
export interface AddressBook {
  /** What mail to the address is for: `unknown` when it is at our host or in the form of ours, and none; undefined when it is somebody else's. */
  find(address: string): Purpose | 'unknown' | undefined;
}

/** Where feedback reports are sent to: the address to register with mailbox providers. */
export function feedbackAddressOf(mailHostname: string): string {
  return `fbl@${bounceHostOf(mailHostname)}`;
}

/** The envelope sender of what is forwarded. */
export function forwardSenderOf(mailHostname: string): string {
  return `forwards@${bounceHostOf(mailHostname)}`;
}

/** The addresses below a mail host name, signed with the key of the installation. */
export function createAddressBook(mailHostname: string, key: string | Buffer): AddressBook {
  const named = new Map<string, Purpose>([
    [feedbackAddressOf(mailHostname).toLowerCase(), { kind: 'feedback' }],
    [forwardSenderOf(mailHostname).toLowerCase(), { kind: 'discard' }],
    [ownSenderOf(mailHostname).toLowerCase(), { kind: 'discard' }],
  ]);
  const ourHosts = new Set([bounceHostOf(mailHostname).toLowerCase(), mailHostname.toLowerCase()]);
  return {
    find(address) {
      const bounced = messageOfReturnPath(address, key);
      if (bounced !== undefined) return { kind: 'bounce', messageId: bounced };
      const unsubscribed = messageOfUnsubscribeAddress(address, key);
      if (unsubscribed !== undefined) return { kind: 'unsubscribe', messageId: unsubscribed };
      const lower = mailboxKey(address);
      if (isOwnPostmaster(lower, ourHosts)) return { kind: 'postmaster' };
      const isOurs = ourHosts.has(lower.slice(lower.lastIndexOf('@') + 1)) || SIGNED_FORM.test(address);
      return named.get(lower) ?? (isOurs ? 'unknown' : undefined);
    },
  };
}

/** The host whose postmaster (or abuse desk) the address is; undefined when it is somebody else's, or names no host. */
export function hostOfPostmaster(address: string): string | undefined {
  return POSTMASTER.exec(address)?.[1];
}

// An address literal is the address that the client has found us at, whatever lies between.
function isOwnPostmaster(address: string, ourHosts: ReadonlySet<string>): boolean {
  const [found, host] = POSTMASTER.exec(address) ?? [];
  return found !== undefined && (host === undefined || host.startsWith('[') || ourHosts.has(host));
}
