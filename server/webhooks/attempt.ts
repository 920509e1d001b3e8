import type { OutgoingNotification } from '../contract/webhook-check.ts';
import { safeText } from '../domain/safe-text.ts';
import type { Clock } from '../domain/time.ts';
import { consequenceOf, resultOf } from '../domain/webhook-outcome.ts';
import type { WebhookAttempt } from '../domain/webhooks.ts';
import type { DueNotification, NotificationOutcome } from '../store/webhook-rows.ts';
import type { HttpAnswer } from './exchange.ts';
import { ForbiddenTarget } from './guard.ts';
import type { HttpLine } from './http-sender.ts';
import type { NotificationSigner } from './signature.ts';
import { describeFault } from './transport-faults.ts';

/** What every attempt needs. */
export interface AttemptParts {
  clock: Clock;
  /** What is wrong with a notification, if it would break the contract. */
  faultIn(notification: OutgoingNotification): string | undefined;
  sign: NotificationSigner;
  userAgent: string;
}

/** What came of sending: the part of the attempt that is not said by the notification. */
type Sent = Pick<WebhookAttempt, 'status_code' | 'result' | 'response'> & { retryAfter?: string | undefined };

const LONGEST_RESPONSE = 1000;

/** Sends a notification once, over the line of its endpoint, and says what follows. Never rejects. */
export async function attempt(
  due: DueNotification,
  line: HttpLine,
  parts: AttemptParts,
): Promise<NotificationOutcome> {
  const { clock } = parts;
  const attemptedAt = clock.now();
  const startedAt = performance.now();
  const { retryAfter, ...sent } = await send(due, line, parts);
  const durationMs = Math.round(performance.now() - startedAt);
  const facts = { result: sent.result, finishedAt: clock.now(), retryAfter };
  return {
    sequence: due.sequence,
    webhookId: due.webhookId,
    takenAt: due.takenAt,
    isTest: due.isTest,
    attempt: { attempted_at: attemptedAt, url: due.url, duration_ms: durationMs, ...sent },
    ...consequenceOf(due, facts, Math.random(), Date.now()),
  };
}

async function send(due: DueNotification, line: HttpLine, parts: AttemptParts): Promise<Sent> {
  const { event, url, payload: body } = due;
  const headers = headersOf(due, parts);
  const fault = parts.faultIn({ event, headers, body: parsed(body) });
  if (fault !== undefined) return broken(fault);
  return sentOf(await line.post({ url, headers, body }));
}

// The real time, whatever the sandbox's clock says: receivers refuse what is minutes away from their own.
function headersOf({ notificationId, payload, secrets }: DueNotification, { sign, userAgent }: AttemptParts) {
  const timestamp = Math.floor(Date.now() / 1000);
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': notificationId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign({ id: notificationId, timestamp, body: payload }, secrets),
  };
}

/** Undefined, which no contract allows, for what is not JSON. */
function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

function broken(fault: string): Sent {
  const response = safeText(`Not sent, as it would break the contract: ${fault}`, LONGEST_RESPONSE);
  return { status_code: null, result: 'invalid_payload', response };
}

function sentOf(answer: HttpAnswer): Sent {
  switch (answer.kind) {
    case 'answered': {
      const { status, retryAfter, body } = answer;
      const response = safeText(body.toString('utf8'), LONGEST_RESPONSE);
      return { status_code: status, result: resultOf(status), response, retryAfter };
    }
    case 'timed out':
      return { status_code: null, result: 'timed_out', response: 'There was no answer in time.' };
    case 'failed':
      return {
        status_code: null,
        result: isForbidden(answer.error) ? 'forbidden_address' : 'unreachable',
        response: safeText(describeFault(answer.error), LONGEST_RESPONSE),
      };
  }
}

function isForbidden(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isForbidden);
  return error instanceof ForbiddenTarget;
}
