import type { Rule } from './rule.ts';

// Webhooks show on the operation whose messages they tell of.
const SENDING = ['sendEmail'] as const;

export const WEBHOOK_RULES = [
  {
    rule: 'The service sends webhook requests to the customer’s webhook URL when a message event occurs.',
    operations: SENDING,
    faults: {
      'webhooks.never-sent': 'nothing is ever sent',
      'webhooks.not-for-delivery': 'message.delivery is not sent',
      'webhooks.not-for-hard_bounce': 'message.hard_bounce is not sent',
      'webhooks.not-for-soft_bounce': 'message.soft_bounce is not sent',
      'webhooks.not-for-spam_complaint': 'message.spam_complaint is not sent',
      'webhooks.not-for-unsubscribe': 'message.unsubscribe is not sent',
      'webhooks.not-for-open': 'message.open is not sent',
      'webhooks.not-for-click': 'message.click is not sent',
      'webhooks.to-any-account': 'events of an account go to the URL of another',
      'webhooks.to-the-whole-organisation':
        'events of an account go to the URLs of its organisation’s other accounts too',
    },
  },
  {
    rule: 'Every payload contains account_id, custom_id, event, from_email, message_id, received_at, recipient_email.',
    operations: SENDING,
    faults: {
      'webhooks.account-id-missing': 'there is no account_id',
      'webhooks.custom-id-missing': 'there is no custom_id',
      'webhooks.custom-id-wrong': 'custom_id is another',
      'webhooks.custom-id-null': 'the custom_id of a message without one is null',
      'webhooks.from-email-missing': 'there is no from_email',
      'webhooks.message-id-wrong': 'message_id is another',
      'webhooks.recipient-wrong': 'recipient_email is the sender',
      'webhooks.received-at-is-a-number': 'received_at is a number',
      'webhooks.event-without-prefix': 'the event has no prefix',
    },
  },
  {
    rule: 'Extra fields: list_id for unsubscribe, user_agent and user_ip for open and click, tracking_url_destination for click.',
    operations: SENDING,
    faults: {
      'webhooks.list-id-missing': 'there is no list_id',
      'webhooks.user-ip-missing': 'there is no user_ip',
      'webhooks.destination-missing': 'there is no tracking_url_destination',
      'webhooks.destination-is-tracking-link': 'tracking_url_destination is the tracking URL',
    },
  },
  {
    rule: 'Webhook requests carry a JSON object, by POST.',
    operations: SENDING,
    faults: {
      'webhooks.in-an-array': 'the payload is in an array',
      'webhooks.wrapped-in-data': 'the payload is in data',
      'webhooks.content-type-wrong': 'the content type is that of a form',
      'webhooks.put': 'the method is PUT',
    },
  },
  {
    rule: 'Seven events are listed, for messages that were accepted, each sent under one webhook-id.',
    operations: SENDING,
    faults: {
      'webhooks.sent-for-new': 'the event new is sent',
      'webhooks.sent-for-rejected': 'a rejected message has an event',
      'webhooks.sent-for-suppressed': 'a message to an address that is suppressed has an event',
      'webhooks.sent-twice': 'each event is sent under two ids',
      'webhooks.id-of-the-message': 'all events of a message are sent under one id',
    },
  },
  {
    rule: 'A request is repeated until a 2xx, with the same webhook-id and body; a redirect is a failure.',
    operations: SENDING,
    faults: {
      'webhooks.not-retried': 'a failed request is not repeated',
      'webhooks.new-id-on-retry': 'a repetition has another webhook-id',
      'webhooks.retry-loses-body': 'a repetition has an empty payload',
      'webhooks.redirect-is-success': 'a redirect counts as success',
      'webhooks.redirect-followed': 'a redirect that keeps the method is followed',
      'webhooks.only-200-is-success': 'a 2xx other than 200 is a failure',
      'webhooks.repeated-after-success': 'what was answered 200 is sent once more',
    },
  },
  {
    rule: 'webhook-signature: v1, HMAC-SHA256 of id.timestamp.body; the timestamp is that of the attempt.',
    operations: SENDING,
    faults: {
      'webhooks.signature-wrong': 'the signature is wrong',
      'webhooks.signature-missing': 'there is no signature',
      'webhooks.signature-of-body-only': 'the signature covers the body only',
      'webhooks.signature-of-another-form': 'the signature covers the body as it was before it was formatted',
      'webhooks.signed-with-the-text': 'the key is the text of the secret, not what it stands for in Base64',
      'webhooks.repetition-signed-as-before': 'a repetition has the signature of the first attempt',
      'webhooks.timestamp-of-the-first-attempt': 'a repetition has the timestamp of the first attempt',
      'webhooks.timestamp-in-milliseconds': 'the timestamp is in milliseconds',
      'webhooks.timestamp-stale': 'the timestamp is an hour old',
    },
  },
  {
    rule: 'The first attempts of what happened to one message come in the order in which it happened.',
    operations: SENDING,
    faults: { 'webhooks.out-of-order': 'a delivery is told of after what came of it' },
  },
  {
    rule: 'The receiver has 15 s to answer.',
    operations: SENDING,
    faults: { 'webhooks.impatient': 'an answer that takes a second counts as a failure' },
  },
  {
    rule: 'Nothing goes to an endpoint before the moment of its Retry-After.',
    operations: SENDING,
    faults: {
      'webhooks.retry-after-ignored': 'Retry-After is ignored',
      'webhooks.retry-after-for-one-only': 'only the notification that was refused waits',
    },
  },
  {
    rule: '410 disables the endpoint, and so do five days of nothing but failure.',
    operations: SENDING,
    faults: {
      'webhooks.gone-not-disabled': '410 is a failure like any other',
      'webhooks.failing-not-disabled': 'a webhook may fail for ever',
    },
  },
] as const satisfies readonly Rule[];
