import { valueAt } from '../../suite/answer.ts';
import type { Delivery, Receiver } from '../../suite/receiver.ts';
import { accepted, type Message } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';
import type { TargetAccount } from '../../target/target.ts';
import type { EventType } from '../support/log.ts';
import { mailTo } from '../support/simulator.ts';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** A message whose account tells the receiver what happens to it. */
export interface Watched {
  readonly id: string;
  readonly message: Message;
  readonly account: TargetAccount;
  readonly receiver: Receiver;
}

/** Sends messages whose events come to the receiver. */
export async function watched(
  t: Tester,
  messages: readonly Message[],
  account: TargetAccount = t.tenant.account,
): Promise<readonly Watched[]> {
  const receiver = await t.receiver;
  await receiver.register(account.account_id);
  const ids = await accepted(t, messages, account);
  return messages.map((message, index) => ({ id: ids[index] ?? '', message, account, receiver }));
}

/** Sends one message that ends so. */
export async function watchedMail(t: Tester, message: Message): Promise<Watched> {
  const [one] = await watched(t, [message]);
  if (one === undefined) throw new TypeError('A message that was sent is watched.');
  return one;
}

/** Every request about a message so far, whatever its form: it mentions the id, the recipient or the custom ID. */
export function requestsOf({ id, message, receiver }: Omit<Watched, 'account'>): readonly Delivery[] {
  const marks = [id, message.to[0]?.email ?? '', message.custom_id ?? ''].filter((mark) => mark !== '');
  return receiver.mentioning(...marks.map((mark) => JSON.stringify(mark)));
}

/** The kind of a request, without its prefix; undefined when it says none that is known by its form. */
export function kindOf({ json }: Delivery): string | undefined {
  const event = valueAt(json, 'event');
  return typeof event === 'string' && event.startsWith('message.')
    ? event.slice('message.'.length)
    : undefined;
}

/** The request of this event, as soon as it comes. When none does, the requirements are broken, or the check cannot go on. */
export async function requestOf(
  t: Tester,
  one: Watched,
  type: EventType,
  requirement?: string | readonly string[],
): Promise<Delivery> {
  const found = await t.poll(async () => requestsOf(one).find((request) => kindOf(request) === type));
  if (found !== undefined) return found;
  return nothingCame(t, requirement, `no request with message.${type} has come for the message ${one.id}`);
}

/**
 * What was waited for has not come: the requirements are broken, or the check cannot go on. That nothing at all has come is only the
 * server's fault when it can reach the receiver, which is sure on this machine alone.
 */
export async function nothingCame(
  t: Tester,
  requirement: string | readonly string[] | undefined,
  message: string,
): Promise<never> {
  const { all, origin } = await t.receiver;
  const hint = `nothing at all has come to ${origin}: can the server reach it? listen_host of the target file has to name this machine as the server sees it`;
  const told = all.length > 0 ? message : `${message}; ${hint}`;
  const isSilent = all.length === 0 && !isOnThisMachine(t, origin);
  if (requirement === undefined || isSilent) throw new SetupFailed(isSilent ? hint : told);
  return t.fail(requirement, told);
}

/** Whether server and receiver speak over the loopback interface. */
function isOnThisMachine({ target }: Tester, origin: string): boolean {
  return [target.base_url, origin].every((url) => LOOPBACK.test(new URL(url).hostname));
}

/** Waits until a message that is sent now has been told of: what was to come before has had its time. */
export async function timePasses(t: Tester): Promise<void> {
  await requestOf(t, await watchedMail(t, mailTo(t, 'delivery')), 'delivery');
}
