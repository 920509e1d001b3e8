import { parseEnhancedStatus, type SmtpReply } from './smtp-verdict.ts';

// Of one recipient's mailbox: full, greylisted, too much mail for it. Other recipients of the provider have nothing to do with it.
const IS_ABOUT_RECIPIENT = /^4\.[12]\.\d+$/;
const SAYS_RECIPIENT =
  /\b(grey-?list|graylist|over ?quota|mailbox (is )?full|user you are trying to contact|storage)/i;

const SAYS_SLOW_DOWN = new RegExp(
  [
    String.raw`\b(too|so) (many|fast|frequent|much)\b`,
    String.raw`\brate[- ]?limit|\b(unusual|high|sending|message|connection|mail) rate\b|\brate (of|that|exceed)`,
    String.raw`\bthrottl|\bslow(ing)? down\b|\bexceed(ed|s)?\b.{0,60}\b(limit|rate|connections?|messages)\b`,
    String.raw`\btemporarily (deferred|rate|blocked|limited)|\bpermanently deferred\b|\bunexpected volume\b`,
    String.raw`\b(server|system|service|resources?) (is |are )?(too )?busy\b|\binsufficient system resources\b`,
    String.raw`\bdue to (ip |your )?reputation\b`,
  ].join('|'),
  'i',
);

/**
 * Whether a temporary refusal asks the sender to come more slowly, and not only this message to come later: it stands before any
 * recipient was named, closes the connection, or says so.
 */
export function asksToSlowDown({ code, text, stage }: SmtpReply): boolean {
  if (code < 400 || code > 499 || stage === 'auth' || stage === 'starttls') return false;
  const line = text.slice(0, 2048);
  if (SAYS_RECIPIENT.test(line)) return false;
  if (SAYS_SLOW_DOWN.test(line)) return !isAboutRecipient(line);
  return code === 421 || stage === 'connect' || stage === 'greeting' || stage === 'ehlo';
}

function isAboutRecipient(text: string): boolean {
  const status = parseEnhancedStatus(text);
  return (
    status !== undefined && IS_ABOUT_RECIPIENT.test(`${status.class}.${status.subject}.${status.detail}`)
  );
}
