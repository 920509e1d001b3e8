import type { Rule } from './rule.ts';

export const ACCOUNT_RULES = [
  {
    rule: 'A created account starts `active`; 201: a POST created an object.',
    operations: ['createAccount'],
    faults: {
      'accounts.create-is-200': 'creating an account is 200',
      'accounts.starts-disabled': 'a created account is disabled',
      'accounts.create-not-saved': 'a created account is not kept',
      'accounts.names-unique': 'a name can be used once',
    },
  },
  {
    rule: 'Create: body name (string, required), type (required, transactional or marketing).',
    operations: ['createAccount'],
    faults: {
      'accounts.unknown-type-accepted': 'an unknown type means transactional',
      'accounts.empty-name-accepted': 'an empty name is accepted',
      'accounts.long-name-accepted': 'a name of any length is accepted',
      'accounts.line-break-accepted': 'a name with a line break is accepted',
    },
  },
  {
    rule: 'Sending account: account_id, name, status (`active` or `disabled`), type.',
    operations: ['getAccount'],
    faults: {
      'accounts.status-other-word': 'an active account is "enabled"',
      'accounts.name-missing': 'the account has no name',
      'accounts.id-is-a-number': 'account_id is a number',
    },
  },
  {
    rule: 'A list of account objects.',
    operations: ['listAccounts'],
    faults: {
      'accounts.list-lacks-type': 'accounts of the list have no type',
      'accounts.list-not-an-array': 'data of the list is an object',
    },
  },
  {
    rule: 'Type cannot be changed.',
    operations: ['updateAccount'],
    faults: { 'accounts.update-changes-type': 'PATCH changes the type' },
  },
  {
    rule: 'Update: body name (string, required); answers the account object with 200.',
    operations: ['updateAccount'],
    faults: {
      'accounts.update-is-201': 'updating is 201',
      'accounts.update-needs-no-name': 'the name may be missing',
      'accounts.update-not-saved': 'the change is answered and not kept',
    },
  },
  {
    rule: 'Delete operations return the deleted object in data.',
    operations: ['deleteAccount'],
    faults: {
      'accounts.delete-is-204': 'deleting is 204',
      'accounts.delete-answers-null': 'deleting answers null',
    },
  },
  {
    rule: 'Deleting an account is permanent, and deletes its keys, suppressions and log.',
    operations: ['deleteAccount'],
    faults: {
      'accounts.delete-not-done': 'a deleted account can still be read',
      'accounts.delete-keeps-keys': 'keys of a deleted account still send',
      'accounts.delete-keeps-suppressions': 'suppressions of a deleted account remain',
      'accounts.delete-keeps-log': 'messages of a deleted account remain',
    },
  },
  {
    rule: 'A request for a nonexistent resource yields 409, not 404.',
    operations: [
      'getAccount',
      'updateAccount',
      'deleteAccount',
      'createDomain',
      'createSuppression',
      'listSuppressions',
    ],
    faults: { 'accounts.missing-is-404': 'an account that does not exist is 404' },
  },
  {
    rule: 'List: query name contains, in any letter case; type; filters together are AND.',
    operations: ['listAccounts'],
    faults: {
      'accounts.name-filter-ignored': 'the filter name is ignored',
      'accounts.name-filter-case-sensitive': 'the filter name minds letter case',
      'accounts.name-filter-whole': 'the filter name compares the whole name',
      'accounts.type-filter-ignored': 'the filter type is ignored',
      'accounts.filters-widen': 'two filters are OR',
    },
  },
  {
    rule: 'A disabled account’s key: 403.',
    operations: ['sendEmail', 'updateAccount'],
    faults: {
      'accounts.disabled-still-sends': 'a disabled account sends',
      'accounts.disabled-is-401': 'the key of a disabled account is 401',
    },
  },
  {
    rule: 'A resource unavailable because of permissions yields 403.',
    operations: ['getAccount'],
    faults: { 'accounts.get-leaks': 'anybody reads an account' },
  },
  {
    rule: 'A resource unavailable because of permissions yields 403.',
    operations: ['updateAccount'],
    faults: { 'accounts.update-leaks': 'anybody changes an account' },
  },
  {
    rule: 'A resource unavailable because of permissions yields 403.',
    operations: ['deleteAccount'],
    faults: { 'accounts.delete-leaks': 'anybody deletes an account' },
  },
  {
    rule: 'Everything belongs to an organisation; its users see all of it, and nothing else.',
    operations: ['listAccounts'],
    faults: { 'accounts.list-leaks': 'the list has accounts of all organisations' },
  },
] as const satisfies readonly Rule[];

export const API_KEY_RULES = [
  {
    rule: 'Creating shows the key, once, with 201.',
    operations: ['createApiKey'],
    faults: {
      'api-keys.create-is-200': 'creating a key is 200',
      'api-keys.key-not-shown': 'a created key is not shown',
      'api-keys.create-useless': 'a created key does not work',
      'api-keys.create-leaks': 'a key can be made for an account of others',
    },
  },
  {
    rule: 'The API keys of an account, newest first. The keys themselves cannot be shown.',
    operations: ['listApiKeys'],
    faults: {
      'api-keys.list-shows-keys': 'the list shows the keys',
      'api-keys.list-of-all-accounts': 'the list has the keys of all accounts',
      'api-keys.prefix-missing': 'a key of the list has no prefix',
      'api-keys.list-leaks': 'anybody lists the keys of an account',
    },
  },
  {
    rule: 'Revokes a key for good: the next request with it is refused. The answer is the key record.',
    operations: ['revokeApiKey'],
    faults: {
      'api-keys.revoke-is-204': 'revoking is 204',
      'api-keys.revoke-not-done': 'a revoked key works',
      'api-keys.revoke-takes-all': 'revoking a key revokes all of the account',
      'api-keys.revoke-ignores-account': 'a key is revoked through the path of another account',
      'api-keys.revoke-leaks': 'anybody revokes a key',
      'api-keys.missing-is-404': 'a key that does not exist is 404',
    },
  },
] as const satisfies readonly Rule[];
