import { enums } from '../../../generated/operations.ts';
import { type Answer, codeOf } from '../../suite/answer.ts';
import type { Tester } from '../../suite/tester.ts';
import { show } from './compare.ts';

/** The answer has the status that the requirement asks for. `input` is what was sent, for people. */
export function requireStatus(
  t: Tester,
  requirement: string | readonly string[],
  answer: Answer,
  status: number,
  input: unknown = answer.operation,
): void {
  t.require(
    requirement,
    answer.status === status,
    `expected ${status} for ${typeof input === 'string' ? input : show(input)}, got ${answer.status}`,
    answer,
  );
}

/** Each of these bodies, by requirement, is refused as malformed. */
export async function requireAllRefused(
  t: Tester,
  bodies: Readonly<Record<string, readonly unknown[]>>,
  send: (body: unknown) => Promise<Answer>,
): Promise<void> {
  for (const [requirement, wrong] of Object.entries(bodies))
    for (const body of wrong) requireStatus(t, requirement, await send(body), 422, body);
}

/** A server may have codes of its own; one of the contract has to mean what the contract says. */
export function requireCode(t: Tester, requirement: string, answer: Answer, code: string): void {
  const is = codeOf(answer);
  const isKnown = enums.ErrorCode.some((known) => known === is);
  t.require(requirement, !isKnown || is === code, `expected the code ${code}, got ${is}`, answer);
}
