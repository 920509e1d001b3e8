import type { Rule } from './rule.ts';

const DENIED = 'A resource unavailable because of permissions yields 403.';

export const SUPPRESSION_RULES = [
  {
    rule: 'A manually created suppression always has type `manual`; 201.',
    operations: ['createSuppression'],
    faults: {
      'suppressions.create-is-200': 'creating a suppression is 200',
      'suppressions.type-from-body': 'the type of the request counts',
      'suppressions.reason-lost': 'the reason is lost',
      'suppressions.reason-null': 'a missing reason is null',
    },
  },
  {
    rule: 'The same recipient can be suppressed in several accounts, and once in each, in any letter case.',
    operations: ['createSuppression'],
    faults: {
      'suppressions.duplicate-accepted': 'an address is suppressed twice',
      'suppressions.duplicate-by-case': 'an address is suppressed twice in different letter case',
      'suppressions.unique-for-all': 'an address can be suppressed in one account only',
    },
  },
  {
    rule: 'Suppression: account_name; type is `manual`, `hard_bounce`, `spam_complaint` or `unsubscribe`.',
    operations: ['getSuppression'],
    faults: {
      'suppressions.account-name-missing': 'there is no account_name',
      'suppressions.type-upper-case': 'the type is in upper case',
    },
  },
  {
    rule: 'Suppression: created_at, timestamp.',
    operations: ['listSuppressions'],
    faults: { 'suppressions.list-lacks-created-at': 'suppressions of the list have no created_at' },
  },
  {
    rule: 'Delete operations return the deleted object in data; deletion is permanent.',
    operations: ['deleteSuppression'],
    faults: {
      'suppressions.delete-is-204': 'deleting is 204',
      'suppressions.delete-not-done': 'a deleted suppression can still be read, and suppresses',
    },
  },
  {
    rule: 'A request for a nonexistent resource yields 409, not 404.',
    operations: ['getSuppression', 'deleteSuppression'],
    faults: { 'suppressions.missing-is-404': 'a suppression that does not exist is 404' },
  },
  {
    rule: 'A suppression is an address that the service refuses to deliver to, for its account.',
    operations: ['sendEmail'],
    faults: {
      'suppressions.ignored': 'suppressed addresses get mail',
      'suppressions.manual-ignored': 'manually suppressed addresses get mail',
      'suppressions.matched-by-case': 'another letter case is not suppressed',
      'suppressions.shared-by-accounts': 'a suppression holds for all accounts',
    },
  },
  {
    rule: 'A hard bounce, a spam complaint or an unsubscribe adds a suppression of that type.',
    operations: ['listSuppressions', 'sendEmail'],
    faults: {
      'suppressions.not-after-hard-bounce': 'a hard bounce suppresses nothing',
      'suppressions.not-after-spam-complaint': 'a complaint suppresses nothing',
      'suppressions.not-after-unsubscribe': 'an unsubscribe suppresses nothing',
      'suppressions.after-soft-bounce': 'a soft bounce suppresses',
      'suppressions.automatic-called-manual': 'an automatic suppression is of type manual',
    },
  },
  {
    rule: 'message_id: message that caused it; reason is filled only when type is `manual`.',
    operations: ['listSuppressions', 'getSuppression'],
    faults: {
      'suppressions.automatic-without-message': 'an automatic suppression names no message',
      'suppressions.automatic-without-custom-id': 'an automatic suppression has no custom ID',
      'suppressions.automatic-with-reason': 'an automatic suppression has a reason',
    },
  },
  {
    rule: 'List: query account_ids[], period, recipient_email, message_id, message_custom_id, types[], reason.',
    operations: ['listSuppressions'],
    faults: {
      'suppressions.account-filter-ignored': 'account_ids[] is ignored',
      'suppressions.period-ignored': 'the period is ignored',
      'suppressions.recipient-filter-ignored': 'recipient_email is ignored',
      'suppressions.recipient-filter-case-sensitive': 'recipient_email minds letter case',
      'suppressions.message-filter-ignored': 'message_id is ignored',
      'suppressions.custom-id-filter-ignored': 'message_custom_id is ignored',
      'suppressions.types-filter-ignored': 'types[] is ignored',
      'suppressions.reason-filter-ignored': 'reason is ignored',
      'suppressions.reason-filter-case-sensitive': 'reason minds letter case',
      'suppressions.filters-widen': 'several filters are OR',
      'suppressions.swapped-period-empty': 'a period whose later end comes first is empty',
    },
  },
  {
    rule: 'A list call with invalid filters (a nonexistent account) returns an error.',
    operations: ['listSuppressions'],
    faults: { 'suppressions.unknown-account-empty': 'an account that does not exist gives an empty page' },
  },
  {
    rule: DENIED,
    operations: ['listSuppressions'],
    faults: {
      'suppressions.list-leaks': 'the list has suppressions of all organisations',
      'suppressions.account-filter-leaks': 'the filter shows the suppressions of an account of others',
    },
  },
  {
    rule: DENIED,
    operations: ['createSuppression'],
    faults: { 'suppressions.create-leaks': 'anybody suppresses in an account' },
  },
  {
    rule: DENIED,
    operations: ['getSuppression'],
    faults: { 'suppressions.get-leaks': 'anybody reads a suppression' },
  },
  {
    rule: DENIED,
    operations: ['deleteSuppression'],
    faults: { 'suppressions.delete-leaks': 'anybody deletes a suppression' },
  },
] as const satisfies readonly Rule[];
