import type { AccountCall } from './call.ts';
import { deliveredMail } from './mail.ts';
import type { Submission } from './message-form.ts';
import { asciiAddress, isSameAddress } from './names.ts';
import { type Domain, type Message, type MessageEvent, newId, type World } from './state.ts';
import { notify } from './webhooks.ts';

const SIMULATOR = 'simulator.test';
const STEP_MS = 4;
const REPLIES = {
  delivery: '250 2.0.0 OK queued',
  hard_bounce: '550 5.1.1 The user is unknown',
  soft_bounce: '452 4.2.2 The mailbox is full',
} as const;
const VISIT = { user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Simulator/1.0', user_ip: '203.0.113.24' };

/** Takes a message in: it is in the log with its `new` event, and what becomes of it happens a little later. */
export function accept(call: AccountCall, domain: Domain, submission: Submission): Message {
  const { world } = call;
  const message = toMessage(call, domain, submission);
  world.messages.set(message.message_id, message);
  for (const event of message.events) if (world.has('webhooks.sent-for-new')) notify(world, message, event);
  later(world, message, () => attempt(world, message, domain, submission));
  return message;
}

/** Tells the webhook of a message that was rejected, as no server should. */
export function announceRejected(call: AccountCall, domain: Domain, submission: Submission): void {
  const event = { type: 'hard_bounce' as const, received_at: call.world.clock.now(), details: {} };
  notify(call.world, toMessage(call, domain, submission), event);
}

function toMessage({ world, account }: AccountCall, domain: Domain, submission: Submission): Message {
  const { from, to, subject, body, custom_id = '', list_id, list_unsubscribe } = submission;
  const now = world.clock.now();
  const html = body.html ?? '';
  return {
    message_id: newId(),
    organisation_id: account.organisation_id,
    account_id: account.account_id,
    domain_id: domain.domain_id,
    domain_name: domain.name,
    custom_id: world.has('sending.custom-id-not-stored') ? '' : custom_id,
    asked_unique: submission.custom_id_unique === true,
    recipient_email: to[0]?.email ?? '',
    from_email: from.email,
    subject,
    created_at: now,
    updated_at: now,
    delivery_status: 'new',
    opened_at: null,
    clicked_at: null,
    unsubscribed_at: null,
    spam_complaint_at: null,
    track_opens: submission.track_opens === true,
    track_clicks: submission.track_clicks === true,
    has_html: html !== '',
    links: [...html.matchAll(/<a\s[^>]*href="(https?:[^"]+)"/gi)].map(([, url]) =>
      (url ?? '').replaceAll('&amp;', '&'),
    ),
    list_id: list_id ?? null,
    list_unsubscribe: list_unsubscribe ?? null,
    events: [{ type: 'new', received_at: now, details: {} }],
  };
}

function later(world: World, { message_id }: Message, action: () => void): void {
  // The log of an account that was deleted meanwhile is gone, and so is what was still to come.
  world.later(STEP_MS, () => world.messages.has(message_id) && action());
}

/** The first and only attempt at delivery. */
function attempt(world: World, message: Message, domain: Domain, submission: Submission): void {
  const fate = fateOf(message.recipient_email);
  if (fate === 'hard_bounce' || fate === 'soft_bounce') {
    recordEvent(world, message, fate, smtp(REPLIES[fate]));
    return;
  }
  if (!world.has('mail.never-sent')) world.mails.push(deliveredMail(world, message, domain, submission));
  if (!world.has('events.delivery-missing')) recordEvent(world, message, 'delivery', smtp(REPLIES.delivery));
  later(world, message, () => react(world, message, fate));
}

function fateOf(address: string): string {
  const [local = '', domain] = address.toLowerCase().split('@');
  return domain === SIMULATOR ? (local.split('+')[0] ?? '') : 'delivery';
}

function smtp(smtp_response: string) {
  return { smtp_response, smtp_log_id: newId() };
}

/** What the simulated reader does. */
function react(world: World, message: Message, fate: string): void {
  if (fate === 'open') open(world, message);
  if (fate === 'click') click(world, message, 0);
  if (fate === 'spam_complaint') recordEvent(world, message, 'spam_complaint', {});
  if (fate === 'unsubscribe' && (message.list_id ?? message.list_unsubscribe) !== null)
    unsubscribe(world, message);
  const isRepeated =
    world.varies('opens-repeat') ||
    world.has('stats.unique-opens-count-all') ||
    world.has('messages.opened-at-is-last');
  if (fate === 'open' && isRepeated) later(world, message, () => open(world, message));
}

/** The reader has loaded the tracking pixel. */
export function open(world: World, message: Message): void {
  const isTracked = message.track_opens && message.has_html;
  if (isTracked || world.has('events.open-untracked')) recordEvent(world, message, 'open', VISIT);
}

/** The reader has followed a tracking link. Returns where it leads. */
export function click(world: World, message: Message, link: number): string | undefined {
  const destination = message.links[link];
  if (destination !== undefined && (message.track_clicks || world.has('events.click-untracked'))) {
    recordEvent(world, message, 'click', VISIT, destination);
  }
  return destination;
}

/** The reader has used the unsubscribe feature of the mail program. */
export function unsubscribe(world: World, message: Message): void {
  recordEvent(world, message, 'unsubscribe', { list_id: message.list_id ?? '' });
}

function recordEvent(
  world: World,
  message: Message,
  type: MessageEvent['type'],
  details: Record<string, string>,
  destination = '',
): void {
  const received_at = world.clock.now();
  const event: MessageEvent = { type, received_at, details };
  message.events.push(event);
  message.updated_at = received_at;
  if (type === 'delivery' || type === 'hard_bounce' || type === 'soft_bounce') message.delivery_status = type;
  if (type === 'open') message.opened_at = firstOf(world, message.opened_at, received_at);
  if (type === 'click') message.clicked_at ??= received_at;
  if (type === 'unsubscribe') message.unsubscribed_at ??= received_at;
  if (type === 'spam_complaint') message.spam_complaint_at ??= received_at;
  suppress(world, message, type);
  notify(world, message, event, destination);
}

function firstOf(world: World, before: bigint | null, now: bigint): bigint {
  return world.has('messages.opened-at-is-last') ? now : (before ?? now);
}

const SUPPRESSING = {
  hard_bounce: 'hard_bounce',
  spam_complaint: 'spam_complaint',
  unsubscribe: 'unsubscribe',
} as const;
const NOT_CREATED = {
  hard_bounce: 'suppressions.not-after-hard-bounce',
  spam_complaint: 'suppressions.not-after-spam-complaint',
  unsubscribe: 'suppressions.not-after-unsubscribe',
} as const;

function suppressionFor(world: World, event: MessageEvent['type']) {
  if (event === 'soft_bounce') return world.has('suppressions.after-soft-bounce') ? 'hard_bounce' : undefined;
  if (event !== 'hard_bounce' && event !== 'spam_complaint' && event !== 'unsubscribe') return undefined;
  if (world.has(NOT_CREATED[event])) return undefined;
  return world.has('suppressions.automatic-called-manual') ? 'manual' : SUPPRESSING[event];
}

function suppress(world: World, message: Message, event: MessageEvent['type']): void {
  const { message_id, custom_id, account_id, recipient_email, organisation_id } = message;
  const type = suppressionFor(world, event);
  const isThere = [...world.suppressions.values()].some(
    (one) => one.account_id === account_id && isSameAddress(one.recipient_email, recipient_email),
  );
  if (type === undefined || isThere) return;
  const suppression_id = newId();
  world.suppressions.set(suppression_id, {
    suppression_id,
    organisation_id,
    account_id,
    created_at: world.clock.now(),
    message_custom_id: world.has('suppressions.automatic-without-custom-id') ? null : custom_id,
    message_id: world.has('suppressions.automatic-without-message') ? null : message_id,
    reason: world.has('suppressions.automatic-with-reason') ? REPLIES.hard_bounce : '',
    recipient_email: asciiAddress(recipient_email),
    type,
  });
}
