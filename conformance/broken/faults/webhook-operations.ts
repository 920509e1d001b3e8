import type { Rule } from './rule.ts';

const FOREIGN = 'A resource of another organisation is 403 wherever its id stands.';
const ALL = [
  'listWebhooks',
  'createWebhook',
  'getWebhook',
  'updateWebhook',
  'deleteWebhook',
  'listWebhookDeliveries',
  'replayWebhook',
  'rotateWebhookSecret',
  'testWebhook',
] as const;

export const WEBHOOK_OPERATION_RULES = [
  {
    rule: 'From now on the events are sent to the URL: those named in events, or all seven.',
    operations: ['createWebhook'],
    faults: {
      'webhook-operations.create-is-200': 'creating is 200',
      'webhook-operations.create-useless': 'a webhook is answered and not kept',
      'webhook-operations.create-ignores-events': 'a new webhook has all events',
      'webhook-operations.events-ignored': 'all events are sent, whatever was asked for',
      'webhook-operations.secret-missing': 'the secret is not shown',
      'webhook-operations.another-secret-shown': 'the secret that is shown is not the one that signs',
      'webhook-operations.any-number': 'there may be more than 100 webhooks',
    },
  },
  {
    rule: 'url is a URL with http or https and holds no user name or password; events are among the seven.',
    operations: ['createWebhook', 'updateWebhook'],
    faults: {
      'webhook-operations.any-url-accepted': 'any text is a URL',
      'webhook-operations.url-with-password-accepted': 'a URL may hold a password',
      'webhook-operations.unknown-event-accepted': 'an event that does not exist is accepted',
      'webhook-operations.no-events-accepted': 'an empty list of events is accepted',
    },
  },
  {
    rule: 'The webhooks of an account, without their secrets.',
    operations: ['listWebhooks', 'getWebhook', 'updateWebhook'],
    faults: {
      'webhook-operations.list-shows-secrets': 'the list shows secrets',
      'webhook-operations.get-shows-secret': 'reading a webhook shows its secret',
      'webhook-operations.update-shows-secret': 'changing a webhook shows its secret',
      'webhook-operations.list-of-all-accounts': 'the list has the webhooks of all accounts',
      'webhook-operations.reason-wrong': 'status_changes always says requested',
      'webhook-operations.failing-since-kept': 'failing_since stays when attempts succeed again',
    },
  },
  {
    rule: 'Changes the URL, the events or the status; what is absent or null stays.',
    operations: ['updateWebhook'],
    faults: {
      'webhook-operations.update-not-saved': 'the change is answered and not kept',
      'webhook-operations.update-keeps-url': 'the URL stays',
      'webhook-operations.update-keeps-events': 'the events stay',
      'webhook-operations.update-resets-events': 'events that are not named are all seven',
      'webhook-operations.waiting-go-to-old-url': 'what waits is repeated at the old URL',
    },
  },
  {
    rule: 'A disabled webhook gets nothing, but its notifications are kept; enabled, it gets those of the last five days.',
    operations: ['updateWebhook'],
    faults: {
      'webhook-operations.disabled-still-sent': 'a disabled webhook gets notifications',
      'webhook-operations.disabled-loses': 'what happens while a webhook is disabled is lost',
      'webhook-operations.enabling-not-done': 'a webhook stays disabled',
      'webhook-operations.enabling-sends-all': 'enabling sends what is older than five days',
    },
  },
  {
    rule: 'Deletes a webhook for good. What waits is not sent any more. The answer is the webhook.',
    operations: ['deleteWebhook'],
    faults: {
      'webhook-operations.delete-is-204': 'deleting is 204',
      'webhook-operations.delete-not-done': 'a deleted webhook is still there',
      'webhook-operations.deleted-still-sent': 'what waits is sent to a deleted webhook',
      'webhook-operations.deleted-still-told': 'what happens later is sent to a deleted webhook',
    },
  },
  {
    rule: 'Sends an event of a message that does not exist, signed like a real one, once.',
    operations: ['testWebhook'],
    faults: {
      'webhook-operations.test-not-sent': 'a test is not sent',
      'webhook-operations.test-of-one-event': 'a test is always of message.delivery',
      'webhook-operations.test-without-mark': 'the custom_id of a test is empty',
      'webhook-operations.test-names-others': 'a test has the address of somebody',
      'webhook-operations.test-repeated': 'a test is repeated',
      'webhook-operations.test-does-not-enable': 'a test that arrives enables nothing',
      'webhook-operations.test-enables-any': 'a test enables what somebody had disabled',
    },
  },
  {
    rule: 'Makes a new secret. For overlap_seconds the old ones sign too; 0 ends them at once. Five are valid at most.',
    operations: ['rotateWebhookSecret'],
    faults: {
      'webhook-operations.rotation-without-effect': 'the new secret does not sign',
      'webhook-operations.rotation-drops-old': 'the old secret ends at once',
      'webhook-operations.rotation-keeps-old': 'the old secret never ends',
      'webhook-operations.old-secret-never-ends': 'the old secret signs after the overlap',
      'webhook-operations.rotation-without-end': 'the end of the old secrets is not said',
      'webhook-operations.any-number-of-secrets': 'there may be more than five secrets',
    },
  },
  {
    rule: 'A missing resource is 409, and a webhook of another account of the organisation is missing.',
    operations: ALL,
    faults: {
      'webhook-operations.missing-is-404': 'a webhook that does not exist is 404',
      'webhook-operations.account-ignored': 'the account in the path is ignored',
    },
  },
  {
    rule: FOREIGN,
    operations: ['listWebhooks'],
    faults: { 'webhook-operations.list-leaks': 'anybody lists the webhooks of an account' },
  },
  {
    rule: FOREIGN,
    operations: ['createWebhook'],
    faults: { 'webhook-operations.create-leaks': 'anybody makes a webhook for an account' },
  },
  {
    rule: FOREIGN,
    operations: ['getWebhook'],
    faults: { 'webhook-operations.get-leaks': 'anybody reads a webhook' },
  },
  {
    rule: FOREIGN,
    operations: ['updateWebhook'],
    faults: { 'webhook-operations.update-leaks': 'anybody changes a webhook' },
  },
  {
    rule: FOREIGN,
    operations: ['deleteWebhook'],
    faults: { 'webhook-operations.delete-leaks': 'anybody deletes a webhook' },
  },
  {
    rule: FOREIGN,
    operations: ['testWebhook'],
    faults: { 'webhook-operations.test-leaks': 'anybody tests a webhook' },
  },
  {
    rule: FOREIGN,
    operations: ['rotateWebhookSecret'],
    faults: { 'webhook-operations.rotate-leaks': 'anybody gets the secret of a webhook' },
  },
] as const satisfies readonly Rule[];

export const WEBHOOK_LOG_RULES = [
  {
    rule: 'Each notification for the webhook, with what was sent, every attempt and what came of it.',
    operations: ['listWebhookDeliveries'],
    faults: {
      'webhook-log.other-ids': 'the log has other ids than the requests',
      'webhook-log.status-stays-pending': 'what arrived is pending',
      'webhook-log.payload-differs': 'the log shows another payload',
      'webhook-log.last-attempt-only': 'only the last attempt is shown',
      'webhook-log.attempts-oldest-first': 'the attempts are the oldest first',
      'webhook-log.status-code-wrong': 'every attempt was answered 200',
      'webhook-log.timeout-called-unreachable': 'an attempt that was not answered has another result',
      'webhook-log.of-all-webhooks': 'the log has the notifications of all webhooks of the account',
      'webhook-log.list-leaks': 'anybody reads the log of a webhook',
    },
  },
  {
    rule: 'Only notifications of these statuses, events, this id, this message, this period.',
    operations: ['listWebhookDeliveries'],
    faults: {
      'webhook-log.statuses-ignored': 'the filter of statuses is ignored',
      'webhook-log.events-ignored': 'the filter of events is ignored',
      'webhook-log.notification-ignored': 'the filter of the notification is ignored',
      'webhook-log.message-ignored': 'the filter of the message is ignored',
      'webhook-log.period-ignored': 'the period is ignored',
      'webhook-log.swapped-period-empty': 'a period with its ends swapped is empty',
    },
  },
  {
    rule: 'Sends notifications of the log again, each with its webhook-id and the whole schedule of attempts anew.',
    operations: ['replayWebhook'],
    faults: {
      'webhook-log.replay-not-sent': 'nothing is sent again',
      'webhook-log.replay-new-id': 'what is sent again has another webhook-id',
      'webhook-log.replay-loses-payload': 'what is sent again is empty',
      'webhook-log.replay-tried-once': 'what is sent again is tried once',
      'webhook-log.replay-ignores-statuses': 'a period is sent again whatever the statuses',
      'webhook-log.replay-ignores-period': 'the period is ignored',
      'webhook-log.replay-miscounts': 'replayed is one too many',
    },
  },
  {
    rule: 'A notification that is not there is 409, and so is a disabled webhook; something must be named.',
    operations: ['replayWebhook'],
    faults: {
      'webhook-log.replay-of-unknown': 'a notification that does not exist is replayed',
      'webhook-log.missing-is-404': 'a notification that does not exist is 404',
      'webhook-log.replay-while-disabled': 'a disabled webhook is replayed',
      'webhook-log.replay-of-nothing': 'a body that names nothing is accepted',
    },
  },
  {
    rule: FOREIGN,
    operations: ['replayWebhook'],
    faults: { 'webhook-log.replay-leaks': 'anybody replays a webhook' },
  },
] as const satisfies readonly Rule[];
