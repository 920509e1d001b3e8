import type { Rule } from './rule.ts';

const DENIED = 'A resource unavailable because of permissions yields 403.';

export const DOMAIN_RULES = [
  {
    rule: 'A created domain starts with both verification timestamps null; 201.',
    operations: ['createDomain'],
    faults: {
      'domains.create-is-200': 'creating a domain is 200',
      'domains.starts-verified': 'a created domain is verified',
      'domains.unverified-is-false': 'dkim_verified_at of a created domain is false',
    },
  },
  {
    rule: 'return_path_hostname: the default is `cs-bounces`.',
    operations: ['createDomain'],
    faults: {
      'domains.other-default-host': 'the default is another host name',
      'domains.create-ignores-host': 'the host name of the request is ignored',
    },
  },
  {
    rule: 'Create: body name (string, required), accounts (array of uuid, required).',
    operations: ['createDomain'],
    faults: {
      'domains.bad-name-accepted': 'what is no host name is accepted',
      'domains.null-accounts-accepted': 'accounts may be missing',
    },
  },
  {
    rule: 'Domain names are unique within an organisation (409 ENTITY_EXISTS).',
    operations: ['createDomain'],
    faults: {
      'domains.duplicate-accepted': 'a domain can be added twice',
      'domains.unique-for-all': 'a domain of another organisation cannot be added',
    },
  },
  {
    rule: '409: a referenced resource is not found.',
    operations: ['createDomain', 'updateDomain'],
    faults: { 'domains.unknown-account-ignored': 'accounts that do not exist are left out in silence' },
  },
  {
    rule: 'A request for a nonexistent resource yields 409, not 404.',
    operations: ['getDomain', 'updateDomain', 'deleteDomain', 'verifyDomainDkim', 'verifyDomainReturnPath'],
    faults: { 'domains.missing-is-404': 'a domain that does not exist is 404' },
  },
  {
    rule: 'Sending domain: accounts[] are objects with account_id and name, dkim_selector_1, dkim_selector_2.',
    operations: ['getDomain'],
    faults: {
      'domains.selector-missing': 'there is no dkim_selector_2',
      'domains.accounts-are-ids': 'accounts are plain ids',
    },
  },
  {
    rule: 'return_path_cname: value of the Return-Path DNS record (string).',
    operations: ['listDomains'],
    faults: { 'domains.list-cname-null': 'return_path_cname is null in the list' },
  },
  {
    rule: 'Update: accounts (required; replaces all previously assigned accounts).',
    operations: ['updateDomain'],
    faults: {
      'domains.update-appends': 'accounts are added to those before',
      'domains.update-not-saved': 'the change is answered and not kept',
      'domains.update-needs-no-accounts': 'accounts may be missing',
      'domains.update-lacks-accounts': 'the answer has no accounts',
    },
  },
  {
    rule: 'Another return_path_hostname sets return_path_verified_at back to null; the same one changes nothing.',
    operations: ['updateDomain'],
    faults: {
      'domains.update-keeps-verification': 'another host name stays verified',
      'domains.update-always-unverifies': 'the same host name loses its verification',
    },
  },
  {
    rule: 'Delete operations return the deleted object in data; deletion is permanent.',
    operations: ['deleteDomain'],
    faults: {
      'domains.delete-answers-ok': 'deleting answers "OK"',
      'domains.delete-not-done': 'a deleted domain can still be read',
      'domains.deleted-still-sends': 'mail from a deleted domain is accepted',
      'domains.delete-takes-messages': 'messages of a deleted domain cannot be read',
    },
  },
  {
    rule: 'List: query name contains, in any letter case.',
    operations: ['listDomains'],
    faults: {
      'domains.name-filter-ignored': 'the filter name is ignored',
      'domains.name-filter-case-sensitive': 'the filter name minds letter case',
      'domains.name-filter-whole': 'the filter name compares the whole name',
      'domains.list-leaks': 'the list has domains of all organisations',
    },
  },
  {
    rule: 'Verify DKIM: data is the string `OK`, status 200; dkim_verified_at: when DKIM records were verified.',
    operations: ['verifyDomainDkim'],
    faults: {
      'domains.verify-dkim-answers-object': 'the answer is an object',
      'domains.verify-dkim-without-effect': 'dkim_verified_at stays null',
      'domains.verify-dkim-verifies-both': 'the Return-Path is verified as well',
    },
  },
  {
    rule: 'Verify Return-Path: data is the string `OK`, status 200; return_path_verified_at tells when.',
    operations: ['verifyDomainReturnPath'],
    faults: {
      'domains.verify-return-path-is-204': 'verifying is 204',
      'domains.verify-return-path-without-effect': 'return_path_verified_at stays null',
      'domains.verify-return-path-verifies-both': 'DKIM is verified as well',
    },
  },
  {
    rule: 'A failed verification returns an error (409).',
    operations: ['verifyDomainDkim', 'verifyDomainReturnPath'],
    faults: {
      'domains.verify-dkim-without-records': 'DKIM is verified without records',
      'domains.verify-return-path-without-records': 'the Return-Path is verified without a record',
      'domains.verify-failure-is-422': 'a failed verification is 422',
    },
  },
  {
    rule: 'Rotating DKIM: the selector that does not sign gets a new key, and then signs.',
    operations: ['rotateDomainDkim'],
    faults: {
      'domains.rotate-without-effect': 'the same selector signs after a rotation',
      'domains.rotate-unverified': 'a domain without DKIM records gets a new key',
      'domains.rotate-at-any-time': 'a second rotation does not wait for the mail on its way',
    },
  },
  {
    rule: DENIED,
    operations: ['rotateDomainDkim'],
    faults: { 'domains.rotate-leaks': 'anybody rotates DKIM' },
  },
  { rule: DENIED, operations: ['getDomain'], faults: { 'domains.get-leaks': 'anybody reads a domain' } },
  {
    rule: DENIED,
    operations: ['updateDomain'],
    faults: { 'domains.update-leaks': 'anybody changes a domain' },
  },
  {
    rule: DENIED,
    operations: ['deleteDomain'],
    faults: { 'domains.delete-leaks': 'anybody deletes a domain' },
  },
  {
    rule: DENIED,
    operations: ['verifyDomainDkim'],
    faults: { 'domains.verify-dkim-leaks': 'anybody verifies DKIM' },
  },
  {
    rule: DENIED,
    operations: ['verifyDomainReturnPath'],
    faults: { 'domains.verify-return-path-leaks': 'anybody verifies the Return-Path' },
  },
  {
    rule: DENIED,
    operations: ['createDomain'],
    faults: { 'domains.create-leaks': 'a domain is assigned to an account of others' },
  },
  {
    rule: DENIED,
    operations: ['updateDomain'],
    faults: { 'domains.update-leaks-accounts': 'a domain is reassigned to an account of others' },
  },
] as const satisfies readonly Rule[];
