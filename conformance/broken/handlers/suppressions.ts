import {
  type Answer,
  find,
  findAll,
  type Lookup,
  ok,
  pathId,
  readBody,
  readParameters,
  requireOwner,
  type UserCall,
} from '../call.ts';
import { stamp } from '../clock.ts';
import type { FaultId } from '../faults.ts';
import { page, pageParameters } from '../lists.ts';
import { asciiAddress, containsText, email, isSameAddress } from '../names.ts';
import { periodEnd } from '../period-parameters.ts';
import { isWithin, listPeriod } from '../periods.ts';
import { refuse } from '../refusal.ts';
import { newId, type Suppression, type World } from '../state.ts';
import { choice, list, NUL, object, optional, required, text, uuid } from '../validate.ts';
import { accountsOf } from './accounts.ts';

const TYPES = ['manual', 'hard_bounce', 'spam_complaint', 'unsubscribe'] as const;
const MOST_VALUES = 100;

function suppressionsOf(world: World, leak: FaultId): Lookup<Suppression> {
  return { records: world.suppressions, missing: 'SUPPRESSION_NOT_FOUND', leak };
}

function showSuppression(world: World, suppression: Suppression) {
  const { suppression_id, account_id, created_at, reason, recipient_email, type } = suppression;
  const isEmptyText = type === 'manual' && world.varies('empty-text-for-manual');
  return {
    suppression_id,
    account_id,
    account_name: world.accounts.get(account_id)?.name ?? 'deleted',
    created_at: stamp(created_at),
    message_custom_id: isEmptyText ? '' : suppression.message_custom_id,
    message_id: isEmptyText ? '' : suppression.message_id,
    reason,
    recipient_email,
    type,
  };
}

export function createSuppression(call: UserCall): Answer {
  const { world } = call;
  const body = readBody(
    call,
    object({
      account_id: required(uuid),
      recipient_email: required(email),
      reason: optional(text({ max: 1000, forbidden: world.has('http.nul-accepted') ? /(?!)/ : NUL })),
      type: (value: unknown) => ({ value }),
    }),
  );
  requireOwner(call);
  const account = find(call, accountsOf(world, 'suppressions.create-leaks'), body.account_id);
  refuseTwice(world, account.account_id, body.recipient_email);
  const suppression: Suppression = {
    suppression_id: newId(),
    organisation_id: account.organisation_id,
    account_id: account.account_id,
    created_at: world.clock.now(),
    message_custom_id: null,
    message_id: null,
    reason: world.has('suppressions.reason-lost') ? '' : (body.reason ?? ''),
    recipient_email: asciiAddress(body.recipient_email),
    type: (world.has('suppressions.type-from-body') && TYPES.find((type) => type === body.type)) || 'manual',
  };
  world.suppressions.set(suppression.suppression_id, suppression);
  return ok(showSuppression(world, suppression), 201);
}

function refuseTwice(world: World, account_id: string, address: string): void {
  if (world.has('suppressions.duplicate-accepted')) return;
  const isSame = world.has('suppressions.duplicate-by-case')
    ? (one: string) => one === address
    : (one: string) => isSameAddress(one, address);
  const isTwice = [...world.suppressions.values()].some(
    (one) =>
      isSame(one.recipient_email) &&
      (one.account_id === account_id || world.has('suppressions.unique-for-all')),
  );
  if (isTwice) throw refuse(409, 'ENTITY_EXISTS', `${address} is suppressed already`);
}

export function getSuppression(call: UserCall): Answer {
  const id = pathId(call, 'suppression_id');
  return ok(
    showSuppression(call.world, find(call, suppressionsOf(call.world, 'suppressions.get-leaks'), id)),
  );
}

export function deleteSuppression(call: UserCall): Answer {
  const { world } = call;
  const id = pathId(call, 'suppression_id');
  requireOwner(call);
  const suppression = find(call, suppressionsOf(world, 'suppressions.delete-leaks'), id);
  if (!world.has('suppressions.delete-not-done')) world.suppressions.delete(id);
  return ok(showSuppression(world, suppression));
}

export function listSuppressions(call: UserCall): Answer {
  const { world, user } = call;
  const filters = readFilters(call);
  const ids = filters['account_ids[]'] ?? [];
  if (!world.has('suppressions.unknown-account-empty') || ids.some((id) => world.accounts.has(id))) {
    findAll(call, accountsOf(world, 'suppressions.account-filter-leaks'), ids);
  }
  const isVisible = ({ organisation_id, account_id }: Suppression) =>
    organisation_id === user.organisation_id ||
    world.has('suppressions.list-leaks') ||
    (world.has('suppressions.account-filter-leaks') && ids.includes(account_id));
  const all = [...world.suppressions.values()].filter(isVisible);
  const tests = testsOf(world, filters);
  const found = all.filter((one) =>
    world.has('suppressions.filters-widen') && tests.length > 0
      ? tests.some((test) => test(one))
      : tests.every((test) => test(one)),
  );
  return page(call, 'suppressions', found, (one) => showSuppression(world, one), all);
}

type Filters = ReturnType<typeof readFilters>;

function readFilters(call: UserCall) {
  return readParameters(call, {
    'account_ids[]': optional(list(uuid, MOST_VALUES)),
    period_from: optional(periodEnd(call.world)),
    period_to: optional(periodEnd(call.world)),
    recipient_email: optional(email),
    message_id: optional(uuid),
    message_custom_id: optional(text({ max: 255, forbidden: NUL })),
    'types[]': optional(list(choice(TYPES), MOST_VALUES)),
    reason: optional(text({ max: 1000, forbidden: NUL })),
    ...pageParameters(call),
  });
}

/** A test for every filter that is given. */
function testsOf(world: World, filters: Filters): ((one: Suppression) => boolean)[] {
  const { period_from, period_to, recipient_email, message_id, message_custom_id, reason } = filters;
  const accounts = filters['account_ids[]'];
  const types = filters['types[]'];
  const period = listPeriod(period_from, period_to, world);
  const tests: [FaultId, boolean, (one: Suppression) => boolean][] = [
    [
      'suppressions.account-filter-ignored',
      accounts !== undefined,
      (one) => valuesOf(world, accounts).includes(one.account_id),
    ],
    [
      'suppressions.period-ignored',
      period_from !== undefined || period_to !== undefined,
      (one) => isWithin(one.created_at, period),
    ],
    [
      'suppressions.recipient-filter-ignored',
      recipient_email !== undefined,
      (one) => isRecipient(world, one.recipient_email, recipient_email ?? ''),
    ],
    ['suppressions.message-filter-ignored', message_id !== undefined, (one) => one.message_id === message_id],
    [
      'suppressions.custom-id-filter-ignored',
      message_custom_id !== undefined,
      (one) => one.message_custom_id === message_custom_id,
    ],
    [
      'suppressions.types-filter-ignored',
      types !== undefined,
      (one) => valuesOf(world, types).includes(one.type),
    ],
    [
      'suppressions.reason-filter-ignored',
      reason !== undefined,
      (one) =>
        world.has('suppressions.reason-filter-case-sensitive')
          ? one.reason.includes(reason ?? '')
          : containsText(one.reason, reason ?? ''),
    ],
  ];
  return tests.flatMap(([fault, isGiven, test]) => (isGiven && !world.has(fault) ? [test] : []));
}

function valuesOf<T>(world: World, values: readonly T[] | undefined): readonly (T | string)[] {
  return world.has('lists.array-filter-takes-first') ? (values ?? []).slice(0, 1) : (values ?? []);
}

function isRecipient(world: World, address: string, wanted: string): boolean {
  return world.has('suppressions.recipient-filter-case-sensitive')
    ? address === wanted
    : isSameAddress(address, wanted);
}
