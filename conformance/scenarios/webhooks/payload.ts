import { isIP } from 'node:net';
import { judgeWebhookPayload } from '../../contract/judge.ts';
import { valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import type { Delivery } from '../../suite/receiver.ts';
import type { Tester } from '../../suite/tester.ts';
import { suppressionsOf, unsuppressed } from '../events/suppressed.ts';
import { show } from '../support/compare.ts';
import { detailsOf, type EventType, eventsOf, type MessageEvent } from '../support/log.ts';
import { isMoment, isSameMoment } from '../support/moments.ts';
import { DESTINATION, mailTo, tracked } from '../support/simulator.ts';
import { kindOf, nothingCame, requestOf, requestsOf, type Watched, watchedMail } from './notified.ts';

type Told = Exclude<EventType, 'new'>;

const FIELDS = [
  'account_id',
  'custom_id',
  'event',
  'from_email',
  'message_id',
  'received_at',
  'recipient_email',
];

/** What a notification says. */
export const payload: readonly Check[] = [
  {
    id: 'webhooks/common-fields',
    title:
      'A notification is a POST with a JSON object that names the message, its account, addresses and custom ID',
    needs: ['webhooks', 'simulator.delivery'],
    async run(t: Tester) {
      const one = await watchedMail(t, mailTo(t, 'delivery'));
      const isWanted = (request: Delivery) => kindOf(request) === 'delivery';
      const wanted = await t.poll(async () => requestsOf(one).find(isWanted));
      // What comes in another form is judged by what it says of the message.
      const request = wanted ?? requestsOf(one).at(0);
      if (request === undefined)
        return nothingCame(t, 'webhooks.json-object', `nothing has come for the message ${one.id}`);
      requireForm(t, request);
      requireFields(t, one, request);
    },
  },
  {
    id: 'webhooks/message-without-custom-id',
    title: 'The notification of a message without custom ID has an empty one',
    needs: ['webhooks', 'simulator.delivery'],
    async run(t) {
      const { custom_id, ...message } = mailTo(t, 'delivery');
      const request = await requestOf(t, await watchedMail(t, message), 'delivery');
      const is = valueAt(request.json, 'custom_id');
      t.require('webhooks.custom-id-empty', is === '', `expected "" as custom_id, got ${show(is)}`, request);
    },
  },
  {
    id: 'webhooks/delivery',
    title: 'A delivery is notified',
    needs: ['webhooks', 'simulator.delivery'],
    async run(t) {
      await comes(t, 'delivery', ['webhooks.delivery', 'webhooks.sent-on-events']);
    },
  },
  {
    id: 'webhooks/hard-bounce',
    title: 'A hard bounce is notified',
    needs: ['webhooks', 'simulator.hard_bounce'],
    async run(t) {
      await comes(t, 'hard_bounce', ['webhooks.hard-bounce']);
    },
  },
  {
    id: 'webhooks/soft-bounce',
    title: 'A soft bounce is notified',
    needs: ['webhooks', 'simulator.soft_bounce'],
    async run(t) {
      await comes(t, 'soft_bounce', ['webhooks.soft-bounce']);
    },
  },
  {
    id: 'webhooks/spam-complaint',
    title: 'A complaint is notified',
    needs: ['webhooks', 'simulator.spam_complaint'],
    async run(t) {
      await comes(t, 'spam_complaint', ['webhooks.spam-complaint']);
    },
  },
  {
    id: 'webhooks/unsubscribe',
    title: 'An unsubscribe is notified, with the list',
    needs: ['webhooks', 'simulator.unsubscribe'],
    async run(t) {
      const request = await comes(t, 'unsubscribe', ['webhooks.unsubscribe']);
      const is = valueAt(request.json, 'list_id');
      const message = `expected ${tracked.list_id} as list_id, got ${show(is)}`;
      t.require('webhooks.unsubscribe', is === tracked.list_id, message, request);
    },
  },
  {
    id: 'webhooks/open',
    title: 'An open is notified, with the device',
    needs: ['webhooks', 'simulator.open'],
    async run(t) {
      requireDevice(t, 'webhooks.open', await comes(t, 'open', ['webhooks.open']));
    },
  },
  {
    id: 'webhooks/click',
    title: 'A click is notified, with the device and where the link led',
    needs: ['webhooks', 'simulator.click'],
    async run(t) {
      const request = await comes(t, 'click', ['webhooks.click']);
      requireDevice(t, 'webhooks.click', request);
      const is = valueAt(request.json, 'tracking_url_destination');
      const isThere =
        typeof is === 'string' && URL.canParse(is) && new URL(is).href === new URL(DESTINATION).href;
      const message = `expected ${DESTINATION} as its destination, got ${show(is)}`;
      t.require('webhooks.click', isThere, message, request);
    },
  },
  {
    id: 'webhooks/equals-the-events-of-the-log',
    title: 'Each event of the log has a notification that says the same, in the same order of received_at',
    needs: ['webhooks', 'simulator.delivery', 'simulator.click'],
    async run(t) {
      for (const outcome of ['delivery', 'click'] as const) {
        const one = await watchedMail(t, mailTo(t, outcome, tracked));
        await requestOf(t, one, outcome);
        // Either side may be the later one.
        await t.poll(async () => ((await isEven(t, one)) ? true : undefined));
        const events = await eventsOf(t, one.id);
        const missing = untold(one, events).map(({ type }) => type);
        const requirement = 'webhooks.same-kinds-as-the-log';
        t.require(requirement, missing.length === 0, `nothing has come for the events ${missing}`);
        for (const request of requestsOf(one)) requireEvent(t, request, events);
      }
    },
  },
];

function requireForm(t: Tester, request: Delivery): void {
  const requirement = 'webhooks.post-with-json';
  const { method, headers, json, text } = request;
  t.require(requirement, method === 'POST', `expected POST, got ${method}`, request);
  const type = headers['content-type'];
  const isJson = /^application\/json\s*(?:;|$)/i.test(type ?? '');
  t.require(requirement, isJson, `expected application/json, got ${type}`, request);
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  t.require('webhooks.json-object', isObject, `expected a JSON object, got ${text.slice(0, 200)}`, request);
}

function requireFields(t: Tester, { id, message, account }: Watched, request: Delivery): void {
  const { json } = request;
  for (const field of FIELDS) {
    const isThere = valueAt(json, field) !== undefined;
    t.require('webhooks.common-fields', isThere, `${field} is missing: ${show(json)}`, request);
  }
  const expected = {
    account_id: account.account_id,
    event: 'message.delivery',
    from_email: message.from.email,
    message_id: id,
    recipient_email: message.to[0]?.email,
  };
  for (const [field, value] of Object.entries(expected)) {
    const is = valueAt(json, field);
    const wrong = `${field} is ${show(is)} instead of ${show(value)}`;
    t.require('webhooks.field-values', is === value, wrong, request);
  }
  requireSound(t, ['webhooks.field-values'], 'message.delivery', request);
  const is = valueAt(json, 'custom_id');
  const isSame = is === message.custom_id;
  t.require(
    ['webhooks.custom-id', 'sending.custom-id-in-webhooks'],
    isSame,
    `custom_id is ${show(is)} instead of ${message.custom_id}`,
    request,
  );
}

/** A message that ends so is told of, as the contract has it. */
async function comes(t: Tester, outcome: Told, requirements: readonly string[]): Promise<Delivery> {
  const one = await watchedMail(t, mailTo(t, outcome, tracked));
  try {
    const request = await requestOf(t, one, outcome, requirements);
    requireSound(t, requirements, `message.${outcome}`, request);
    return request;
  } finally {
    for (const suppression of await suppressionsOf(t, { message_id: one.id }))
      await unsuppressed(t, suppression);
  }
}

function requireSound(t: Tester, requirements: readonly string[], event: string, request: Delivery): void {
  const [fault] = judgeWebhookPayload(event, request.json).faults;
  const message = `in the payload of ${event}, ${fault?.message}: ${show(request.json)}`;
  t.require(requirements, fault === undefined, message, request);
}

function requireDevice(t: Tester, requirement: string, request: Delivery): void {
  const is = valueAt(request.json, 'user_ip');
  const message = `expected an IP address in user_ip, got ${show(is)}`;
  t.require(requirement, isIP(String(is)) !== 0, message, request);
}

/** Whether the log has what has come, and what the log has has come. */
async function isEven(t: Tester, one: Watched): Promise<boolean> {
  const events = await eventsOf(t, one.id);
  const isLogged = requestsOf(one).every((request) => tellsOf(request, events) !== undefined);
  return isLogged && untold(one, events).length === 0;
}

/** The events of the log that nothing has come for. */
function untold(one: Watched, events: readonly MessageEvent[]): readonly MessageEvent[] {
  const kinds = requestsOf(one).map(kindOf);
  return events.filter(({ type }) => type !== 'new' && !kinds.includes(type));
}

/** The event of the log that a request tells of: of the same kind, at the same moment. */
function tellsOf(request: Delivery, events: readonly MessageEvent[]): MessageEvent | undefined {
  const at = String(valueAt(request.json, 'received_at'));
  const kind = kindOf(request);
  return events.find(
    ({ type, received_at }) => type === kind && isMoment(at) && isSameMoment(received_at, at),
  );
}

/** One of the events of the log is what the request tells of. */
function requireEvent(t: Tester, request: Delivery, events: readonly MessageEvent[]): void {
  const kind = kindOf(request);
  const candidates = events.filter(({ type }) => type === kind);
  const isKnown = candidates.length > 0;
  t.require('webhooks.same-kinds-as-the-log', isKnown, `the log has no event ${kind}`, request);
  requireSound(t, ['webhooks.field-values'], `message.${kind}`, request);
  const times = candidates.map(({ received_at }) => received_at);
  const event = tellsOf(request, events);
  t.require(
    ['webhooks.field-values', 'webhooks.received-at-orders'],
    event !== undefined,
    `received_at of ${kind} is ${show(valueAt(request.json, 'received_at'))}, in the log ${times.join(', ')}`,
    request,
  );
  if (event === undefined) return;
  for (const name of detailsOf(event)) {
    const value = valueAt(event.details, name);
    const is = valueAt(request.json, name) ?? value;
    const message = `${name} of ${kind} is ${show(is)}, in the log ${show(value)}`;
    t.require('webhooks.field-values', is === value, message, request);
  }
}
