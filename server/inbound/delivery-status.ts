import { safeText } from '../domain/safe-text.ts';
import { type Verdict, verdictOfReply } from '../domain/smtp-verdict.ts';
import { type Header, headerValue, readHeaders } from './headers.ts';

/** What a report says of a recipient: that it failed, or anything else (`delayed`, `delivered`, `relayed`, `expanded`). */
export interface RecipientStatus {
  failed: boolean;
  verdict: Verdict['event'];
  /** The reply of the server that refused the mail, in one line that is safe to store and show. */
  response: string;
}

/** A machine-readable report (RFC 3464). */
export interface DeliveryStatus {
  recipients: RecipientStatus[];
  /** The server that refused the mail, or else the one that tells of it; empty when neither is named. */
  host: string;
  /** The fields as they came, for whoever looks for a fault. */
  fields: string;
}

const MOST_LINES = 2000;
const MOST_GROUPS = 100;
const LONGEST_RESPONSE = 500;
const LONGEST_FIELDS = 4000;
const LONGEST_HOST = 255;

/**
 * Reads the fields of a report wherever they stand in the text: groups of lines, one for each recipient. Undefined when there is
 * no group that names a recipient and says what became of the mail.
 */
export function readDeliveryStatus(text: string): DeliveryStatus | undefined {
  const groups = groupsOf(text).filter((group) => isRecipient(group) || has(group, 'reporting-mta'));
  const recipients = groups.filter(isRecipient);
  if (recipients.length === 0) return undefined;
  return {
    recipients: recipients.map(statusOf),
    host: hostOf(groups),
    fields: groups.map(asLines).join('\n\n').slice(0, LONGEST_FIELDS),
  };
}

function groupsOf(text: string): Header[][] {
  const groups: Header[][] = [];
  let lines: readonly string[] = text.split(/\r\n|\n|\r/, MOST_LINES);
  while (lines.length > 0 && groups.length < MOST_GROUPS) {
    const start = lines.findIndex((line) => /^[A-Za-z][A-Za-z-]*[ \t]*:/.test(line));
    if (start === -1) break;
    const { headers, body } = readHeaders(lines.slice(start));
    groups.push(headers);
    lines = body;
  }
  return groups;
}

function isRecipient(group: readonly Header[]): boolean {
  const isNamed = ['final-recipient', 'original-recipient', 'diagnostic-code'].some((name) =>
    has(group, name),
  );
  return isNamed && (has(group, 'action') || has(group, 'status'));
}

function has(group: readonly Header[], name: string): boolean {
  return headerValue(group, name) !== '';
}

function statusOf(group: readonly Header[]): RecipientStatus {
  const action = /^[a-z]+/i.exec(headerValue(group, 'action'))?.[0].toLowerCase();
  const [status = ''] = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(headerValue(group, 'status')) ?? [];
  const reply = replyOf(headerValue(group, 'diagnostic-code'), status);
  const { event } = verdictOfReply({ ...reply, stage: 'rcpt' });
  return {
    // Without an Action, a permanent status says it.
    failed: action === undefined ? status.startsWith('5') : action === 'failed',
    verdict: event === 'delivery' ? 'soft_bounce' : event,
    response: safeText(reply.shown, LONGEST_RESPONSE),
  };
}

/**
 * The SMTP reply behind a report. The reply in the Diagnostic-Code counts before the Status, since some servers write 5.1.1 for
 * whatever the reply was; without a reply the Status has to do.
 */
function replyOf(diagnostic: string, status: string): { code: number; text: string; shown: string } {
  const text = diagnostic.replace(/^[\w.+-]{1,50}\s*;\s*/, '').trim();
  const [, digits, rest = ''] = /^([45]\d\d)(?:[ -]\s*|$)(.*)/s.exec(text) ?? [];
  if (digits !== undefined && rest !== '') return { code: Number(digits), text: rest, shown: text };
  const told = `${status} ${text}`.trim();
  const code = status.startsWith('4') ? 450 : 550;
  return { code, text: told, shown: told === '' ? 'The report gives no reason' : told };
}

function hostOf(groups: readonly (readonly Header[])[]): string {
  for (const name of ['remote-mta', 'reporting-mta']) {
    const value = groups.map((group) => headerValue(group, name)).find((found) => found !== '');
    if (value !== undefined) return safeText(value.replace(/^[\w-]{1,50}\s*;\s*/, ''), LONGEST_HOST);
  }
  return '';
}

function asLines(group: readonly Header[]): string {
  return group.map(({ name, value }) => `${name}: ${safeText(value, LONGEST_RESPONSE)}`).join('\n');
}
