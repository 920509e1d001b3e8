import { randomUUIDv7 } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { ApiError } from '../domain/errors.ts';
import { newDkimKey } from './dkim-keys.ts';
import { readRotation, rotateDkim } from './dkim-rotation.ts';
import {
  DEFAULT_RETURN_PATH_HOSTNAME,
  type DomainFacts,
  domainRecords,
  FIRST_SELECTORS,
} from './domain-records.ts';
import { holdAccounts, notFound, requireOwn } from './ownership.ts';
import { andAlso, contains, pageClause, single, toPage } from './page.ts';
import type { DkimRecordRow, DomainChange, DomainRow, NewDomain } from './rows.ts';
import { own, type Scope, type TransactionScope } from './scope.ts';
import type { DomainStore } from './store.ts';

const missing = () => notFound('domain');

/** Sending domains of one organisation. */
export function domainStore(scope: Scope): DomainStore {
  return {
    create: (domain) => create(scope, domain),
    get: (domainId) => get(scope, domainId),
    update: (domainId, change) => update(scope, domainId, change),
    delete: (domainId) => remove(scope, domainId),
    list: async (filter, page) => {
      const conditions = andAlso([contains('name', filter.name)]);
      const ids = await scope.rows<{ domain_id: string }>`
        select domain_id from domains where organisation_id = ${own} and deleted_at is null ${conditions}
        order by created_at desc, domain_id desc ${pageClause(page)}`;
      const counted = await scope.rows<{ total: number }>`
        select count(*) as total from domains where organisation_id = ${own} and deleted_at is null ${conditions}`;
      const rows = await read(
        scope,
        ids.map((row) => row.domain_id),
      );
      return toPage(rows, counted);
    },
    dkimKeys: (domainId) => dkimKeys(scope, domainId),
    rotateDkim: (domainId, options) => rotateDkim(scope, domainId, options),
    dkimRotation: (domainId) => readRotation(scope, domainId),
    markDkimVerified: async (domainId) => {
      await scope.rows`
        with target as (select domain_id as id from domains where organisation_id = ${own} and domain_id = ${domainId})
        update domains set dkim_verified_at = ${scope.clock.now()} from target where domain_id = target.id`;
    },
    markReturnPathVerified: async (domainId, hostname) => {
      await scope.rows`
        with target as (select domain_id as id from domains where organisation_id = ${own} and domain_id = ${domainId})
        update domains set return_path_verified_at = ${scope.clock.now()}
        from target where domain_id = target.id and return_path_hostname = ${hostname}`;
    },
  };
}

async function create(scope: Scope, domain: NewDomain): Promise<DomainRow> {
  await requireOwn(scope, 'account', domain.accounts);
  const name = domainToASCII(domain.name);
  const hostname = domain.return_path_hostname ?? DEFAULT_RETURN_PATH_HOSTNAME;
  // Before the transaction: two RSA keys take a good part of a second.
  const keys = await Promise.all(
    FIRST_SELECTORS.map(async (selector) => ({ selector, ...(await newDkimKey()) })),
  );
  return scope.transaction(async (tx) => {
    await holdAccounts(tx, domain.accounts);
    const id = randomUUIDv7();
    const now = tx.clock.now();
    const inserted = await tx.rows`
      insert into domains (organisation_id, domain_id, name, return_path_hostname, created_at)
      values (${own}, ${id}, ${name}, ${hostname}, ${now})
      on conflict do nothing returning domain_id`;
    single(inserted, () => new ApiError('ENTITY_EXISTS', 'the organisation has this domain already'));
    for (const [index, key] of keys.entries()) {
      await tx.rows`
        insert into dkim_keys (organisation_id, domain_id, position, selector, private_key, public_key, created_at)
        values (${own}, ${id}, ${index + 1}, ${key.selector}, ${key.privateKey}, ${key.publicKey}, ${now})`;
    }
    await assign(tx, id, domain.accounts);
    return single(await read(tx, [id]), missing);
  });
}

async function get(scope: Scope, domainId: string): Promise<DomainRow> {
  await requireOwn(scope, 'domain', [domainId]);
  return single(await read(scope, [domainId]), missing);
}

async function update(scope: Scope, domainId: string, change: DomainChange): Promise<DomainRow> {
  await requireOwn(scope, 'domain', [domainId]);
  await requireOwn(scope, 'account', change.accounts);
  return scope.transaction(async (tx) => {
    await holdAccounts(tx, change.accounts);
    const hostname = change.return_path_hostname ?? null;
    const updated = await tx.rows`
      with target as (select domain_id as id from domains where organisation_id = ${own} and domain_id = ${domainId})
      update domains set
        return_path_verified_at =
          case when ${hostname}::text is distinct from return_path_hostname and ${hostname}::text is not null
          then null else return_path_verified_at end,
        return_path_hostname = coalesce(${hostname}, return_path_hostname)
      from target where domain_id = target.id and deleted_at is null
      returning domain_id`;
    single(updated, missing);
    await tx.rows`delete from domain_accounts where organisation_id = ${own} and domain_id = ${domainId}`;
    await assign(tx, domainId, change.accounts);
    return single(await read(tx, [domainId]), missing);
  });
}

async function remove(scope: Scope, domainId: string): Promise<DomainRow> {
  await requireOwn(scope, 'domain', [domainId]);
  const deleted = await scope.rows`
    with target as (select domain_id as id from domains where organisation_id = ${own} and domain_id = ${domainId})
    update domains set deleted_at = ${scope.clock.now()}
    from target where domain_id = target.id and deleted_at is null
    returning domain_id`;
  single(deleted, missing);
  return single(await read(scope, [domainId]), missing);
}

async function assign(tx: TransactionScope, domainId: string, accountIds: readonly string[]): Promise<void> {
  await tx.rows`
    insert into domain_accounts (organisation_id, domain_id, account_id)
    select ${own}::uuid, ${domainId}::uuid, account_id from unnest(${accountIds}::uuid[]) as assigned (account_id)
    on conflict do nothing`;
}

async function dkimKeys(scope: Scope, domainId: string): Promise<DkimRecordRow[]> {
  const domain = await get(scope, domainId);
  const keys = await scope.rows<{ position: number; public_key: string }>`
    select position, public_key from dkim_keys
    where organisation_id = ${own} and domain_id = ${domainId} order by position`;
  return keys.map(({ position, public_key: publicKey }) => {
    return position === 1
      ? { name: domain.dkim_selector_1, target: domain.dkim_cname_1, publicKey }
      : { name: domain.dkim_selector_2, target: domain.dkim_cname_2, publicKey };
  });
}

type StoredDomain = DomainFacts &
  Pick<DomainRow, 'accounts' | 'dkim_verified_at' | 'return_path_verified_at'> & {
    selectors: [string, string];
  };

/** The domains with these ids, in the order of the ids. */
async function read(scope: Scope, domainIds: readonly string[]): Promise<DomainRow[]> {
  const rows = await scope.rows<StoredDomain>`
    select d.domain_id, d.name, d.return_path_hostname, d.dkim_verified_at, d.return_path_verified_at,
      (select array_agg(k.selector order by k.position) from dkim_keys k where k.domain_id = d.domain_id) as selectors,
      coalesce((
        select jsonb_agg(jsonb_build_object('account_id', a.account_id, 'name', a.name) order by a.created_at, a.account_id)
        from domain_accounts da join accounts a using (account_id)
        where da.domain_id = d.domain_id and a.deleted_at is null
      ), '[]') as accounts
    from domains d
    where d.organisation_id = ${own} and d.domain_id = any(${domainIds}::uuid[])
    order by array_position(${domainIds}::uuid[], d.domain_id)`;
  return rows.map(({ selectors, ...domain }) => ({
    ...domain,
    ...domainRecords(domain, selectors, scope.mailHostname),
  }));
}
