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
import { stampOrNull } from '../clock.ts';
import type { FaultId } from '../faults.ts';
import { page, pageParameters } from '../lists.ts';
import { containsText, domainName, returnPathHostname } from '../names.ts';
import { refuse } from '../refusal.ts';
import { type Domain, known, newId, type World } from '../state.ts';
import { list, NUL, object, optional, type Rule, required, text, uuid } from '../validate.ts';
import { accountsOf } from './accounts.ts';

const DEFAULT_HOST = 'cs-bounces';
const MAIL_HOST = 'mail.another-server.test';
const MOST_ACCOUNTS = 1000;

function domainsOf(world: World, leak: FaultId): Lookup<Domain> {
  return { records: world.domains, missing: 'DOMAIN_NOT_FOUND', leak };
}

function showDomain(world: World, domain: Domain) {
  const { domain_id, name, return_path_hostname, dkim_verified_at, return_path_verified_at } = domain;
  const short = domain_id.slice(0, 8);
  return {
    domain_id,
    name,
    accounts: domain.account_ids.map((account_id) => ({
      account_id,
      name: known(world.accounts.get(account_id)).name,
    })),
    dkim_verified_at: stampOrNull(dkim_verified_at),
    return_path_verified_at: stampOrNull(return_path_verified_at),
    return_path_hostname,
    return_path_cname: `bounces.${MAIL_HOST}`,
    dkim_selector_1: `s1._domainkey.${name}`,
    dkim_cname_1: `s1-${short}.dkim.${MAIL_HOST}`,
    dkim_selector_2: `s2._domainkey.${name}`,
    dkim_cname_2: `s2-${short}.dkim.${MAIL_HOST}`,
  };
}

function accountIds(world: World): Rule<string[]> {
  const rule = list(uuid, MOST_ACCOUNTS);
  return world.has('domains.null-accounts-accepted')
    ? (value, field) => (value === null || value === undefined ? { value: [] } : rule(value, field))
    : required(rule);
}

export function createDomain(call: UserCall): Answer {
  const { world, user } = call;
  const name = world.has('domains.bad-name-accepted') ? text({ min: 1, max: 220 }) : domainName;
  const body = readBody(
    call,
    object({
      name: required(name),
      return_path_hostname: optional(returnPathHostname),
      accounts: accountIds(world),
    }),
  );
  requireOwner(call);
  const account_ids = assignable(call, body.accounts, 'domains.create-leaks');
  refuseTaken(call, body.name);
  const now = world.clock.now();
  const isVerified = world.has('domains.starts-verified');
  const domain: Domain = {
    domain_id: newId(),
    organisation_id: user.organisation_id,
    name: body.name,
    account_ids,
    dkim_verified_at: isVerified ? now : null,
    return_path_verified_at: isVerified ? now : null,
    rotated_at: null,
    signs_with: 1,
    return_path_hostname:
      body.return_path_hostname ?? (world.has('domains.other-default-host') ? 'bounces' : DEFAULT_HOST),
  };
  if (world.has('domains.create-ignores-host')) domain.return_path_hostname = DEFAULT_HOST;
  world.domains.set(domain.domain_id, domain);
  return ok(showDomain(world, domain), 201);
}

function assignable(call: UserCall, ids: readonly string[], leak: FaultId): string[] {
  const { world } = call;
  const wanted = [...new Set(ids)];
  const checked = world.has('domains.unknown-account-ignored')
    ? wanted.filter((id) => world.accounts.has(id))
    : wanted;
  return findAll(call, accountsOf(world, leak), checked).map(({ account_id }) => account_id);
}

function refuseTaken({ world, user }: UserCall, name: string): void {
  if (world.has('domains.duplicate-accepted')) return;
  const isTaken = [...world.domains.values()].some(
    (domain) =>
      domain.name === name &&
      (domain.organisation_id === user.organisation_id || world.has('domains.unique-for-all')),
  );
  if (isTaken) throw refuse(409, 'ENTITY_EXISTS', `${name} exists already`);
}

export function getDomain(call: UserCall): Answer {
  const id = pathId(call, 'domain_id');
  return ok(showDomain(call.world, find(call, domainsOf(call.world, 'domains.get-leaks'), id)));
}

export function updateDomain(call: UserCall): Answer {
  const { world } = call;
  const id = pathId(call, 'domain_id');
  const body = readBody(
    call,
    object({
      return_path_hostname: optional(returnPathHostname),
      accounts: world.has('domains.update-needs-no-accounts')
        ? optional(list(uuid, MOST_ACCOUNTS))
        : accountIds(world),
    }),
  );
  requireOwner(call);
  const domain = find(call, domainsOf(world, 'domains.update-leaks'), id);
  const account_ids =
    body.accounts === undefined
      ? domain.account_ids
      : assignable(call, body.accounts, 'domains.update-leaks-accounts');
  const before = domain.return_path_hostname;
  const changed: Domain = {
    ...domain,
    account_ids: world.has('domains.update-appends')
      ? [...new Set([...domain.account_ids, ...account_ids])]
      : account_ids,
    return_path_hostname: body.return_path_hostname ?? before,
  };
  const isNewHost = changed.return_path_hostname !== before;
  if (isNewHost && !world.has('domains.update-keeps-verification')) changed.return_path_verified_at = null;
  if (!isNewHost && world.has('domains.update-always-unverifies')) changed.return_path_verified_at = null;
  if (!world.has('domains.update-not-saved')) world.domains.set(id, changed);
  return ok(showDomain(world, changed));
}

export function deleteDomain(call: UserCall): Answer {
  const { world } = call;
  const id = pathId(call, 'domain_id');
  requireOwner(call);
  const domain = find(call, domainsOf(world, 'domains.delete-leaks'), id);
  const shown = showDomain(world, domain);
  if (!world.has('domains.delete-not-done')) world.domains.delete(id);
  world.formerDomains.set(id, domain);
  if (world.has('domains.delete-takes-messages')) {
    for (const [message_id, message] of world.messages)
      if (message.domain_id === id) world.messages.delete(message_id);
  }
  return ok(shown);
}

export function listDomains(call: UserCall): Answer {
  const { world, user } = call;
  const { name } = readParameters(call, {
    name: optional(text({ max: 255, forbidden: NUL })),
    ...pageParameters(call),
  });
  const all = [...world.domains.values()].filter(
    ({ organisation_id }) => organisation_id === user.organisation_id || world.has('domains.list-leaks'),
  );
  const found = all.filter(
    (domain) =>
      name === undefined ||
      world.has('domains.name-filter-ignored') ||
      (world.has('domains.name-filter-case-sensitive')
        ? domain.name.includes(name)
        : world.has('domains.name-filter-whole')
          ? domain.name === name.toLowerCase()
          : containsText(domain.name, name)),
  );
  return page(call, 'domains', found, (domain) => showDomain(world, domain), all);
}

/** Domains below .test have the records they should have, all others none. */
function hasRecords({ name }: Domain): boolean {
  return name.endsWith('.test');
}

export function verifyDomainDkim(call: UserCall): Answer {
  const { world } = call;
  const domain = findToVerify(call, 'domains.verify-dkim-leaks');
  if (!hasRecords(domain) && !world.has('domains.verify-dkim-without-records')) {
    throw refuse(409, 'DKIM_NOT_VERIFIED', `s1._domainkey.${domain.name} has no CNAME record`);
  }
  const now = world.clock.now();
  if (!world.has('domains.verify-dkim-without-effect')) domain.dkim_verified_at = now;
  if (world.has('domains.verify-dkim-verifies-both')) domain.return_path_verified_at = now;
  return ok('OK');
}

export function verifyDomainReturnPath(call: UserCall): Answer {
  const { world } = call;
  const domain = findToVerify(call, 'domains.verify-return-path-leaks');
  if (!hasRecords(domain) && !world.has('domains.verify-return-path-without-records')) {
    const host = `${domain.return_path_hostname}.${domain.name}`;
    throw refuse(409, 'RETURN_PATH_NOT_VERIFIED', `${host} has no CNAME record`);
  }
  const now = world.clock.now();
  if (!world.has('domains.verify-return-path-without-effect')) domain.return_path_verified_at = now;
  if (world.has('domains.verify-return-path-verifies-both')) domain.dkim_verified_at = now;
  return ok('OK');
}

const FIVE_DAYS = 5n * 86_400n * 1_000_000n;

/** The new key is in the DNS at once, so that it signs at once. */
export function rotateDomainDkim(call: UserCall): Answer {
  const { world } = call;
  const domain = findToVerify(call, 'domains.rotate-leaks');
  if (domain.dkim_verified_at === null && !world.has('domains.rotate-unverified')) {
    throw refuse(409, 'DKIM_NOT_VERIFIED', 'the DKIM records have to be verified first');
  }
  const now = world.clock.now();
  if (
    domain.rotated_at !== null &&
    now < domain.rotated_at + FIVE_DAYS &&
    !world.has('domains.rotate-at-any-time')
  ) {
    throw refuse(409, 'DKIM_ROTATED_RECENTLY', 'the old key is still needed');
  }
  domain.rotated_at = now;
  if (!world.has('domains.rotate-without-effect')) domain.signs_with = domain.signs_with === 1 ? 2 : 1;
  return ok({
    domain_id: domain.domain_id,
    status: 'complete',
    signing_selector: `s${domain.signs_with}._domainkey.${domain.name}`,
    next_selector: null,
    requested_at: stampOrNull(now),
  });
}

function findToVerify(call: UserCall, leak: FaultId): Domain {
  const id = pathId(call, 'domain_id');
  requireOwner(call);
  return find(call, domainsOf(call.world, leak), id);
}
