import { randomUUIDv7 } from 'node:crypto';
import { nextAttemptAt } from '../domain/retry-schedule.ts';
import { safeText } from '../domain/safe-text.ts';
import type { Timestamp } from '../domain/time.ts';
import type { DeliveryJob, DeliveryRecord, OutgoingMessage } from '../store/delivery-rows.ts';
import type { Attempt } from './mail.ts';

const LONGEST_REASON = 500;
const LONGEST_RESPONSE = 1000;

/**
 * What is to be written down of an attempt: its entry in the delivery log, its event, and when to try again. A temporary failure after
 * which there is no time left ends the message, and its event says so (RFC 3463: 5.4.7, delivery time expired).
 */
export function recordOf(
  job: DeliveryJob,
  message: OutgoingMessage,
  attempt: Attempt,
  { startedAt, finishedAt }: { startedAt: Timestamp; finishedAt: Timestamp },
): DeliveryRecord {
  const { verdict, host, response, transcript } = attempt;
  const number = message.attempts + 1;
  const retryAt = verdict.retry
    ? nextAttemptAt(message.acceptedAt, finishedAt, number, Math.random())
    : undefined;
  const isGivenUp = verdict.retry && retryAt === undefined;
  const smtpLogId = randomUUIDv7();
  return {
    job,
    attempt: {
      smtpLogId,
      attempt: number,
      startedAt,
      finishedAt,
      host,
      verdict: verdict.event,
      response,
      transcript,
    },
    event: {
      type: verdict.event,
      eventId: randomUUIDv7(),
      messageId: message.messageId,
      receivedAt: finishedAt,
      smtpResponse: isGivenUp ? givenUp(`the last answer was: ${response}`) : response,
      smtpLogId,
    },
    ...(retryAt === undefined ? {} : { retryAt }),
  };
}

/** An attempt that ended on our side, before anybody was reached. */
export function localFailure(reason: string, retry: boolean): Attempt {
  return {
    verdict: { event: 'soft_bounce', retry },
    host: '',
    response: safeText(reason, LONGEST_REASON),
    transcript: '',
  };
}

/** The domain's key has to be seen to: the delivery log, the queue and the sender's events say so. */
export function unsigned({ domainName }: OutgoingMessage): Attempt {
  return localFailure(`4.7.5 The DKIM key of ${domainName} cannot be used; its messages wait`, true);
}

/** The end of a message whose time ran out while its destination was left alone. */
export function expiredUntried({ to }: OutgoingMessage): Attempt {
  const domain = to.email.slice(to.email.lastIndexOf('@') + 1);
  return localFailure(givenUp(`the mail servers of ${domain} take no mail at present`), false);
}

function givenUp(why: string): string {
  return safeText(`5.4.7 Given up after 72 hours; ${why}`, LONGEST_RESPONSE);
}
