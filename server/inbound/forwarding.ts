import { toEpochMs } from '../domain/time.ts';
import type { ReceivedMail } from './destination.ts';
import { headerValues } from './headers.ts';
import type { MimePart } from './mime.ts';

const MOST_HOPS = 25;
const LONGEST_NAME = 255;

/** A mail that goes on, and where to. */
export interface ForwardedMail {
  recipient: string;
  raw: Buffer;
}

/**
 * A request to unsubscribe as it goes on to the sender's own address: the original, with the trace header of this hop. Undefined
 * when there is no such address (`listUnsubscribe` may be a URL), or the mail has gone round in circles.
 */
export function forwardOf(
  mail: ReceivedMail,
  content: MimePart,
  listUnsubscribe: string | null,
  mailHostname: string,
): ForwardedMail | undefined {
  const recipient = listUnsubscribe?.replace(/^mailto:/i, '') ?? '';
  if (!/^[^\s@:]+@[^\s@:/]+$/.test(recipient)) return undefined;
  if (isCircling(content)) return undefined;
  return { recipient, raw: traced(mail, mailHostname) };
}

/** Mail for the postmaster as it goes on to his mailbox; undefined when it has been here before, or goes round in circles. */
export function forwardToPostmaster(
  mail: ReceivedMail,
  content: MimePart,
  recipient: string,
  mailHostname: string,
): ForwardedMail | undefined {
  const ownTrace = ` by ${mailHostname} with ESMTP;`;
  const hasBeenHere = headerValues(content.headers, 'received').some((value) => value.includes(ownTrace));
  return hasBeenHere || isCircling(content) ? undefined : { recipient, raw: traced(mail, mailHostname) };
}

function isCircling(content: MimePart): boolean {
  return headerValues(content.headers, 'received').length >= MOST_HOPS;
}

/** The mail as it came, under the trace header of this hop. */
function traced(mail: ReceivedMail, mailHostname: string): Buffer {
  return Buffer.concat([traceHeader(mail, mailHostname), withCrlf(mail.raw)]);
}

/** The Received header (RFC 5321, 4.4). */
function traceHeader({ client, receivedAt }: ReceivedMail, mailHostname: string): Buffer {
  const name = client.name.replace(/[^\w.:[\]-]+/g, '').slice(0, LONGEST_NAME);
  const date = new Date(toEpochMs(receivedAt)).toUTCString().replace('GMT', '+0000');
  return Buffer.from(
    `Received: from ${name || 'unknown'} ([${client.address}])\r\n\tby ${mailHostname} with ESMTP;\r\n\t${date}\r\n`,
  );
}

// A bare CR or LF that goes on could be the end of the mail to the next server.
function withCrlf(raw: Buffer): Buffer {
  return Buffer.from(raw.toString('latin1').replace(/\r\n|\r|\n/g, '\r\n'), 'latin1');
}
