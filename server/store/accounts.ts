import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { notFound, requireOwn } from './ownership.ts';
import { andAlso, contains, pageClause, single, toPage } from './page.ts';
import type { AccountRow } from './rows.ts';
import { own, type Scope, type TransactionScope } from './scope.ts';
import type { AccountStore } from './store.ts';

/** Sending accounts of one organisation. */
export function accountStore(scope: Scope): AccountStore {
  return {
    create: ({ name, type }) => create(scope, name, type),
    get: (accountId) => get(scope, accountId),
    update: (accountId, change) => update(scope, accountId, change),
    delete: (accountId) => remove(scope, accountId),
    list: async (filter, page) => {
      const conditions = andAlso([
        contains('name', filter.name),
        filter.type === undefined ? undefined : sql`type = ${filter.type}`,
      ]);
      const rows = await scope.rows<AccountRow>`
        select account_id, name, status, type from accounts
        where organisation_id = ${own} and deleted_at is null ${conditions}
        order by created_at desc, account_id desc ${pageClause(page)}`;
      const counted = await scope.rows<{ total: number }>`
        select count(*) as total from accounts
        where organisation_id = ${own} and deleted_at is null ${conditions}`;
      return toPage(rows, counted);
    },
  };
}

const missing = () => notFound('account');

async function create(scope: Scope, name: string, type: string): Promise<AccountRow> {
  const rows = await scope.rows<AccountRow>`
    insert into accounts (organisation_id, account_id, name, status, type, created_at)
    values (${own}, ${randomUUIDv7()}, ${name}, 'active', ${type}, ${scope.clock.now()})
    returning account_id, name, status, type`;
  return single(rows, missing);
}

async function get(scope: Scope, accountId: string): Promise<AccountRow> {
  await requireOwn(scope, 'account', [accountId]);
  const rows = await scope.rows<AccountRow>`
    select account_id, name, status, type from accounts
    where organisation_id = ${own} and account_id = ${accountId} and deleted_at is null`;
  return single(rows, missing);
}

async function update(
  scope: Scope,
  accountId: string,
  change: Parameters<AccountStore['update']>[1],
): Promise<AccountRow> {
  await requireOwn(scope, 'account', [accountId]);
  const rows = await scope.rows<AccountRow>`
    with target as (select account_id as id from accounts where organisation_id = ${own} and account_id = ${accountId})
    update accounts set name = ${change.name}, status = coalesce(${change.status ?? null}, status)
    from target where account_id = target.id and deleted_at is null
    returning account_id, name, status, type`;
  return single(rows, missing);
}

// Whoever adds to an account holds it (`holdAccounts`), so that nothing is added behind what is deleted here.
// The log itself may be long: its messages are invisible from here on, and maintenance takes them away in small steps.
async function remove(scope: Scope, accountId: string): Promise<AccountRow> {
  await requireOwn(scope, 'account', [accountId]);
  return scope.transaction(async (tx) => {
    const rows = await tx.rows<AccountRow>`
      select account_id, name, status, type from accounts
      where organisation_id = ${own} and account_id = ${accountId} and deleted_at is null for update`;
    const account = single(rows, missing);
    await tx.rows`delete from api_keys where organisation_id = ${own} and account_id = ${accountId}`;
    await tx.rows`delete from domain_accounts where organisation_id = ${own} and account_id = ${accountId}`;
    await tx.rows`delete from suppressions where organisation_id = ${own} and account_id = ${accountId}`;
    await deleteWebhooks(tx, accountId);
    await tx.cancelDeliveries(accountId);
    await tx.rows`delete from message_counts where organisation_id = ${own} and account_id = ${accountId}`;
    await tx.rows`delete from stats_hourly where organisation_id = ${own} and account_id = ${accountId}`;
    await tx.rows`
      with target as (select account_id as id from accounts where organisation_id = ${own} and account_id = ${accountId})
      update accounts set deleted_at = ${tx.clock.now()} from target where account_id = target.id`;
    return account;
  });
}

// Locked by a statement of its own and in the order of their ids, as everybody does who changes several, so that nobody waits in a circle.
async function deleteWebhooks(tx: TransactionScope, accountId: string): Promise<void> {
  await tx.rows`
    select from webhooks where organisation_id = ${own} and account_id = ${accountId} and deleted_at is null
    order by webhook_id for no key update`;
  await tx.rows`
    with target as (
      select webhook_id as id from webhooks
      where organisation_id = ${own} and account_id = ${accountId} and deleted_at is null
    )
    update webhooks set deleted_at = ${tx.clock.now()} from target where webhook_id = target.id`;
}
