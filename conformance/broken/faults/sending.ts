import type { Rule } from './rule.ts';

export const SENDING_RULES = [
  {
    rule: 'Status 207 is returned when at least one email was rejected.',
    operations: ['sendEmail'],
    faults: {
      'sending.rejection-is-200': 'a batch with a rejected message is 200',
      'sending.accepted-is-207': 'an accepted batch is 207',
      'sending.all-rejected-is-422': 'a batch of which all is rejected is 422',
    },
  },
  {
    rule: 'One item per submitted message, in the order of the request; one bad message never sinks the batch.',
    operations: ['sendEmail'],
    faults: {
      'sending.one-bad-sinks-all': 'one malformed message has all rejected',
      'sending.results-swapped': 'the items come in the reverse order',
      'sending.malformed-skipped': 'a malformed message is called accepted',
    },
  },
  {
    rule: 'Response: message_id, custom_id, status and errors; an accepted message has status `accepted` and no errors.',
    operations: ['sendEmail'],
    faults: {
      'sending.errors-null': 'errors of an accepted message are null',
      'sending.status-other-word': 'an accepted message is "queued"',
      'sending.message-id-missing': 'items have no message_id',
      'sending.message-id-of-another': 'message_id is not that of the log',
      'sending.meta-missing': 'there is no meta',
      'sending.custom-id-not-returned': 'custom_id is not returned',
      'sending.rejected-without-errors': 'a rejected item has no errors',
      'sending.rejected-without-code': 'a rejected item has no code',
      'sending.rejection-code-vague': 'every rejection has the code VALIDATION_ERROR',
    },
  },
  {
    rule: 'The body is a JSON array of messages; not an array, empty or more than 500 is 422.',
    operations: ['sendEmail'],
    faults: {
      'sending.single-object-accepted': 'a single object is taken as a batch of one',
      'sending.empty-array-accepted': 'an empty array is accepted',
      'sending.too-many-accepted': 'more than 500 messages are accepted',
    },
  },
  {
    rule: 'from.email, to[].email, subject and one of body.html and body.text are required.',
    operations: ['sendEmail'],
    faults: {
      'sending.bad-address-accepted': 'what is no address is accepted',
      'sending.subject-optional': 'the subject may be missing',
      'sending.empty-body-accepted': 'a message without text and HTML is accepted',
    },
  },
  {
    rule: 'Only one recipient is supported.',
    operations: ['sendEmail'],
    faults: { 'sending.several-recipients-accepted': 'several recipients are accepted' },
  },
  {
    rule: 'Optional fields may be null and mean "absent".',
    operations: ['sendEmail'],
    faults: { 'sending.null-refused': 'an optional field that is null is refused' },
  },
  {
    rule: 'CR, LF and NUL in any header-bound field are rejected; custom_id, list_id, names have 255 characters.',
    operations: ['sendEmail'],
    faults: {
      'sending.line-break-accepted': 'line breaks are accepted in subject, names and ids',
      'sending.long-texts-accepted': 'subject, names and ids of any length are accepted',
    },
  },
  {
    rule: 'A domain name is accepted in the From header only when its DNS settings are verified.',
    operations: ['sendEmail'],
    faults: {
      'sending.unverified-domain-accepted': 'an unverified domain sends',
      'sending.dkim-not-needed': 'a domain sends without verified DKIM',
      'sending.return-path-not-needed': 'a domain sends without a verified Return-Path',
      'sending.unassigned-domain-accepted': 'an account sends from a domain that is not assigned to it',
      'sending.foreign-domain-accepted': 'an account sends from a domain of another organisation',
      'sending.subdomain-accepted': 'an account sends from below its domain',
    },
  },
  {
    rule: 'A rejected message is not sent: no message, no event, no mail.',
    operations: ['sendEmail', 'listMessages'],
    faults: {
      'sending.rejected-logged': 'a rejected message is in the log, and delivered',
      'sending.suppressed-called-accepted': 'a message to a suppressed address is called accepted',
    },
  },
  {
    rule: 'custom_id: searchable in the messages API.',
    operations: ['sendEmail', 'getMessage', 'listMessages'],
    faults: { 'sending.custom-id-not-stored': 'the log does not know the custom ID' },
  },
] as const satisfies readonly Rule[];

export const CUSTOM_ID_RULES = [
  {
    rule: 'custom_id_unique: when enabled, custom_id must be unique within the last 72 hours (of the account).',
    operations: ['sendEmail'],
    faults: {
      'custom-id.never-unique': 'custom_id_unique is ignored',
      'custom-id.always-unique': 'custom IDs are unique without being asked for',
      'custom-id.unchecked-within-request': 'the same custom ID is accepted twice in a request',
      'custom-id.checked-within-request-only': 'earlier requests are not looked at',
      'custom-id.unique-across-accounts': 'custom IDs of other accounts count',
      'custom-id.unique-for-ever': 'a custom ID is taken for ever',
      'custom-id.unique-for-a-day': 'a custom ID is free again after a day',
      'custom-id.rejected-count': 'a rejected message takes its custom ID',
      'custom-id.compared-with-unique-only': 'messages that did not ask for uniqueness do not count',
    },
  },
] as const satisfies readonly Rule[];

export const MAIL_RULES = [
  {
    rule: 'The service accepts email for delivery.',
    operations: ['sendEmail'],
    faults: {
      'mail.never-sent': 'no mail leaves the server',
      'mail.subject-lost': 'the subject is another',
      'mail.from-name-lost': 'the name of the sender is missing',
      'mail.html-lost': 'the HTML part is missing',
      'mail.text-lost': 'the text part is missing',
    },
  },
  {
    rule: 'custom_id: added to the email as header X-Message-Custom-Id.',
    operations: ['sendEmail'],
    faults: { 'mail.custom-id-header-missing': 'there is no X-Message-Custom-Id' },
  },
  {
    rule: 'reply_to[].email: address placed in the Reply-To header.',
    operations: ['sendEmail'],
    faults: { 'mail.reply-to-missing': 'there is no Reply-To' },
  },
  {
    rule: 'list_id, list_unsubscribe: for the client’s built-in unsubscribe feature.',
    operations: ['sendEmail'],
    faults: {
      'mail.list-id-missing': 'there is no List-Id',
      'mail.list-unsubscribe-missing': 'there is no List-Unsubscribe',
    },
  },
  {
    rule: 'track_opens: adds a tracking pixel to the HTML part.',
    operations: ['sendEmail'],
    faults: {
      'mail.pixel-missing': 'there is no pixel',
      'mail.pixel-always': 'there is a pixel without track_opens',
    },
  },
  {
    rule: 'track_clicks: replaces URLs with tracking URLs.',
    operations: ['sendEmail'],
    faults: {
      'mail.links-not-replaced': 'links stay as they are',
      'mail.links-always-replaced': 'links are replaced without track_clicks',
    },
  },
] as const satisfies readonly Rule[];
