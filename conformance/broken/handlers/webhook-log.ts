import { type Answer, missing, ok, readBody, readParameters, requireOwner, type UserCall } from '../call.ts';
import { stamp, stampOrNull } from '../clock.ts';
import type { FaultId } from '../faults.ts';
import { page, pageParameters } from '../lists.ts';
import { periodEnd } from '../period-parameters.ts';
import { between, isWithin, listPeriod, type Range } from '../periods.ts';
import { refuse } from '../refusal.ts';
import { type Notification, newId, type Webhook, type World } from '../state.ts';
import { choice, list, object, optional, problem, type Rule, uuid } from '../validate.ts';
import { variedJson } from '../vary.ts';
import { send } from '../webhook-sender.ts';
import { WEBHOOK_EVENTS } from '../webhooks.ts';
import { idsOf, webhookOf } from './named-webhook.ts';

const STATUSES = ['pending', 'delivered', 'failed'] as const;
const MOST_VALUES = 100;
const MOST_ATTEMPTS = 20;
const MOST_REPLAYED = 10_000;

/** A notification as the log shows it. */
export function showNotification(world: World, notification: Notification) {
  const { notification_id, webhook_id, account_id, event, message_id, is_test, attempts } = notification;
  const last = attempts.slice(-MOST_ATTEMPTS);
  const shown = world.has('webhook-log.attempts-oldest-first') ? last : last.toReversed();
  return {
    notification_id: world.has('webhook-log.other-ids') ? newId() : notification_id,
    webhook_id,
    account_id,
    event,
    message_id,
    is_test,
    status: world.has('webhook-log.status-stays-pending') ? 'pending' : notification.status,
    created_at: stamp(notification.created_at),
    next_attempt_at: stampOrNull(notification.next_attempt_at),
    payload: world.has('webhook-log.payload-differs')
      ? { ...Object(notification.payload), custom_id: newId() }
      : notification.payload,
    attempts: (world.has('webhook-log.last-attempt-only') ? shown.slice(0, 1) : shown).map((one) => ({
      ...one,
      attempted_at: stamp(one.attempted_at),
      status_code: world.has('webhook-log.status-code-wrong') ? 200 : one.status_code,
    })),
  };
}

export function listWebhookDeliveries(call: UserCall): Answer {
  const { world } = call;
  const ids = idsOf(call);
  const filters = readParameters(call, {
    ...pageParameters(call),
    'statuses[]': optional(list(choice(STATUSES), MOST_VALUES)),
    'events[]': optional(list(choice(WEBHOOK_EVENTS), MOST_VALUES)),
    notification_id: optional(uuid),
    message_id: optional(uuid),
    period_from: optional(periodEnd(world)),
    period_to: optional(periodEnd(world)),
  });
  const webhook = webhookOf(call, ...ids, 'webhook-log.list-leaks');
  const all = logOf(world, webhook);
  const tests = testsOf(world, filters);
  const found = all.filter((one) => tests.every((test) => test(one)));
  return page(call, 'webhook-log', found, (one) => showNotification(world, one), all);
}

function logOf(world: World, { webhook_id, account_id }: Webhook): Notification[] {
  const isOfAccount = world.has('webhook-log.of-all-webhooks');
  return [...world.notifications.values()].filter((one) =>
    isOfAccount ? one.account_id === account_id : one.webhook_id === webhook_id,
  );
}

interface Filters {
  'statuses[]': (typeof STATUSES)[number][] | undefined;
  'events[]': Notification['event'][] | undefined;
  notification_id: string | undefined;
  message_id: string | undefined;
  period_from: Range | undefined;
  period_to: Range | undefined;
}
type Test = (one: Notification) => boolean;

function testsOf(
  world: World,
  { notification_id, message_id, period_from, period_to, ...lists }: Filters,
): Test[] {
  const statuses = lists['statuses[]'];
  const events = lists['events[]'];
  const firstOf = <T>(values: readonly T[]) =>
    world.has('lists.array-filter-takes-first') ? values.slice(0, 1) : values;
  const period =
    world.has('webhook-log.swapped-period-empty') && period_from !== undefined && period_to !== undefined
      ? { from: period_from.from, to: period_to.to }
      : listPeriod(period_from, period_to, world);
  const tests: [FaultId, Test | undefined][] = [
    ['webhook-log.statuses-ignored', statuses && ((one) => firstOf(statuses).includes(one.status))],
    ['webhook-log.events-ignored', events && ((one) => firstOf(events).includes(one.event))],
    [
      'webhook-log.notification-ignored',
      notification_id === undefined ? undefined : (one) => one.notification_id === notification_id,
    ],
    [
      'webhook-log.message-ignored',
      message_id === undefined ? undefined : (one) => one.message_id === message_id,
    ],
    ['webhook-log.period-ignored', (one) => isWithin(one.created_at, period)],
  ];
  return tests.flatMap(([fault, test]) => (test === undefined || world.has(fault) ? [] : [test]));
}

const replayRule = (world: World) =>
  object({
    notification_id: optional(uuid),
    period_from: optional(periodEnd(world)),
    period_to: optional(periodEnd(world)),
    statuses: optional(someStatuses),
  });

const someStatuses: Rule<(typeof STATUSES)[number][]> = (value, field) =>
  Array.isArray(value) && value.length === 0
    ? problem(field, '', 'MIN', 'must have at least one entry')
    : list(choice(STATUSES), MOST_VALUES)(value, field);

type Wanted = Omit<Filters, 'statuses[]' | 'events[]' | 'message_id'> & {
  statuses: (typeof STATUSES)[number][] | undefined;
};

/** Something has to be named. */
function replayBody(world: World): Rule<Wanted> {
  const fields = replayRule(world);
  return (value, field) => {
    const reading = fields(value, field);
    if (!('value' in reading) || world.has('webhook-log.replay-of-nothing')) return reading;
    const { notification_id, period_from } = reading.value;
    if (notification_id !== undefined || period_from !== undefined) return reading;
    return problem(field, '', 'REQUIRED', 'notification_id or period_from is required');
  };
}

export function replayWebhook(call: UserCall): Answer {
  const { world } = call;
  const ids = idsOf(call);
  const wanted = readBody(call, replayBody(world));
  requireOwner(call);
  const webhook = webhookOf(call, ...ids, 'webhook-log.replay-leaks');
  if (webhook.status === 'disabled' && !world.has('webhook-log.replay-while-disabled')) {
    throw refuse(409, 'WEBHOOK_DISABLED', 'the webhook is disabled');
  }
  const all = wantedFrom(call, webhook, wanted);
  const taken = all.slice(0, MOST_REPLAYED);
  for (const one of taken) replay(world, webhook, one);
  const replayed = world.has('webhook-log.replay-miscounts') ? taken.length + 1 : taken.length;
  return ok({ replayed, remaining: all.length - taken.length });
}

/** What is to be sent again, oldest first. Throws a 409 for a notification that the webhook does not have. */
function wantedFrom(call: UserCall, webhook: Webhook, wanted: Wanted): Notification[] {
  const { world } = call;
  const { notification_id, period_from, period_to, statuses = ['failed'] } = wanted;
  const log = logOf(world, webhook);
  if (notification_id !== undefined) {
    const one = log.find((each) => each.notification_id === notification_id);
    if (one === undefined && world.has('webhook-log.replay-of-unknown')) return [];
    if (one === undefined) throw missing(call, 'NOTIFICATION_NOT_FOUND');
    return [one];
  }
  const now = world.clock.now();
  const period = between(period_from ?? { from: 0n, to: 0n }, period_to ?? { from: now, to: now });
  const isWanted = (one: Notification) =>
    statuses.includes(one.status) || world.has('webhook-log.replay-ignores-statuses');
  const isThen = (one: Notification) =>
    isWithin(one.created_at, period) || world.has('webhook-log.replay-ignores-period');
  return log.filter((one) => isWanted(one) && isThen(one));
}

/** Sends a notification again, by the whole schedule. */
function replay(world: World, webhook: Webhook, one: Notification): void {
  if (world.has('webhook-log.replay-not-sent')) return;
  const again = world.has('webhook-log.replay-new-id') ? { ...one, notification_id: newId() } : one;
  again.status = 'pending';
  again.next_attempt_at = world.clock.now();
  again.tries = world.has('webhook-log.replay-tried-once') ? Number.MAX_SAFE_INTEGER - 1 : 0;
  if (world.has('webhook-log.replay-loses-payload')) again.body = JSON.stringify(variedJson(world, {}));
  send(world, webhook, again);
}
