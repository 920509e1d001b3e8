import type { Rule } from './rule.ts';

const LISTS = [
  'listAccounts',
  'listDomains',
  'listSuppressions',
  'listMessages',
  'listMessageEvents',
  'listUsers',
  'listApiKeys',
  'listWebhooks',
  'listWebhookDeliveries',
] as const;

export const LIST_RULES = [
  {
    rule: 'List responses: { data: [<object>...], meta: { limit, offset, total, rq_time } }.',
    operations: LISTS,
    faults: {
      'lists.limit-not-echoed': 'meta has no limit',
      'lists.offset-not-echoed': 'meta has no offset',
      'lists.total-missing': 'meta has no total',
      'lists.meta-ignores-request': 'meta always has the limit 30 and the offset 0',
    },
  },
  {
    rule: 'meta.total is exact.',
    operations: ['listAccounts', 'listDomains', 'listSuppressions', 'listMessages'],
    faults: { 'lists.total-ignores-filters': 'total counts what the filters exclude' },
  },
  {
    rule: 'limit is the maximum number of objects; it is 1 or more.',
    operations: LISTS,
    faults: {
      'lists.page-one-short': 'a page has one object less than its limit, and pages leave gaps',
      'lists.limit-zero-accepted': 'a limit of 0 is accepted',
    },
  },
  {
    rule: 'Lists are in a fixed order, also under equal times.',
    operations: LISTS,
    faults: { 'lists.unstable-order': 'every request has another order' },
  },
  {
    rule: 'Parameters written name[] are array filters; repeat the parameter to pass several values.',
    operations: ['listSuppressions', 'listMessages', 'exportMessages'],
    faults: { 'lists.array-filter-takes-first': 'only the first value counts' },
  },
  {
    rule: 'Every list endpoint takes limit and offset (counted from 0), counts exactly, and begins with the newest.',
    operations: ['listAccounts'],
    faults: {
      'accounts.limit-ignored': 'accounts: limit is ignored',
      'accounts.offset-ignored': 'accounts: offset is ignored',
      'accounts.offset-from-one': 'accounts: offset is counted from 1',
      'accounts.total-of-page': 'accounts: total is that of the page',
      'accounts.oldest-first': 'accounts: the oldest comes first',
    },
  },
  {
    rule: 'Every list endpoint takes limit and offset (counted from 0), counts exactly, and begins with the newest.',
    operations: ['listDomains'],
    faults: {
      'domains.limit-ignored': 'domains: limit is ignored',
      'domains.offset-ignored': 'domains: offset is ignored',
      'domains.offset-from-one': 'domains: offset is counted from 1',
      'domains.total-of-page': 'domains: total is that of the page',
      'domains.oldest-first': 'domains: the oldest comes first',
    },
  },
  {
    rule: 'Every list endpoint takes limit and offset (counted from 0), counts exactly, and begins with the newest.',
    operations: ['listSuppressions'],
    faults: {
      'suppressions.limit-ignored': 'suppressions: limit is ignored',
      'suppressions.offset-ignored': 'suppressions: offset is ignored',
      'suppressions.offset-from-one': 'suppressions: offset is counted from 1',
      'suppressions.total-of-page': 'suppressions: total is that of the page',
      'suppressions.oldest-first': 'suppressions: the oldest comes first',
    },
  },
  {
    rule: 'Every list endpoint takes limit and offset (counted from 0), counts exactly, and begins with the newest.',
    operations: ['listMessages'],
    faults: {
      'messages.limit-ignored': 'messages: limit is ignored',
      'messages.offset-ignored': 'messages: offset is ignored',
      'messages.offset-from-one': 'messages: offset is counted from 1',
      'messages.total-of-page': 'messages: total is that of the page',
      'messages.oldest-first': 'messages: the oldest comes first',
    },
  },
  {
    rule: 'Every list endpoint takes limit and offset (counted from 0), counts exactly, and begins with the newest.',
    operations: ['listMessageEvents'],
    faults: {
      'events.limit-ignored': 'events: limit is ignored',
      'events.offset-ignored': 'events: offset is ignored',
      'events.offset-from-one': 'events: offset is counted from 1',
      'events.total-of-page': 'events: total is that of the page',
      'events.oldest-first': 'events: the oldest comes first',
    },
  },
  {
    rule: 'Every list endpoint takes limit and offset (counted from 0), counts exactly, and begins with the newest.',
    operations: ['listUsers'],
    faults: {
      'users.limit-ignored': 'users: limit is ignored',
      'users.offset-ignored': 'users: offset is ignored',
      'users.offset-from-one': 'users: offset is counted from 1',
      'users.total-of-page': 'users: total is that of the page',
      'users.oldest-first': 'users: the oldest comes first',
    },
  },
  {
    rule: 'Every list endpoint takes limit and offset (counted from 0), counts exactly, and begins with the newest.',
    operations: ['listApiKeys'],
    faults: {
      'api-keys.limit-ignored': 'API keys: limit is ignored',
      'api-keys.offset-ignored': 'API keys: offset is ignored',
      'api-keys.offset-from-one': 'API keys: offset is counted from 1',
      'api-keys.total-of-page': 'API keys: total is that of the page',
      'api-keys.oldest-first': 'API keys: the oldest comes first',
    },
  },
  {
    rule: 'Every list endpoint takes limit and offset (counted from 0), counts exactly, and begins with the newest.',
    operations: ['listWebhooks'],
    faults: {
      'webhook-operations.limit-ignored': 'webhooks: limit is ignored',
      'webhook-operations.offset-ignored': 'webhooks: offset is ignored',
      'webhook-operations.offset-from-one': 'webhooks: offset is counted from 1',
      'webhook-operations.total-of-page': 'webhooks: total is that of the page',
      'webhook-operations.oldest-first': 'webhooks: the oldest comes first',
    },
  },
  {
    rule: 'Every list endpoint takes limit and offset (counted from 0), counts exactly, and begins with the newest.',
    operations: ['listWebhookDeliveries'],
    faults: {
      'webhook-log.limit-ignored': 'delivery log: limit is ignored',
      'webhook-log.offset-ignored': 'delivery log: offset is ignored',
      'webhook-log.offset-from-one': 'delivery log: offset is counted from 1',
      'webhook-log.total-of-page': 'delivery log: total is that of the page',
      'webhook-log.oldest-first': 'delivery log: the oldest comes first',
    },
  },
] as const satisfies readonly Rule[];
