import type { Rule } from './rule.ts';

export const MESSAGE_RULES = [
  {
    rule: 'Message: its fields, their types and words.',
    operations: ['getMessage'],
    faults: {
      'messages.created-at-without-offset': 'created_at has no offset',
      'messages.opened-at-missing': 'opened_at is missing while it is null',
      'messages.status-other-word': 'a delivered message is "delivered"',
      'messages.names-swapped': 'domain_name and account_name are exchanged',
    },
  },
  {
    rule: 'Message: custom_id and subject as given at sending; timestamps are ISO 8601 strings.',
    operations: ['listMessages'],
    faults: {
      'messages.list-times-are-numbers': 'times are numbers',
      'messages.custom-id-null': 'a message without custom ID has null',
      'messages.custom-id-lost': 'custom_id is empty',
      'messages.subject-lower-case': 'the subject is in lower case',
    },
  },
  {
    rule: 'A message starts as `new`; delivery_status, opened_at, clicked_at, unsubscribed_at, spam_complaint_at follow its events.',
    operations: ['getMessage', 'listMessages'],
    faults: {
      'messages.status-stays-new': 'delivery_status stays new',
      'messages.updated-at-stands-still': 'updated_at stays that of the acceptance',
      'messages.opened-at-stays-null': 'opened_at stays null',
      'messages.clicked-at-stays-null': 'clicked_at stays null',
      'messages.unsubscribed-at-stays-null': 'unsubscribed_at stays null',
      'messages.spam-complaint-at-stays-null': 'spam_complaint_at stays null',
      'messages.opened-at-is-last': 'opened_at is the time of the last open',
    },
  },
  {
    rule: 'A request for a nonexistent resource yields 409, not 404.',
    operations: ['getMessage', 'listMessageEvents'],
    faults: {
      'messages.missing-is-404': 'a message that does not exist is 404',
    },
  },
  {
    rule: 'A resource unavailable because of permissions yields 403.',
    operations: ['getMessage'],
    faults: {
      'messages.get-leaks': 'anybody reads a message',
    },
  },
  {
    rule: 'List and export accept the same filters; filters together are AND.',
    operations: ['listMessages'],
    faults: {
      'messages.period-ignored': 'the period is ignored',
      'messages.account-filter-ignored': 'account_ids[] is ignored',
      'messages.domain-filter-ignored': 'domain_ids[] is ignored',
      'messages.events-filter-ignored': 'events[] is ignored',
      'messages.recipient-filter-ignored': 'recipient_email is ignored',
      'messages.from-filter-ignored': 'from_email is ignored',
      'messages.subject-filter-ignored': 'subject is ignored',
      'messages.message-filter-ignored': 'message_id is ignored',
      'messages.custom-id-filter-ignored': 'message_custom_id is ignored',
    },
  },
  {
    rule: 'subject contains, addresses whole, both in any letter case; custom IDs exactly; filters together are AND.',
    operations: ['listMessages', 'exportMessages'],
    faults: {
      'messages.subject-filter-case-sensitive': 'subject minds letter case',
      'messages.subject-filter-whole': 'subject compares the whole subject',
      'messages.recipient-filter-case-sensitive': 'recipient_email minds letter case',
      'messages.recipient-filter-contains': 'recipient_email finds a part',
      'messages.custom-id-filter-contains': 'message_custom_id finds a part',
      'messages.filters-widen': 'several filters are OR',
    },
  },
  {
    rule: 'events[]: only messages having an event of this type.',
    operations: ['listMessages', 'exportMessages'],
    faults: {
      'messages.events-filter-by-last': 'only the last event counts',
      'messages.events-filter-by-status': 'only the delivery status counts',
      'messages.unsubscribe-event-refused': 'neither unsubscribe nor unsibscribe is allowed',
    },
  },
  {
    rule: 'A period has both ends in either order, and counts by the time of acceptance.',
    operations: ['listMessages', 'exportMessages'],
    faults: {
      'messages.swapped-period-empty': 'a period whose later end comes first is empty',
      'messages.period-end-excluded': 'the end does not belong to the period',
      'messages.period-start-excluded': 'the start does not belong to the period',
      'messages.period-by-update': 'updated_at counts',
    },
  },
  {
    rule: 'account_ids[] and domain_ids[] that never existed are 409.',
    operations: ['listMessages'],
    faults: {
      'messages.unknown-account-empty': 'an account that does not exist gives an empty page',
      'messages.unknown-domain-empty': 'a domain that does not exist gives an empty page',
    },
  },
  {
    rule: 'A foreign id is 403 wherever it stands, filters included.',
    operations: ['listMessages'],
    faults: {
      'messages.leaks': 'the list has messages of all organisations',
      'messages.account-filter-leaks': 'the filter shows the messages of an account of others',
      'messages.domain-filter-leaks': 'the filter shows the messages of a domain of others',
    },
  },
] as const satisfies readonly Rule[];

export const EXPORT_RULES = [
  {
    rule: 'List and export accept the same filters.',
    operations: ['exportMessages'],
    faults: {
      'export.period-ignored': 'the period is ignored',
      'export.account-filter-ignored': 'account_ids[] is ignored',
      'export.domain-filter-ignored': 'domain_ids[] is ignored',
      'export.events-filter-ignored': 'events[] is ignored',
      'export.recipient-filter-ignored': 'recipient_email is ignored',
      'export.from-filter-ignored': 'from_email is ignored',
      'export.subject-filter-ignored': 'subject is ignored',
      'export.message-filter-ignored': 'message_id is ignored',
      'export.custom-id-filter-ignored': 'message_custom_id is ignored',
      'export.unknown-account-empty': 'an account that does not exist gives an empty file',
      'export.unknown-domain-empty': 'a domain that does not exist gives an empty file',
    },
  },
  {
    rule: 'A foreign id is 403 wherever it stands, filters included.',
    operations: ['exportMessages'],
    faults: {
      'export.leaks': 'the file has messages of all organisations',
      'export.account-filter-leaks': 'the filter exports the messages of an account of others',
      'export.domain-filter-leaks': 'the filter exports the messages of a domain of others',
    },
  },
  {
    rule: 'Export returns a CSV file (text/csv) whose header row has the columns message_id ... smtp_response.',
    operations: ['exportMessages'],
    faults: {
      'export.content-type-wrong': 'the content type is text/plain',
      'export.header-missing': 'there is no header row',
      'export.column-missing': 'there is no smtp_response',
      'export.columns-reordered': 'the columns come in another order',
      'export.smtp-response-empty': 'smtp_response is empty',
    },
  },
  {
    rule: 'CSV: RFC 4180, UTF-8.',
    operations: ['exportMessages'],
    faults: {
      'export.semicolons': 'cells are separated by semicolons',
      'export.line-feeds': 'lines end in LF',
      'export.unquoted': 'cells with commas are not quoted',
      'export.quotes-not-doubled': 'quotes within cells are not doubled',
      'export.null-written': 'absent values are "null"',
    },
  },
  {
    rule: 'Cells that a spreadsheet would run as a formula are escaped.',
    operations: ['exportMessages'],
    faults: {
      'export.formula-unescaped': 'formulas are written as they are',
    },
  },
  {
    rule: 'Export accepts no limit: everything that matches, newest first.',
    operations: ['exportMessages'],
    faults: {
      'export.stops-at-a-page': 'the file ends after 30 messages',
      'export.oldest-first': 'the oldest comes first',
    },
  },
] as const satisfies readonly Rule[];
