import type { components } from '../../../generated/types.ts';
import {
  type Answer,
  find,
  ok,
  pathId,
  readBody,
  readParameters,
  requireOwner,
  type UserCall,
} from '../call.ts';
import { later, type Micros, SECOND, stamp, stampOrNull } from '../clock.ts';
import type { FaultId } from '../faults.ts';
import { page, pageParameters } from '../lists.ts';
import { refuse } from '../refusal.ts';
import type { Webhook, World } from '../state.ts';
import { choice, list, object, optional, problem, type Rule, required } from '../validate.ts';
import { validSecrets } from '../webhook-request.ts';
import { disable, enable, send } from '../webhook-sender.ts';
import { addNotification, newWebhook, newWebhookSecret, testPayload, WEBHOOK_EVENTS } from '../webhooks.ts';
import { accountsOf } from './accounts.ts';
import { idsOf, webhookOf } from './named-webhook.ts';
import { showNotification } from './webhook-log.ts';

type WebhookEvent = components['schemas']['WebhookEvent'];

const MOST_WEBHOOKS = 100;
const MOST_EVENTS = 100;
const LONGEST_URL = 2048;
const MOST_SECRETS = 5;
const LONGEST_OVERLAP = 604_800;
const MOST_CHANGES = 20;

function showWebhook(world: World, webhook: Webhook, leak?: FaultId) {
  const { webhook_id, account_id, url, events, status, failing_since, status_changes } = webhook;
  const secret = leak !== undefined && world.has(leak) ? { secret: webhook.secrets[0]?.value } : {};
  return {
    webhook_id,
    account_id,
    url,
    events,
    status,
    ...secret,
    failing_since: stampOrNull(failing_since),
    status_changes: status_changes
      .slice(-MOST_CHANGES)
      .toReversed()
      .map((one) => ({ ...one, changed_at: stamp(one.changed_at) })),
    created_at: stamp(webhook.created_at),
    updated_at: stamp(webhook.updated_at),
  };
}

function urlRule(world: World): Rule<string> {
  return (value, field) => {
    if (typeof value !== 'string') return problem(field, value, 'STRING', 'must be a string');
    if (value.length > LONGEST_URL) return problem(field, value, 'MAX', 'may have at most 2048 characters');
    const isRefused = world.varies('https-webhooks-only') && value.startsWith('http:');
    if (isRefused) return problem(field, value, 'URL', 'must begin with https');
    if (isCallable(value) || world.has('webhook-operations.any-url-accepted')) return { value };
    const hasUser = URL.canParse(value) && new URL(value).username !== '';
    if (hasUser && world.has('webhook-operations.url-with-password-accepted')) return { value };
    return problem(field, value, 'URL', 'must be a URL with http or https, and without a user');
  };
}

function isCallable(url: string): boolean {
  if (/\s/.test(url) || !URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

function eventsRule(world: World): Rule<WebhookEvent[]> {
  const known = choice(WEBHOOK_EVENTS);
  const one: Rule<WebhookEvent> = world.has('webhook-operations.unknown-event-accepted')
    ? (value, field) => ('value' in known(value, field) ? known(value, field) : { value: 'message.open' })
    : known;
  const several = list(one, MOST_EVENTS);
  return (value, field) => {
    const isEmpty = Array.isArray(value) && value.length === 0;
    if (isEmpty && !world.has('webhook-operations.no-events-accepted'))
      return problem(field, '', 'MIN', 'must have at least one entry');
    const reading = several(value, field);
    return 'value' in reading ? { value: [...new Set(reading.value)] } : reading;
  };
}

export function listWebhooks(call: UserCall): Answer {
  const { world } = call;
  const account_id = pathId(call, 'account_id');
  readParameters(call, pageParameters(call));
  find(call, accountsOf(world, 'webhook-operations.list-leaks'), account_id);
  const shown = [...world.webhooks.values()].filter((one) =>
    world.has('webhook-operations.list-of-all-accounts')
      ? one.organisation_id === call.user.organisation_id
      : one.account_id === account_id,
  );
  return page(call, 'webhook-operations', shown, (one) =>
    showWebhook(world, one, 'webhook-operations.list-shows-secrets'),
  );
}

export function createWebhook(call: UserCall): Answer {
  const { world } = call;
  const account_id = pathId(call, 'account_id');
  const { url, events } = readBody(
    call,
    object({ url: required(urlRule(world)), events: optional(eventsRule(world)) }),
  );
  requireOwner(call);
  find(call, accountsOf(world, 'webhook-operations.create-leaks'), account_id);
  const count = [...world.webhooks.values()].filter((one) => one.account_id === account_id).length;
  if (count >= MOST_WEBHOOKS && !world.has('webhook-operations.any-number')) {
    throw refuse(409, 'WEBHOOK_LIMIT_REACHED', 'the account has 100 webhooks');
  }
  const secret = newWebhookSecret();
  const wanted = world.has('webhook-operations.create-ignores-events') ? undefined : events;
  const webhook = newWebhook(world, account_id, { url, events: wanted ?? WEBHOOK_EVENTS, secret });
  if (!world.has('webhook-operations.create-useless')) world.webhooks.set(webhook.webhook_id, webhook);
  const shown = world.has('webhook-operations.another-secret-shown') ? newWebhookSecret() : secret;
  return ok({ ...showWebhook(world, webhook), secret: shown }, 201);
}

export function getWebhook(call: UserCall): Answer {
  const webhook = webhookOf(call, ...idsOf(call), 'webhook-operations.get-leaks');
  return ok(showWebhook(call.world, webhook, 'webhook-operations.get-shows-secret'));
}

export function updateWebhook(call: UserCall): Answer {
  const { world } = call;
  const ids = idsOf(call);
  const { url, events, status } = readBody(
    call,
    object({
      url: optional(urlRule(world)),
      events: optional(eventsRule(world)),
      status: optional(choice(['enabled', 'disabled'])),
    }),
  );
  requireOwner(call);
  const webhook = webhookOf(call, ...ids, 'webhook-operations.update-leaks');
  const changed = { ...webhook, url: url ?? webhook.url, events: events ?? webhook.events };
  if (events === undefined && world.has('webhook-operations.update-resets-events'))
    changed.events = [...WEBHOOK_EVENTS];
  if (world.has('webhook-operations.update-not-saved')) {
    return ok({ ...showWebhook(world, changed), status: status ?? webhook.status });
  }
  webhook.updated_at = world.clock.now();
  if (!world.has('webhook-operations.update-keeps-url')) webhook.url = changed.url;
  if (!world.has('webhook-operations.update-keeps-events')) webhook.events = changed.events;
  if (status === 'disabled') disable(world, webhook, 'requested');
  if (status === 'enabled' && !world.has('webhook-operations.enabling-not-done'))
    enable(world, webhook, 'requested');
  return ok(showWebhook(world, webhook, 'webhook-operations.update-shows-secret'));
}

export function deleteWebhook(call: UserCall): Answer {
  const { world } = call;
  const ids = idsOf(call);
  requireOwner(call);
  const webhook = webhookOf(call, ...ids, 'webhook-operations.delete-leaks');
  if (!world.has('webhook-operations.delete-not-done')) world.webhooks.delete(webhook.webhook_id);
  if (world.has('webhook-operations.deleted-still-told')) keepTelling(world, webhook);
  return ok(showWebhook(world, webhook));
}

/** What waits is not sent any more, but what happens from now on is. */
function keepTelling(world: World, webhook: Webhook): void {
  for (const one of world.notifications.values())
    if (one.webhook_id === webhook.webhook_id) one.next_attempt_at = null;
  world.formerWebhooks.set(webhook.webhook_id, webhook);
}

export function testWebhook(call: UserCall): Answer {
  const { world } = call;
  const ids = idsOf(call);
  const { event } = readBody(call, object({ event: required(choice(WEBHOOK_EVENTS)) }));
  requireOwner(call);
  const webhook = webhookOf(call, ...ids, 'webhook-operations.test-leaks');
  const told = world.has('webhook-operations.test-of-one-event') ? 'message.delivery' : event;
  const notification = addNotification(world, webhook, {
    event: told,
    payload: testPayload(world, webhook, told),
  });
  const shown = showNotification(world, notification);
  if (!world.has('webhook-operations.test-not-sent')) send(world, webhook, notification);
  return ok(shown);
}

const overlap: Rule<number> = (value, field) => {
  if (typeof value !== 'number' || !Number.isInteger(value))
    return problem(field, value, 'INTEGER', 'must be an integer');
  if (value < 0) return problem(field, value, 'MIN', 'must be at least 0');
  return value > LONGEST_OVERLAP ? problem(field, value, 'MAX', 'must be at most 604800') : { value };
};

export function rotateWebhookSecret(call: UserCall): Answer {
  const { world } = call;
  const ids = idsOf(call);
  const { overlap_seconds } = readBody(call, object({ overlap_seconds: required(overlap) }));
  requireOwner(call);
  const webhook = webhookOf(call, ...ids, 'webhook-operations.rotate-leaks');
  const now = world.clock.now();
  const valid = new Set(validSecrets(world, webhook));
  const isFull = overlap_seconds > 0 && valid.size >= MOST_SECRETS;
  if (isFull && !world.has('webhook-operations.any-number-of-secrets')) {
    throw refuse(409, 'SECRET_ROTATED_RECENTLY', 'five secrets are valid');
  }
  const secret = newWebhookSecret();
  if (!world.has('webhook-operations.rotation-without-effect'))
    webhook.secrets = [
      { value: secret, expires_at: null },
      ...oldSecrets(world, webhook, now + BigInt(overlap_seconds) * SECOND).filter(({ value }) =>
        valid.has(value),
      ),
    ];
  const last = webhook.secrets.flatMap(({ expires_at }) => expires_at ?? []).reduce(later, 0n);
  const isOver = last <= now || world.has('webhook-operations.rotation-without-end');
  return ok({
    webhook_id: webhook.webhook_id,
    secret,
    previous_secrets_expire_at: isOver ? null : stamp(last),
  });
}

/** What was valid so far, ending no later than the rotation says. */
function oldSecrets(world: World, { secrets }: Webhook, end: Micros): Webhook['secrets'] {
  if (world.has('webhook-operations.rotation-drops-old')) return [];
  const isKept = world.has('webhook-operations.rotation-keeps-old');
  return secrets.map(({ value, expires_at }) => ({
    value,
    expires_at: isKept ? null : expires_at === null || end < expires_at ? end : expires_at,
  }));
}
