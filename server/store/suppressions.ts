import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { ApiError } from '../domain/errors.ts';
import { mailboxKey, withAsciiDomain } from '../domain/mailbox.ts';
import { holdAccounts, notFound, requireAllOwn, requireOwn } from './ownership.ts';
import { andAlso, contains, pageClause, single, toPage } from './page.ts';
import type { NewSuppression, Page, PageRequest, SuppressionFilter, SuppressionRow } from './rows.ts';
import { own, type Scope } from './scope.ts';
import type { SuppressionStore } from './store.ts';

const missing = () => notFound('suppression');

/** Suppressed addresses of the accounts of one organisation. */
export function suppressionStore(scope: Scope): SuppressionStore {
  return {
    create: (suppression) => create(scope, suppression),
    get: (suppressionId) => get(scope, suppressionId),
    delete: async (suppressionId) => {
      const suppression = await get(scope, suppressionId);
      const deleted = await scope.rows`
        delete from suppressions where organisation_id = ${own} and suppression_id = ${suppressionId}
        returning suppression_id`;
      single(deleted, missing);
      return suppression;
    },
    list: (filter, page) => list(scope, filter, page),
  };
}

async function create(scope: Scope, suppression: NewSuppression): Promise<SuppressionRow> {
  const { account_id: accountId, recipient_email: address, reason = '' } = suppression;
  await requireOwn(scope, 'account', [accountId]);
  const id = randomUUIDv7();
  return scope.transaction(async (tx) => {
    await holdAccounts(tx, [accountId]);
    const inserted = await tx.rows`
      insert into suppressions (organisation_id, suppression_id, account_id, recipient_email, type, reason, created_at)
      values (${own}, ${id}, ${accountId}, ${withAsciiDomain(address)}, 'manual', ${reason}, ${tx.clock.now()})
      on conflict do nothing returning suppression_id`;
    single(
      inserted,
      () => new ApiError('ENTITY_EXISTS', 'the address is suppressed in this account already'),
    );
    return get(tx, id);
  });
}

async function get(scope: Scope, suppressionId: string): Promise<SuppressionRow> {
  await requireOwn(scope, 'suppression', [suppressionId]);
  const rows = await scope.rows<SuppressionRow>`
    select s.suppression_id, s.account_id, a.name as account_name, s.created_at, s.message_custom_id, s.message_id,
      s.reason, s.recipient_email, s.type
    from suppressions s join accounts a using (account_id)
    where s.organisation_id = ${own} and s.suppression_id = ${suppressionId}`;
  return single(rows, missing);
}

async function list(
  scope: Scope,
  filter: SuppressionFilter,
  page: PageRequest,
): Promise<Page<SuppressionRow>> {
  const { account_ids: accountIds, message_id: message, period, types } = filter;
  await requireAllOwn(scope, [
    { kind: 'account', ids: accountIds ?? [] },
    { kind: 'message', ids: message === undefined ? [] : [message], mayBeMissing: true },
  ]);
  const conditions = andAlso([
    isGiven(accountIds) ? sql`s.account_id = any(${accountIds}::uuid[])` : undefined,
    period && sql`s.created_at between ${period.from} and ${period.to}`,
    filter.recipient_email === undefined
      ? undefined
      : sql`lower(s.recipient_email) = ${mailboxKey(filter.recipient_email)}`,
    message === undefined ? undefined : sql`s.message_id = ${message}`,
    filter.message_custom_id === undefined
      ? undefined
      : sql`s.message_custom_id = ${filter.message_custom_id}`,
    isGiven(types) ? sql`s.type = any(${types}::text[])` : undefined,
    contains('s.reason', filter.reason),
  ]);
  const rows = await scope.rows<SuppressionRow>`
    select s.suppression_id, s.account_id, a.name as account_name, s.created_at, s.message_custom_id, s.message_id,
      s.reason, s.recipient_email, s.type
    from suppressions s join accounts a using (account_id)
    where s.organisation_id = ${own} ${conditions}
    order by s.created_at desc, s.suppression_id desc ${pageClause(page)}`;
  const counted = await scope.rows<{ total: number }>`
    select count(*) as total from suppressions s where s.organisation_id = ${own} ${conditions}`;
  return toPage(rows, counted);
}

function isGiven<Value>(values: readonly Value[] | undefined): values is readonly Value[] {
  return values !== undefined && values.length > 0;
}
