import { asciiDomain } from '../domain/ascii.ts';
import { messageOfSignedAddress, signedLocalPart } from './signed-address.ts';

const RETURN_PATH = { letter: 'b', label: 'return-path' };

/**
 * The envelope sender of a message, `b-<message_id>-<hmac>@<return_path_hostname>.<domain>`: a bounce that comes back to it is
 * known to be an answer to this message.
 */
export function returnPathOf(
  message: { messageId: string; returnPathHostname: string; domainName: string },
  key: string | Buffer,
): string {
  const host = asciiDomain(`${message.returnPathHostname}.${message.domainName}`);
  return `${signedLocalPart(RETURN_PATH, message.messageId, key)}@${host}`;
}

/** The message whose return path this is, in any case and at any host; undefined for every other address. */
export function messageOfReturnPath(address: string, key: string | Buffer): string | undefined {
  return messageOfSignedAddress(RETURN_PATH, address, key);
}
