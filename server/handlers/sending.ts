import type { components } from '../../generated/types.ts';
import type { HandlersOf } from '../contract/handler.ts';
import type { ValidateMessage } from '../contract/messages.ts';
import type { FieldError } from '../domain/errors.ts';
import type { AcceptableMessage, AcceptResult } from '../store/rows.ts';

type SendEmailMessage = components['schemas']['SendEmailMessage'];
type SendEmailResult = components['schemas']['SendEmailResult'];

/** What the shape of a submitted message allows: to ask for its acceptance, or the result that rejects it. */
type Screened = { candidate: AcceptableMessage } | { rejected: SendEmailResult };

/** The operations of the tag Sending. */
export function sendingHandlers({
  validateMessage,
}: {
  validateMessage: ValidateMessage;
}): HandlersOf<'Sending'> {
  return {
    sendEmail: async ({ body, caller }) => {
      const screened = body.map((item) => screen(item, validateMessage));
      const candidates = screened.flatMap((item) => ('candidate' in item ? [item.candidate] : []));
      const accepted = await caller.store.messages.accept(caller.accountId, candidates);
      const data = resultsInOrder(screened, accepted);
      const everyAccepted = data.every((result) => result.status === 'accepted');
      return { status: everyAccepted ? 200 : 207, body: { data, meta: {} } };
    },
  };
}

function screen(item: unknown, validateMessage: ValidateMessage): Screened {
  const verdict = validateMessage(item);
  if ('message' in verdict) return { candidate: toCandidate(verdict.message) };
  return { rejected: malformed(verdict.customId, verdict.errors) };
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

function malformed(customId: string, errors: FieldError[]): SendEmailResult {
  const [first, ...others] = errors.flatMap((error) => error.errors);
  const onlySeveralRecipients = first?.code === 'MULTIPLE_RECIPIENTS_NOT_SUPPORTED' && others.length === 0;
  const code = onlySeveralRecipients ? 'MULTIPLE_RECIPIENTS_NOT_SUPPORTED' : 'VALIDATION_ERROR';
  return { message_id: '', custom_id: customId, status: 'rejected', code, errors };
}

function toCandidate(message: SendEmailMessage): AcceptableMessage {
  const [recipient] = message.to;
  return {
    from: { email: message.from.email, name: message.from.name ?? null },
    to: { email: recipient.email, name: recipient.name ?? null },
    subject: message.subject,
    html: message.body.html ?? null,
    text: message.body.text ?? null,
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
