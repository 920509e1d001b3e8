import { bounceHostOf } from '../domain/bounce-host.ts';
import { messageOfSignedAddress, signedLocalPart } from './signed-address.ts';

const UNSUBSCRIBE = { letter: 'u', label: 'unsubscribe' };

/** Where a mail unsubscribes the recipient of a message, `u-<message_id>-<hmac>@bounces.<mail hostname>`. */
export function unsubscribeAddressOf(messageId: string, mailHostname: string, key: string | Buffer): string {
  return `${signedLocalPart(UNSUBSCRIBE, messageId, key)}@${bounceHostOf(mailHostname)}`;
}

/** The message whose unsubscribe address this is, in any case and at any host; undefined for every other address. */
export function messageOfUnsubscribeAddress(address: string, key: string | Buffer): string | undefined {
  return messageOfSignedAddress(UNSUBSCRIBE, address, key);
}
