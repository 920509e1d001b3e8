import { isAutomaticReply, isFromMailSystem } from './automatic.ts';
import { decodeWords } from './charset.ts';
import { type DeliveryStatus, readDeliveryStatus } from './delivery-status.ts';
import { headerValue } from './headers.ts';
import { leaves, type MimePart } from './mime.ts';
import { ownWords, readTextBounce } from './text-bounce.ts';

/** A message that was taken and came back after all. */
export interface Bounce {
  kind: 'bounce';
  verdict: 'soft_bounce' | 'hard_bounce';
  /** The reply that decided, in one line that is safe to store and show. */
  response: string;
  /** The server that refused the mail; empty when the report names none. */
  host: string;
  /** The fields of the report, if it has some. */
  fields: string;
}

/** Why a mail to a return path changes nothing: it is no report at all, or one of something that is not over or went well. */
export type NoBounce = { kind: 'none'; reason: 'automatic_reply' | 'not_final' | 'not_a_report' };

const STATUS_TYPE = /^message\/(?:global-)?delivery-status$/;
/** The mail that came back, or its headers: nothing in it is said by the server. */
const RETURNED_TYPE = /^(?:message\/(?:rfc822|global|partial)|(?:text|message)\/(?:rfc822|global)-headers)$/;

/**
 * Reads a mail that came to a return path: a report (RFC 3464, also one in the wrong place or of the wrong type), or a bounce in
 * plain words. `isNullSender` is whether its own envelope sender is empty, as that of every report should be.
 */
export function readBounce(mail: MimePart, isNullSender: boolean): Bounce | NoBounce {
  const parts = leaves(mail).filter(({ type }) => !RETURNED_TYPE.test(type));
  const declared = parts.find(({ type }) => STATUS_TYPE.test(type));
  const status = declared === undefined ? undefined : readDeliveryStatus(declared.text);
  if (status !== undefined) return bounceOf(status);

  const isFromSystem = isFromMailSystem(mail.headers);
  if (isAutomaticReply(mail.headers) && !isFromSystem) return { kind: 'none', reason: 'automatic_reply' };
  if (!isFromSystem && !isNullSender && mail.type !== 'multipart/report')
    return { kind: 'none', reason: 'not_a_report' };
  return strayStatus(parts) ?? bounceInWords(mail, parts, isFromSystem);
}

/** A hard bounce only when nothing in the report speaks against it: one expanded address that works is an address that works. */
function bounceOf({ recipients, host, fields }: DeliveryStatus): Bounce | NoBounce {
  const failed = recipients.filter((recipient) => recipient.failed);
  const decisive = failed.find(({ verdict }) => verdict !== 'hard_bounce') ?? failed[0];
  if (decisive === undefined) return { kind: 'none', reason: 'not_final' };
  const isHard = decisive.verdict === 'hard_bounce' && failed.length === recipients.length;
  const verdict = isHard ? 'hard_bounce' : 'soft_bounce';
  return { kind: 'bounce', verdict, response: decisive.response, host, fields };
}

/** The fields of a report in a part that does not say that it has them. */
function strayStatus(parts: readonly MimePart[]): Bounce | NoBounce | undefined {
  for (const { text } of parts) {
    const status = readDeliveryStatus(ownWords(text));
    if (status !== undefined) return bounceOf(status);
  }
  return undefined;
}

function bounceInWords(mail: MimePart, parts: readonly MimePart[], isFromSystem: boolean): Bounce | NoBounce {
  const subject = decodeWords(headerValue(mail.headers, 'subject'));
  for (const { type, text } of parts) {
    if (!type.startsWith('text/') && !type.startsWith('multipart/')) continue;
    const bounce = readTextBounce(text, { subject, isFromSystem });
    if (bounce === 'not_final') return { kind: 'none', reason: 'not_final' };
    if (bounce === undefined || bounce.verdict === 'delivery') continue;
    return { kind: 'bounce', verdict: bounce.verdict, response: bounce.response, host: '', fields: '' };
  }
  return { kind: 'none', reason: 'not_a_report' };
}
