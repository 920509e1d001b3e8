import { setTimeout as delay } from 'node:timers/promises';
import type { components } from '../../../generated/types.ts';
import { valueAt } from '../../suite/answer.ts';
import type { Delivery, Mailbox, Reply } from '../../suite/receiver.ts';
import { accepted } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';
import { mailTo } from '../support/simulator.ts';
import { type CreatedWebhook, createWebhook, pathOf, type WebhookEvent } from '../support/webhooks.ts';
import { nothingCame } from '../webhooks/notified.ts';

type Schemas = components['schemas'];
export type Notification = Schemas['WebhookDelivery'];

/** A webhook, and the address of the receiver that it leads to. */
export interface Endpoint {
  readonly webhook: CreatedWebhook;
  readonly path: { readonly account_id: string; readonly webhook_id: string };
  readonly mailbox: Mailbox;
}

// Few other checks make such events, they suppress nobody, and every server knows how to simulate them.
const RARE: readonly WebhookEvent[] = ['message.soft_bounce'];
/** A failed attempt is repeated after about 5 seconds, whatever the target says of other things. */
export const REPETITION_MS = 20_000;
/** The custom_id of every test. */
export const TEST = 'test';
/** Time enough for what must not come: a first attempt is made at once. */
const SHORT_MS = 1_000;

/** Makes a webhook of the target's first account that is told of soft bounces, and deletes it in the end. */
export async function withEndpoint(
  t: Tester,
  work: (endpoint: Endpoint) => Promise<void>,
  {
    account_id = t.tenant.account.account_id,
    events = RARE,
    requirement,
  }: {
    account_id?: string;
    events?: readonly WebhookEvent[] | null;
    requirement?: string;
  } = {},
): Promise<void> {
  const mailbox = (await t.receiver).mailbox();
  const body = { url: mailbox.url, events: events === null ? null : [...events] };
  const webhook = await createWebhook(t, account_id, body, requirement);
  const path = pathOf(webhook);
  try {
    await work({ webhook, path, mailbox });
  } finally {
    await t.call('deleteWebhook', { path });
  }
}

/** Sends a message that bounces softly, from the target's first account; returns its id. */
export async function bounced(t: Tester): Promise<string> {
  const [id = ''] = await accepted(t, [mailTo(t, 'soft_bounce')]);
  return id;
}

/** As `bounced`; its first requests to this endpoint are answered so. */
export async function refused(
  t: Tester,
  { mailbox }: Endpoint,
  ...replies: readonly Reply[]
): Promise<string> {
  const message = mailTo(t, 'soft_bounce');
  mailbox.answer(message.custom_id ?? '', ...replies);
  const [id = ''] = await accepted(t, [message]);
  return id;
}

/** The requests about a message, in the order of arrival. */
export function about({ mailbox }: Endpoint, messageId: string): readonly Delivery[] {
  return mailbox.requests.filter(({ json }) => valueAt(json, 'message_id') === messageId);
}

/** Waits for the first requests about a message. When they do not come, the requirement is broken; without one, the check cannot go on. */
export async function arrives(
  t: Tester,
  endpoint: Endpoint,
  messageId: string,
  requirement?: string,
  count = 1,
): Promise<Delivery> {
  const look = async () => about(endpoint, messageId)[count - 1];
  const found = await t.poll(look, count > 1 ? REPETITION_MS : 0);
  if (found !== undefined) return found;
  const message = `request ${count} about the message ${messageId} has not come to its webhook`;
  return nothingCame(t, requirement, message);
}

/** Asks for a test; returns what is answered. */
export async function tested(
  t: Tester,
  { path }: Pick<Endpoint, 'path'>,
  event: WebhookEvent = 'message.delivery',
  requirement?: string,
): Promise<Notification> {
  const { data } = await t.ok('testWebhook', 200, { path, body: { event } }, requirement);
  return data;
}

/** Waits for request number `count` with this id. Failing: as for `arrives`. */
export async function notifiedOf(
  t: Tester,
  { mailbox }: Endpoint,
  { notification_id: id }: Pick<Notification, 'notification_id'>,
  requirement?: string,
  count = 1,
): Promise<Delivery> {
  const look = async () => mailbox.requests.filter(({ headers }) => headers['webhook-id'] === id)[count - 1];
  const found = await t.poll(look, count > 1 ? REPETITION_MS : 0);
  if (found !== undefined) return found;
  return nothingCame(t, requirement, `request ${count} with the webhook-id ${id} has not come`);
}

/** What the log has of one notification. */
export async function inLog(t: Tester, { path }: Pick<Endpoint, 'path'>, id: string): Promise<Notification> {
  const query = { notification_id: id };
  const { data } = await t.ok('listWebhookDeliveries', 200, { path, query });
  const found = data.find(({ notification_id: each }) => each === id);
  if (found === undefined) throw new SetupFailed(`the delivery log has no notification ${id}`);
  return found;
}

/** The notification as soon as the log says that it is over, or as it stands when it never does. */
export async function concluded(t: Tester, endpoint: Pick<Endpoint, 'path'>, id: string, atLeastMs = 0) {
  const look = async () => {
    const one = await inLog(t, endpoint, id);
    return one.status === 'pending' ? undefined : one;
  };
  return (await t.poll(look, atLeastMs)) ?? inLog(t, endpoint, id);
}

/** Waits until the webhook has this status; returns it as it then stands. */
export async function becomes(
  t: Tester,
  { path }: Endpoint,
  status: Schemas['WebhookStatus'],
  requirement: string,
) {
  const look = async () => {
    const { data } = await t.ok('getWebhook', 200, { path });
    return data.status === status ? data : undefined;
  };
  return t.eventually(requirement, `expected the webhook to become ${status}`, look);
}

/** Waits until the log has an attempt of what this request tells: the server knows how it was answered. */
export async function answerIsKnown(
  t: Tester,
  endpoint: Pick<Endpoint, 'path'>,
  { headers }: Delivery,
): Promise<void> {
  const id = headers['webhook-id'] ?? '';
  await t.poll(async () => ((await inLog(t, endpoint, id)).attempts.length > 0 ? true : undefined));
}

/** Waits until the server says that this endpoint fails, as it does when nothing else comes to it that succeeds. */
export async function failureIsKnown(t: Tester, { path }: Endpoint): Promise<void> {
  const look = async () => {
    const { data } = await t.ok('getWebhook', 200, { path });
    return data.failing_since ?? undefined;
  };
  await t.eventually('webhook_operations.failing-since', 'expected failing_since after a failure', look);
}

/** Changes a webhook. When that fails, the requirement is broken. */
export async function changed(
  t: Tester,
  { path }: Endpoint,
  body: Schemas['WebhookUpdate'],
  requirement?: string,
) {
  return (await t.ok('updateWebhook', 200, { path, body }, requirement)).data;
}

/** Lets the time pass in which something might come that must not. */
export async function aMoment(milliseconds = SHORT_MS): Promise<void> {
  await delay(milliseconds);
}
