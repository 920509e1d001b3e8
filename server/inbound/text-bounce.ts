import { safeText } from '../domain/safe-text.ts';
import { type Verdict, verdictOfReply } from '../domain/smtp-verdict.ts';

/** What a bounce in plain words says. */
export interface TextBounce {
  verdict: Verdict['event'];
  /** The line that decided, safe to store and show. */
  response: string;
}

const LONGEST_TEXT = 32_768;
const LONGEST_LINE = 1000;
const LONGEST_RESPONSE = 500;

/** From here on it is the mail that came back, not the words of the server. */
const COPY_BEGINS =
  /^.{0,40}(?:below this line is a copy|this is a copy of (?:the|your) message|original message|returned message|message headers? follow|urspr.{1,3}ngliche nachricht|message d.origine|mensaje original)/im;

/** The server has not given up: more will come of it. */
const NOT_FINAL =
  /\b(?:still trying|will (?:be retried|continue to (?:try|retry|attempt)|keep trying|try again|retry)|(?:has|have) not (?:yet )?been delivered yet|not yet been delivered|delivery (?:has been |is )?delayed|delivery status notification \(delay\)|could not send message for past|you do not need to resend|warning: message|noch nicht zugestellt|verz.{1,3}gert|retard de remise)\b/i;
const GIVES_UP =
  /\b(?:giving up|given up|permanent(?:ly)? (?:error|fail)|returned to (?:the )?sender|aufgegeben)\b/i;

/** What a mail system calls a mail that did not arrive, in the languages that such systems speak. */
const FAILED =
  /undeliver|not (?:be )?delivered|delivery (?:has |to .{1,100} )?failed|delivery failure|failure notice|returned (?:mail|to sender)|unable to deliver|unzustellbar|nicht zugestellt|zustellung fehlgeschlagen|non remis|.chec de (?:la )?(?:remise|distribution)|no se (?:pudo|ha podido) entregar|no entregado|mancat[oa] (?:recapito|consegna)|impossibile recapitare|n.o (?:foi )?entregue|niet (?:bezorgd|afgeleverd)|не ?доставлен|nie dostarczon|配信不能|送信できません|退信|无法投递|未送达/i;

/** Where servers repeat a reply of SMTP in their text, the surest first. */
const REPLIES: readonly RegExp[] = [
  /\b([45][0-5]\d)[ -](#?[45]\.\d{1,3}\.\d{1,3}\b.*)/,
  /\b(?:said|says|responded|response|replied|returned|error|reason|host|server|smtp|rcpt to)\b.{0,200}?: ?["'<]?([45][0-5]\d)[ -](\S.*)/i,
  /^[\s>"']{0,20}([45][0-5]\d)(?:[ -]|: )(\S.*)/,
];
const BARE_STATUS = /#([45])\.\d{1,3}\.\d{1,3}\b/;
const SENDER_REFUSED = /\bsender was rejected\b/i;

/**
 * Reads a bounce that has no machine-readable part: a reply that it repeats, or else its words. Undefined when it is none, or not
 * final. `subject` is read along; only words of a mail system (`isFromSystem`) count without a reply among them.
 */
export function readTextBounce(
  text: string,
  { subject, isFromSystem }: { subject: string; isFromSystem: boolean },
): TextBounce | 'not_final' | undefined {
  const told = ownWords(text);
  if (isDelay(`${subject}\n${told}`)) return 'not_final';
  const lines = told
    .split('\n')
    .map((line) => line.slice(0, LONGEST_LINE).trim())
    .filter((line) => line !== '');
  return bounceByReply(lines) ?? (isFromSystem ? bounceByWords(lines, subject) : undefined);
}

/** Whether a text says that the server goes on trying. */
export function isDelay(text: string): boolean {
  return NOT_FINAL.test(text) && !GIVES_UP.test(text);
}

/** The text up to the mail that it returns, without the tags of HTML. */
export function ownWords(text: string): string {
  const beginning = text.slice(0, LONGEST_TEXT);
  const words = /<(?:html|body|p|br|div)\b/i.test(beginning) ? withoutTags(beginning) : beginning;
  const copy = COPY_BEGINS.exec(words);
  return copy === null ? words : words.slice(0, copy.index);
}

function withoutTags(html: string): string {
  return html
    .replace(/<\/?(?:p|br|div|tr|li|h\d)\b[^<>]{0,500}>/gi, '\n')
    .replace(/<\/?[a-z!][^<>@]{0,2000}>/gi, ' ')
    .replace(/&nbsp;/gi, ' ')
    .replace(/&lt;/gi, '<')
    .replace(/&gt;/gi, '>')
    .replace(/&amp;/gi, '&');
}

function bounceByReply(lines: readonly string[]): TextBounce | undefined {
  const isAboutSender = lines.some((line) => SENDER_REFUSED.test(line));
  for (const pattern of REPLIES) {
    for (const line of lines) {
      const [, code, text = ''] = pattern.exec(line) ?? [];
      if (code !== undefined) return judged(Number(code), text, `${code} ${text}`, isAboutSender);
    }
  }
  for (const line of lines) {
    const [, digit] = BARE_STATUS.exec(line) ?? [];
    if (digit !== undefined) return judged(digit === '4' ? 450 : 550, line, line, isAboutSender);
  }
  return undefined;
}

function bounceByWords(lines: readonly string[], subject: string): TextBounce | undefined {
  for (const line of lines) {
    const bounce = judged(550, line, line, false);
    if (bounce.verdict === 'hard_bounce') return bounce;
  }
  const line = [...lines, subject].find((candidate) => FAILED.test(candidate));
  return line === undefined ? undefined : judged(550, '', line, false);
}

function judged(code: number, text: string, shown: string, isAboutSender: boolean): TextBounce {
  const { event } = verdictOfReply({ code, text, stage: isAboutSender ? 'mail' : 'rcpt' });
  return { verdict: event, response: safeText(shown, LONGEST_RESPONSE) };
}
