import { createHmac } from 'node:crypto';
import { asciiDomain } from '../domain/ascii.ts';

// 96 bits: `b-`, a UUID, `-` and this make 63 of the 64 characters that a local part may have (RFC 5321, 4.5.3.1.1).
const HMAC_HEX_DIGITS = 24;

/**
 * The envelope sender of a message, `b-<message_id>-<hmac>@<return_path_hostname>.<domain>`: a bounce that comes back to it is
 * known to be an answer to this message, because nobody else can compute the HMAC. Lower-case hexadecimal, since some servers
 * change the case of a local part.
 */
export function returnPathOf(
  message: { messageId: string; returnPathHostname: string; domainName: string },
  key: string | Buffer,
): string {
  const hmac = createHmac('sha256', key).update(`return-path:${message.messageId}`).digest('hex');
  const host = asciiDomain(`${message.returnPathHostname}.${message.domainName}`);
  return `b-${message.messageId}-${hmac.slice(0, HMAC_HEX_DIGITS)}@${host}`;
}
