import {
  type Answer,
  find,
  type Lookup,
  ok,
  pathId,
  readBody,
  readParameters,
  requireOwner,
  type UserCall,
} from '../call.ts';
import type { FaultId } from '../faults.ts';
import { page, pageParameters } from '../lists.ts';
import { containsText } from '../names.ts';
import { refuse } from '../refusal.ts';
import { type Account, newId, type World } from '../state.ts';
import { choice, NUL, object, optional, required, text } from '../validate.ts';

const TYPES = ['transactional', 'marketing'] as const;
const STATUSES = ['active', 'disabled'] as const;

/** Where accounts are looked up. */
export function accountsOf(world: World, leak: FaultId): Lookup<Account> {
  return { records: world.accounts, missing: 'ACCOUNT_NOT_FOUND', leak };
}

export function showAccount({ account_id, name, status, type }: Account) {
  return { account_id, name, status, type };
}

export function createAccount(call: UserCall): Answer {
  const { world, user } = call;
  const { name, type } = readBody(
    call,
    object({ name: required(nameRule(world)), type: required(typeRule(world)) }),
  );
  requireOwner(call);
  const isTaken = [...world.accounts.values()].some((one) => one.name === name && !isElsewhere(call, one));
  if (isTaken && world.has('accounts.names-unique')) throw refuse(409, 'ENTITY_EXISTS', 'the name is taken');
  const account: Account = {
    account_id: newId(),
    organisation_id: user.organisation_id,
    name,
    type,
    status: world.has('accounts.starts-disabled') ? 'disabled' : 'active',
  };
  if (!world.has('accounts.create-not-saved')) world.accounts.set(account.account_id, account);
  return ok(showAccount(account), 201);
}

function nameRule(world: World) {
  if (world.has('accounts.line-break-accepted')) return text({ min: 1, max: 255, forbidden: /\0/ });
  return text({
    min: world.has('accounts.empty-name-accepted') ? 0 : 1,
    max: world.has('accounts.long-name-accepted') ? 100_000 : 255,
    ...(world.has('http.nul-accepted') ? { forbidden: /[\r\n]/ } : {}),
  });
}

function typeRule(world: World) {
  const anything = text({ max: 255 });
  const oneOf = choice(TYPES);
  return (value: unknown, field: string) => {
    const isOther = world.has('accounts.unknown-type-accepted') && 'value' in anything(value, field);
    return oneOf(isOther && value !== 'marketing' ? 'transactional' : value, field);
  };
}

export function getAccount(call: UserCall): Answer {
  const id = pathId(call, 'account_id');
  return ok(showAccount(find(call, accountsOf(call.world, 'accounts.get-leaks'), id)));
}

export function updateAccount(call: UserCall): Answer {
  const { world } = call;
  const id = pathId(call, 'account_id');
  const name = nameRule(world);
  const shape = { status: optional(choice(STATUSES)), type: given };
  const body = world.has('accounts.update-needs-no-name')
    ? readBody(call, object({ ...shape, name: optional(name) }))
    : readBody(call, object({ ...shape, name: required(name) }));
  requireOwner(call);
  const account = find(call, accountsOf(world, 'accounts.update-leaks'), id);
  const changed: Account = {
    ...account,
    name: body.name ?? account.name,
    status: body.status ?? account.status,
    type:
      (world.has('accounts.update-changes-type') && TYPES.find((type) => type === body.type)) || account.type,
  };
  if (!world.has('accounts.update-not-saved')) world.accounts.set(id, changed);
  return ok(showAccount(changed));
}

const given = (value: unknown) => ({ value });

export function deleteAccount(call: UserCall): Answer {
  const { world } = call;
  const id = pathId(call, 'account_id');
  requireOwner(call);
  const account = find(call, accountsOf(world, 'accounts.delete-leaks'), id);
  if (!world.has('accounts.delete-not-done')) world.accounts.delete(id);
  if (world.has('accounts.delete-keeps-keys')) world.formerAccounts.set(id, account);
  removeBelongings(world, id);
  return ok(showAccount(account));
}

function removeBelongings(world: World, account_id: string): void {
  const remove = <T extends { account_id: string }>(records: Map<string, T>) => {
    for (const [id, record] of records) if (record.account_id === account_id) records.delete(id);
  };
  remove(world.webhooks);
  remove(world.notifications);
  if (!world.has('accounts.delete-keeps-keys')) remove(world.keys);
  if (!world.has('accounts.delete-keeps-suppressions')) remove(world.suppressions);
  if (!world.has('accounts.delete-keeps-log')) remove(world.messages);
  for (const domain of world.domains.values()) {
    domain.account_ids = domain.account_ids.filter((id) => id !== account_id);
  }
}

export function listAccounts(call: UserCall): Answer {
  const { world } = call;
  const filters = readParameters(call, {
    name: optional(text({ max: 255, forbidden: NUL })),
    type: optional(choice(TYPES)),
    ...pageParameters(call),
  });
  const all = [...world.accounts.values()].filter(
    (account) => !isElsewhere(call, account) || world.has('accounts.list-leaks'),
  );
  return page(call, 'accounts', matching(world, all, filters), showAccount, all);
}

function matching(
  world: World,
  accounts: readonly Account[],
  { name, type }: { name: string | undefined; type: Account['type'] | undefined },
): Account[] {
  const hasName = (account: Account) =>
    name === undefined ||
    world.has('accounts.name-filter-ignored') ||
    (world.has('accounts.name-filter-case-sensitive')
      ? account.name.includes(name)
      : world.has('accounts.name-filter-whole')
        ? account.name.toLowerCase() === name.toLowerCase()
        : containsText(account.name, name));
  const hasType = (account: Account) =>
    type === undefined || world.has('accounts.type-filter-ignored') || account.type === type;
  const isWidened = world.has('accounts.filters-widen') && name !== undefined && type !== undefined;
  return accounts.filter((one) => (isWidened ? hasName(one) || hasType(one) : hasName(one) && hasType(one)));
}

function isElsewhere({ user }: UserCall, account: Account): boolean {
  return account.organisation_id !== user.organisation_id;
}
