/** What a reply to one delivery attempt means for the message. */
export interface Verdict {
  event: 'delivery' | 'soft_bounce' | 'hard_bounce';
  /** Another attempt may succeed; false when the message is final. */
  retry: boolean;
}

/** The step of the SMTP conversation that a reply answers. `message` is the reply after the final dot. */
export type SmtpStage =
  | 'connect'
  | 'greeting'
  | 'ehlo'
  | 'starttls'
  | 'auth'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'message';

/** A reply of the remote server: its code, and its text with the enhanced status that it may begin with. */
export interface SmtpReply {
  code: number;
  text: string;
  stage: SmtpStage;
}

/** An enhanced status code (RFC 3463): success, persistent transient or permanent failure; subject; detail. */
export interface EnhancedStatus {
  class: 2 | 4 | 5;
  subject: number;
  detail: number;
}

const DELIVERED: Verdict = { event: 'delivery', retry: false };
const TRY_AGAIN: Verdict = { event: 'soft_bounce', retry: true };
const REFUSED: Verdict = { event: 'soft_bounce', retry: false };
const NO_SUCH_RECIPIENT: Verdict = { event: 'hard_bounce', retry: false };

/** The address or its domain does not exist, or takes no mail at all. Everything else may be cured, so it suppresses nobody. */
const RECIPIENT_IS_UNKNOWN: ReadonlySet<string> = new Set([
  '5.1.1', // bad destination mailbox
  '5.1.2', // bad destination system
  '5.1.3', // bad destination mailbox syntax
  '5.1.6', // mailbox has moved, no forwarding address
  '5.1.10', // null MX (RFC 7505)
  '5.2.1', // mailbox disabled
]);

/** What servers without enhanced status codes say about an address that they do not know. */
const SAYS_UNKNOWN_USER = new RegExp(
  [
    String.raw`\b(user|recipient|mailbox|account|address|addressee|alias)\b[^.;]{0,80}\b(unknown|not known|does not exist|doesn'?t exist|do not exist|not exist|not found|no longer (exists|valid|available|active|in use)|is (invalid|inactive|disabled)|not a valid|has been (disabled|deleted|closed))`,
    String.raw`\b(unknown|invalid|no such|nonexistent|non-existent|inactive) (local |virtual )?(user|recipient|mailbox|account|address|addressee|alias|local part|person)\b`,
    String.raw`\bno (mailbox|user|account|recipient) (here|found|by that name|of that name)`,
    String.raw`\b(user|mailbox|recipient) unavailable\b`,
    String.raw`\bnot (our|a local) customer\b`,
    String.raw`\bunrouteable address\b`,
    String.raw`\bthere is no (one|user|mailbox)\b`,
    String.raw`\bbad destination mailbox\b`,
  ].join('|'),
  'i',
);

/** The address that such a text names is ours, not the recipient's: it says nothing about the recipient. */
const SPEAKS_OF_SENDER =
  /\b(sender|return[- ]path|envelope[- ]from|from address|helo|ehlo|client host|your (host|ip|server|domain))\b/i;

interface Rule {
  name: string;
  matches(reply: SmtpReply, status: EnhancedStatus | undefined): boolean;
  verdict: Verdict;
}

/**
 * The first rule that matches decides. Order matters: the code's first digit before the text, what is known before
 * what is only likely. The last rule matches everything.
 */
const RULES: readonly Rule[] = [
  {
    name: 'The message was taken',
    matches: ({ code, stage }) => codeClass(code) === 2 && stage === 'message',
    verdict: DELIVERED,
  },
  {
    name: "A server refused our credentials or the encryption that we insist on: the operators' affair, and no reason to give up anybody's mail",
    matches: ({ stage }) => stage === 'auth' || stage === 'starttls',
    verdict: TRY_AGAIN,
  },
  {
    name: 'Temporary by its code, whatever the text says',
    matches: ({ code }) => codeClass(code) === 4,
    verdict: TRY_AGAIN,
  },
  {
    name: 'Not a reply that SMTP knows at this point: a broken session',
    matches: ({ code }) => codeClass(code) !== 5,
    verdict: TRY_AGAIN,
  },
  {
    name: 'Refused before the recipient was named: about us, not about the recipient',
    matches: ({ stage }) => stage !== 'rcpt' && stage !== 'data' && stage !== 'message',
    verdict: REFUSED,
  },
  {
    name: 'The recipient is unknown by the enhanced status',
    matches: (_reply, status) => status !== undefined && RECIPIENT_IS_UNKNOWN.has(format(status)),
    verdict: NO_SUCH_RECIPIENT,
  },
  {
    name: 'Office 365 for an address that the organisation does not have',
    matches: ({ code, text }, status) =>
      code === 550 && status !== undefined && format(status) === '5.4.1' && /access denied/i.test(text),
    verdict: NO_SUCH_RECIPIENT,
  },
  {
    name: 'No telling enhanced status, and a text that says the user is unknown',
    matches: ({ code, text }, status) =>
      BARE_CODES.has(code) &&
      saysNothing(status) &&
      SAYS_UNKNOWN_USER.test(text) &&
      !SPEAKS_OF_SENDER.test(text),
    verdict: NO_SUCH_RECIPIENT,
  },
  {
    name: 'Any other permanent refusal: policy, quota, size, content',
    matches: () => true,
    verdict: REFUSED,
  },
];

const BARE_CODES: ReadonlySet<number> = new Set([550, 551, 553]);

/** What a reply means for the message, by the first rule of the table that matches. */
export function verdictOfReply(reply: SmtpReply): Verdict {
  const status = parseEnhancedStatus(reply.text);
  // A status of another class than the code contradicts it and is no help.
  const consistent = status?.class === codeClass(reply.code) ? status : undefined;
  return RULES.find((rule) => rule.matches(reply, consistent))?.verdict ?? REFUSED;
}

/**
 * What a fault on our side of the conversation means (the network, the DNS, what the message needs and the server lacks).
 * `status` is the enhanced status that describes it: 4.x.x is tried again, 5.x.x is final.
 */
export function verdictOfFault(status: string): Verdict {
  if (!status.startsWith('5.')) return TRY_AGAIN;
  return RECIPIENT_IS_UNKNOWN.has(status) ? NO_SUCH_RECIPIENT : REFUSED;
}

const LINE_PREFIX = /^\d{3}[ -]/;
const ENHANCED_STATUS = /^[[(]?#?([245])\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})(?![\d.]*\d)/;
const QMAIL_STATUS = /\(#([245])\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\)/;

/**
 * The enhanced status at the head of a reply's text (with or without the reply code before it), or in qmail's form
 * `(#5.1.1)` anywhere on its first line. Undefined when there is none or it is malformed; never throws.
 */
export function parseEnhancedStatus(text: string): EnhancedStatus | undefined {
  const line = (text.slice(0, 2048).split(/[\r\n]/, 1)[0] ?? '').replace(LINE_PREFIX, '').trimStart();
  const [, statusClass, subject, detail] = ENHANCED_STATUS.exec(line) ?? QMAIL_STATUS.exec(line) ?? [];
  if (statusClass !== '2' && statusClass !== '4' && statusClass !== '5') return undefined;
  return { class: CLASS_OF_DIGIT[statusClass], subject: Number(subject), detail: Number(detail) };
}

const CLASS_OF_DIGIT = { '2': 2, '4': 4, '5': 5 } as const;

function format(status: EnhancedStatus): string {
  return `${status.class}.${status.subject}.${status.detail}`;
}

function codeClass(code: number): number {
  return Math.floor(code / 100);
}

/** No status, or `5.0.0`, which is "other or undefined". */
function saysNothing(status: EnhancedStatus | undefined): boolean {
  return status === undefined || (status.subject === 0 && status.detail === 0);
}
