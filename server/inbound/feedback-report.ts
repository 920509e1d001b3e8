import { headerValue, headerValues, readHeaders } from './headers.ts';
import { leaves, type MimePart } from './mime.ts';

/** A complaint of a recipient that a mailbox provider passes on (RFC 5965). */
export interface FeedbackReport {
  /** Whether the recipient calls the mail unwanted; a report of type `not-spam` says the opposite. */
  isComplaint: boolean;
  /** The addresses in it that may be ours and then tell which message it is about. */
  addresses: string[];
}

const COMPLAINTS: ReadonlySet<string> = new Set(['abuse', 'fraud', 'virus']);
const ADDRESS = /[a-z0-9-]{1,64}@[a-z0-9.-]{1,255}/gi;
const MOST_ADDRESSES = 20;
const MOST_LINES = 2000;
/** The headers of a mail of ours that carry a signed address. */
const SIGNED_HEADERS = ['return-path', 'x-original-return-path', 'list-unsubscribe'];

/** Reads a feedback report. Undefined when the mail holds none, or several: then nobody can say what it means. */
export function readFeedbackReport(mail: MimePart): FeedbackReport | undefined {
  const parts = leaves(mail);
  const [report, ...others] = parts.filter(({ type }) => type === 'message/feedback-report');
  if (report === undefined || others.length > 0) return undefined;
  const { headers: fields } = readHeaders(linesOf(report.text));
  const type = headerValue(fields, 'feedback-type').toLowerCase();
  const originals = parts
    .filter(({ type }) => isOriginal(type))
    .map(({ text }) => readHeaders(linesOf(text)).headers);
  const texts = [
    headerValue(fields, 'original-mail-from'),
    ...originals.flatMap((headers) => SIGNED_HEADERS.flatMap((name) => headerValues(headers, name))),
  ];
  return {
    isComplaint: COMPLAINTS.has(type),
    addresses: texts.flatMap(addressesIn).slice(0, MOST_ADDRESSES),
  };
}

function isOriginal(type: string): boolean {
  return type === 'message/rfc822' || type === 'text/rfc822-headers' || type === 'message/global';
}

function addressesIn(text: string): string[] {
  return text.match(ADDRESS) ?? [];
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/, MOST_LINES);
}
