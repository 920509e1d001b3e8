import type { components } from '../../generated/types.ts';
import type { TargetAccount } from '../target/target.ts';
import { type Answer, valueAt } from './answer.ts';
import type { Tester } from './tester.ts';
import { SetupFailed } from './violation.ts';

export type Message = components['schemas']['SendEmailMessage'];
/** What the contract says of one message of a batch. */
export type SendResult = components['schemas']['AcceptedMessage'] | components['schemas']['RejectedMessage'];

/** A message that is fine, from the organisation's verified domain to an address that nobody else writes to. */
export function mail(t: Tester, change: Partial<Message> = {}): Message {
  return {
    from: { email: t.tenant.fromEmail },
    to: [{ email: t.address() }],
    subject: t.unique('subject'),
    body: { text: 'A message of a conformance run.' },
    ...change,
  };
}

/** Sends a batch and returns the results in order, whatever they say. @throws SetupFailed when it is not answered item by item. */
export async function send(
  t: Tester,
  messages: readonly unknown[],
  account: TargetAccount = t.tenant.account,
): Promise<{ answer: Answer<'sendEmail'>; results: readonly SendResult[] }> {
  const answer = await t.call('sendEmail', { body: messages, as: { kind: 'basic', ...account } });
  const results = valueAt(answer.json, 'data');
  if (
    answer.status >= 400 ||
    !answer.isSound ||
    !Array.isArray(results) ||
    results.length !== messages.length
  )
    throw new SetupFailed(`sendEmail answered ${answer.status} without a sound result for each message`);
  return { answer, results };
}

/** Sends a batch that the check builds on: every message is accepted. Returns the message ids in order. */
export async function accepted(
  t: Tester,
  messages: readonly Message[],
  account: TargetAccount = t.tenant.account,
): Promise<readonly string[]> {
  const { results } = await send(t, messages, account);
  const refused = results.find(({ status }) => status !== 'accepted');
  if (refused !== undefined)
    throw new SetupFailed(`a message was rejected: ${JSON.stringify(refused.errors)}`);
  return results.map(({ message_id: id }) => id);
}
