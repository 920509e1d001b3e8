import type { components } from '../../generated/types.ts';
import type { MessageVerdict } from '../contract/message-check.ts';
import type { AcceptableMessage, AcceptResult } from '../store/rows.ts';
import type { HandlersOf } from './tags.ts';

type SendEmailMessage = components['schemas']['SendEmailMessage'];
type SendEmailResult = components['schemas']['SendEmailResult'];

/** What the shape of a submitted message allows: to ask for its acceptance, or the result that rejects it. */
type Screened = { candidate: AcceptableMessage } | { rejected: SendEmailResult };

/** Checks one submitted message by itself against the contract. */
export type ValidateMessage = (item: unknown) => MessageVerdict;

export interface Sending {
  validateMessage: ValidateMessage;
  /** Told that there is new mail in the queue, so that a worker of this process need not find out by itself. */
  mailQueued?: () => void;
}

/** The operations of the tag Sending. */
export function sendingHandlers({ validateMessage, mailQueued }: Sending): HandlersOf<'Sending'> {
  return {
    sendEmail: async ({ body, caller }) => {
      const screened = body.map((item) => screen(item, validateMessage));
      const candidates = screened.flatMap((item) => ('candidate' in item ? [item.candidate] : []));
      const accepted = await caller.store.messages.accept(caller.accountId, candidates);
      mailQueued?.();
      const data = resultsInOrder(screened, accepted);
      return data.every(isAccepted)
        ? { status: 200, body: { data, meta: {} } }
        : { status: 207, body: { data, meta: {} } };
    },
  };
}

function isAccepted(result: SendEmailResult): result is components['schemas']['AcceptedMessage'] {
  return result.status === 'accepted';
}

function screen(item: unknown, validateMessage: ValidateMessage): Screened {
  const verdict = validateMessage(item);
  if (verdict.valid) return { candidate: toCandidate(verdict.message) };
  const { code, errors, customId } = verdict;
  return { rejected: { message_id: '', custom_id: customId, status: 'rejected', code, errors } };
}

function resultsInOrder(screened: Screened[], accepted: AcceptResult[]): SendEmailResult[] {
  const answers = accepted.values();
  return screened.map((item) => {
    if ('rejected' in item) return item.rejected;
    const answer = answers.next().value;
    if (answer === undefined) throw new Error('The store answered fewer messages than it was given.');
    return toResult(item.candidate.customId, answer);
  });
}

function toResult(customId: string, result: AcceptResult): SendEmailResult {
  if ('messageId' in result) {
    return { message_id: result.messageId, custom_id: customId, status: 'accepted', errors: [] };
  }
  const { rejected: code, description } = result;
  return { message_id: '', custom_id: customId, status: 'rejected', code, errors: [{ code, description }] };
}

function toCandidate(message: SendEmailMessage): AcceptableMessage {
  const [recipient] = message.to;
  if (recipient === undefined) throw new TypeError('A message without a recipient passed the contract.');
  return {
    from: { email: message.from.email, name: message.from.name ?? null },
    to: { email: recipient.email, name: recipient.name ?? null },
    subject: message.subject,
    html: message.body.html || null,
    text: message.body.text || null,
    customId: message.custom_id ?? '',
    customIdUnique: message.custom_id_unique ?? false,
    trackOpens: message.track_opens ?? false,
    trackClicks: message.track_clicks ?? false,
    listId: message.list_id ?? '',
    listUnsubscribe: message.list_unsubscribe ?? null,
    replyTo: (message.reply_to ?? []).flatMap(({ email, name }) =>
      email ? [{ email, name: name ?? null }] : [],
    ),
  };
}
