import { sql } from 'kysely';
import { ApiError, type ErrorCode } from '../domain/errors.ts';
import { own, type Scope, type TransactionScope } from './scope.ts';

interface Entity {
  table: string;
  key: string;
  /** Whether a row of the organisation counts as there. */
  isLive: string;
  missing: ErrorCode;
  name: string;
}

const isLiveAccount =
  'exists (select from accounts a where a.account_id = entity.account_id and a.deleted_at is null)';

/** How each kind of thing is found, and what is said when it is not. */
const ENTITIES = {
  account: {
    table: 'accounts',
    key: 'account_id',
    isLive: 'deleted_at is null',
    missing: 'ACCOUNT_NOT_FOUND',
    name: 'account',
  },
  domain: {
    table: 'domains',
    key: 'domain_id',
    isLive: 'deleted_at is null',
    missing: 'DOMAIN_NOT_FOUND',
    name: 'domain',
  },
  // In a filter a deleted domain is still known: its messages stay readable.
  domainEver: {
    table: 'domains',
    key: 'domain_id',
    isLive: 'true',
    missing: 'DOMAIN_NOT_FOUND',
    name: 'domain',
  },
  suppression: {
    table: 'suppressions',
    key: 'suppression_id',
    isLive: 'true',
    missing: 'SUPPRESSION_NOT_FOUND',
    name: 'suppression',
  },
  message: {
    table: 'messages',
    key: 'message_id',
    isLive: isLiveAccount,
    missing: 'MESSAGE_NOT_FOUND',
    name: 'message',
  },
  webhook: {
    table: 'webhooks',
    key: 'webhook_id',
    isLive: `entity.deleted_at is null and ${isLiveAccount}`,
    missing: 'WEBHOOK_NOT_FOUND',
    name: 'webhook',
  },
  notification: {
    table: 'webhook_deliveries',
    key: 'notification_id',
    isLive: 'true',
    missing: 'NOTIFICATION_NOT_FOUND',
    name: 'notification',
  },
  user: { table: 'users', key: 'user_id', isLive: 'true', missing: 'USER_NOT_FOUND', name: 'user' },
  apiKey: {
    table: 'api_keys',
    key: 'api_key_id',
    isLive: 'true',
    missing: 'API_KEY_NOT_FOUND',
    name: 'API key',
  },
} as const satisfies Record<string, Entity>;

export type EntityKind = keyof typeof ENTITIES;

/** Ids of one kind, from one place in a request. */
export interface NamedIds {
  kind: EntityKind;
  ids: readonly string[];
  /** For the id of a search, which may well match nothing: only another organisation's is refused. */
  mayBeMissing?: true;
}

/**
 * Makes sure that each id names a thing of the organisation, wherever the id came from: path, body or filter.
 * Throws ACCESS_DENIED for an id of another organisation, and `<ENTITY>_NOT_FOUND` for the first that names nothing (any more).
 */
export async function requireOwn(scope: Scope, kind: EntityKind, ids: readonly string[]): Promise<void> {
  await requireAllOwn(scope, [{ kind, ids }]);
}

/** As `requireOwn` for ids of several kinds, whose order decides between missing ones; a foreign one comes before all of those. */
export async function requireAllOwn(scope: Scope, named: readonly NamedIds[]): Promise<void> {
  const absent: EntityKind[] = [];
  for (const { kind, ids, mayBeMissing = false } of named) {
    if (ids.length === 0) continue;
    const states = await statesOf(scope, kind, ids);
    const found = ids.map((id) => states.get(id.toLowerCase()));
    if (found.includes('foreign')) throw notYours(kind);
    if (!mayBeMissing && found.some((state) => state !== 'own')) absent.push(kind);
  }
  const [first] = absent;
  if (first !== undefined) throw notFound(first);
}

/**
 * Keeps these accounts from being deleted until the transaction ends; ACCOUNT_NOT_FOUND when one is gone. Mail can be accepted beside
 * it. Before all other locks of a transaction: deleting an account begins with the account as well, so that nobody waits in a circle.
 */
export async function holdAccounts(tx: TransactionScope, accountIds: readonly string[]): Promise<void> {
  const ids = [...new Set(accountIds.map((id) => id.toLowerCase()))];
  const held = await tx.rows`
    select from accounts
    where organisation_id = ${own} and account_id = any(${ids}::uuid[]) and deleted_at is null
    order by account_id for key share`;
  if (held.length < ids.length) throw notFound('account');
}

/** The error for an id that names nothing. */
export function notFound(kind: EntityKind): ApiError {
  const { missing, name } = ENTITIES[kind];
  return new ApiError(missing, `the ${name} does not exist`);
}

function notYours(kind: EntityKind): ApiError {
  return new ApiError('ACCESS_DENIED', `the ${ENTITIES[kind].name} belongs to another organisation`);
}

type State = 'own' | 'foreign' | 'gone';

async function statesOf(scope: Scope, kind: EntityKind, ids: readonly string[]): Promise<Map<string, State>> {
  const { table, key, isLive } = ENTITIES[kind];
  const rows = await scope.rows<{ id: string; state: State }>`
    select
      case when organisation_id <> ${own} then 'foreign' when ${sql.raw(isLive)} then 'own' else 'gone' end as state,
      ${sql.ref(key)} as id
    from ${sql.table(table)} as entity
    where ${sql.ref(key)} = any(${ids}::uuid[])`;
  return new Map(rows.map(({ id, state }) => [id, state]));
}
