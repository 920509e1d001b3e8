import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type Answer, MailRefused, type ReceivedMail, type Refusal } from './destination.ts';
import { type ForwardedMail, forwardToPostmaster } from './forwarding.ts';
import type { MimePart } from './mime.ts';
import { networkOf } from './strangers.ts';

/** Mail for the people who run the service, which goes on to a mailbox of theirs. */
export interface Postmaster {
  /** What is said to a recipient that is the postmaster or the abuse desk. */
  answer: Answer;
  /** What goes on. Rejects with MailRefused when the mail is too large, one of too many, or has been here before. */
  forwardOf(mail: ReceivedMail, content: MimePart): Promise<ForwardedMail>;
}

export interface PostmasterOptions {
  /** Undefined: nobody reads such mail. */
  mailbox: string | undefined;
  mailHostname: string;
  /** Mail that nobody reads is left to the sink. */
  isSandbox: boolean;
}

const AN_HOUR_SECONDS = 3600;
const MOST_FROM_A_NETWORK = 30;
const MOST_TOGETHER = 300;
const NOBODY: Refusal = { code: 550, text: '5.1.1 Nobody has been named to read this mail' };
const TOO_LARGE: Refusal = { code: 552, text: '5.3.4 The postmaster takes mails up to 1 MB' };
const TOO_MANY: Refusal = { code: 451, text: '4.7.1 Too much mail for the postmaster; try again in an hour' };
const CIRCLE: Refusal = { code: 554, text: '5.4.6 This mail goes round in circles' };

/** The postmaster of this installation; how much he gets is counted in this process. */
export function createPostmaster({ mailbox, mailHostname, isSandbox }: PostmasterOptions): Postmaster {
  const each = new RateLimiterMemory({ points: MOST_FROM_A_NETWORK, duration: AN_HOUR_SECONDS });
  const together = new RateLimiterMemory({ points: MOST_TOGETHER, duration: AN_HOUR_SECONDS });
  const nobodys = isSandbox ? undefined : NOBODY;
  return {
    answer: mailbox === undefined ? nobodys : 'taken',
    async forwardOf(mail, content) {
      if (mailbox === undefined) throw new MailRefused(NOBODY);
      if (!mail.isComplete) throw new MailRefused(TOO_LARGE);
      const forward = forwardToPostmaster(mail, content, mailbox, mailHostname);
      if (forward === undefined) throw new MailRefused(CIRCLE);
      await spend(each, networkOf(mail.client.address));
      await spend(together, '');
      return forward;
    },
  };
}

async function spend(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new MailRefused(TOO_MANY);
  }
}
