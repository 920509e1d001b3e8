/** A reply to RCPT TO. */
export interface RecipientReply {
  code: number;
  text: string;
}

/** What a recipient of the simulator does with a mail. */
export type SimulatedAct = 'open' | 'click' | 'unsubscribe' | 'spam_complaint';

const DOMAIN = '@simulator.test';
/**
 * How each simulator address answers at RCPT TO. The soft bounce is a permanent "mailbox full" and not a temporary one: its outcome
 * is final and happens once, where a 4xx would be tried again for three days and bounce at each attempt. What is not listed
 * is accepted.
 */
const REFUSALS: Readonly<Record<string, RecipientReply>> = {
  hard_bounce: { code: 550, text: '5.1.1 The simulator knows no such user' },
  soft_bounce: { code: 552, text: '5.2.2 The simulator says that the mailbox is full' },
};
const ACTS: readonly SimulatedAct[] = ['open', 'click', 'unsubscribe', 'spam_complaint'];

/** The refusal that an address of the simulator asks for, with any `+tag`; undefined when mail to the address is taken. */
export function simulatedRefusal(address: string): RecipientReply | undefined {
  const name = simulatorName(address);
  return name !== undefined && Object.hasOwn(REFUSALS, name) ? REFUSALS[name] : undefined;
}

/** What the recipient at an address of the simulator does, with any `+tag`; undefined when nothing. */
export function simulatedAct(address: string): SimulatedAct | undefined {
  const name = simulatorName(address);
  return ACTS.find((act) => act === name);
}

function simulatorName(address: string): string | undefined {
  const lower = address.toLowerCase();
  return lower.endsWith(DOMAIN) ? lower.slice(0, -DOMAIN.length).split('+', 1)[0] : undefined;
}
