import { enums } from '../../../generated/operations.ts';
import { type Answer, valueAt } from '../../suite/answer.ts';
import type { Tester } from '../../suite/tester.ts';
import type { TargetAccount } from '../../target/target.ts';
import { show } from '../support/compare.ts';

/** Messages by what is special about them. */
export type Labelled = Readonly<Record<string, unknown>>;

/** One request with all these messages, of which every one is rejected for itself, with the expected code. Returns the answer. */
export async function requireRejected(
  t: Tester,
  requirement: string | readonly string[],
  messages: Labelled,
  expected?: string | { readonly code: string; readonly requirement: string },
  account: TargetAccount = t.tenant.account,
): Promise<Answer> {
  const { answer, items } = await submit(t, requirement, messages, 207, account);
  for (const [label, item] of items) {
    const is = valueAt(item, 'status');
    t.require(
      requirement,
      is !== 'accepted',
      `expected a message with ${label} to be rejected, got ${is}`,
      answer,
    );
  }
  if (expected !== undefined) {
    const rule = typeof expected === 'string' ? { code: expected, requirement: 'sending.codes' } : expected;
    for (const [label, item] of items) requireItemCode(t, rule, label, item, answer);
  }
  return answer;
}

/** One request with all these messages, of which every one is accepted. */
export async function requireAccepted(
  t: Tester,
  requirement: string | readonly string[],
  messages: Labelled,
  account: TargetAccount = t.tenant.account,
): Promise<Answer> {
  const { answer, items } = await submit(t, requirement, messages, 'success', account);
  for (const [label, item] of items) {
    const errors = show(valueAt(item, 'errors'));
    const isAccepted = valueAt(item, 'status') === 'accepted';
    t.require(
      requirement,
      isAccepted,
      `expected a message with ${label} to be accepted, got ${errors}`,
      answer,
    );
  }
  return answer;
}

/** The items of an answer, with the labels of their messages. Has the expected status, or breaks the requirement. */
async function submit(
  t: Tester,
  requirement: string | readonly string[],
  messages: Labelled,
  expected: 207 | 'success',
  account: TargetAccount,
): Promise<{ answer: Answer; items: [string, unknown][] }> {
  const labels = Object.keys(messages);
  const body = Object.values(messages);
  const answer = await t.call('sendEmail', { body, as: { kind: 'basic', ...account } });
  const isExpected = expected === 207 ? answer.status === 207 : answer.status >= 200 && answer.status < 300;
  const wanted = expected === 207 ? '207' : 'a success';
  t.require(
    requirement,
    isExpected,
    `expected ${wanted} for ${labels.join(', ')}, got ${answer.status}`,
    answer,
  );
  return {
    answer,
    items: labels.map((label, index) => [label, valueAt(answer.json, `data.${index}`)]),
  };
}

/** A server may have codes of its own; one of the contract has to mean what the contract says. */
function requireItemCode(
  t: Tester,
  { code, requirement }: { readonly code: string; readonly requirement: string },
  label: string,
  item: unknown,
  answer: Answer,
): void {
  const is = valueAt(item, 'code');
  const isKnown = enums.MessageRejectionCode.some((known) => known === is);
  const message = `expected the code ${code} for a message with ${label}, got ${is}`;
  t.require(requirement, !isKnown || is === code, message, answer);
}
