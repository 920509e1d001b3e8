import { randomUUIDv7 } from 'node:crypto';
import { ApiError } from '../domain/errors.ts';
import { notFound, requireOwn } from './ownership.ts';
import { pageClause, single, toPage } from './page.ts';
import type { NewUser, UserChange, UserRow } from './rows.ts';
import type { UserRole } from './schema.ts';
import { own, type Scope, type TransactionScope } from './scope.ts';
import { hashPassword } from './secrets.ts';
import type { UserStore } from './store.ts';

const missing = () => notFound('user');
// PostgreSQL's SQLSTATE.
const UNIQUE_VIOLATION = '23505';

/** The people of one organisation. */
export function userStore(scope: Scope): UserStore {
  return {
    create: (user) => create(scope, user),
    get: (userId) => get(scope, userId),
    update: (userId, change) => update(scope, userId, change),
    delete: (userId) => remove(scope, userId),
    list: async (page) => {
      const rows = await scope.rows<UserRow>`
        select user_id, email, name, role, created_at from users where organisation_id = ${own}
        order by created_at desc, user_id desc ${pageClause(page)}`;
      const counted = await scope.rows<{ total: number }>`
        select count(*) as total from users where organisation_id = ${own}`;
      return toPage(rows, counted);
    },
  };
}

async function create(scope: Scope, user: NewUser): Promise<UserRow> {
  const hash = await hashPassword(user.password);
  const rows = await scope.rows<UserRow>`
    insert into users (organisation_id, user_id, email, name, role, password_hash, created_at)
    values (${own}, ${randomUUIDv7()}, ${user.email}, ${user.name}, ${user.role}, ${hash}, ${scope.clock.now()})
    on conflict do nothing
    returning user_id, email, name, role, created_at`;
  return single(rows, addressTaken);
}

/** The error for an address that somebody, in whatever organisation, has already. */
export function addressTaken(): ApiError {
  return new ApiError('ENTITY_EXISTS', 'a user with this address exists already');
}

async function get(scope: Scope, userId: string): Promise<UserRow> {
  await requireOwn(scope, 'user', [userId]);
  const rows = await scope.rows<UserRow>`
    select user_id, email, name, role, created_at from users
    where organisation_id = ${own} and user_id = ${userId}`;
  return single(rows, missing);
}

async function update(scope: Scope, userId: string, change: UserChange): Promise<UserRow> {
  await requireOwn(scope, 'user', [userId]);
  const hash = change.password === undefined ? null : await hashPassword(change.password);
  const changed = scope.transaction(async (tx) => {
    const before = await lockUser(tx, userId);
    const role = change.role ?? before.role;
    if (before.role === 'owner' && role !== 'owner') await requireAnotherOwner(tx, userId);
    const rows = await tx.rows<UserRow>`
      with target as (select user_id as id from users where organisation_id = ${own} and user_id = ${userId})
      update users set email = ${change.email ?? before.email}, name = ${change.name ?? before.name}, role = ${role},
        password_hash = coalesce(${hash}, password_hash)
      from target where user_id = target.id
      returning user_id, email, name, role, created_at`;
    if (hash !== null || role !== before.role) {
      await tx.rows`delete from sessions where organisation_id = ${own} and user_id = ${userId}`;
    }
    const [user] = rows;
    // A reset that was mailed before must not undo the new password, nor open the door to the holder of an old address.
    if (hash !== null || user?.email !== before.email) {
      await tx.rows`
        delete from password_resets using users
        where organisation_id = ${own} and users.user_id = ${userId} and password_resets.user_id = users.user_id`;
    }
    return single(rows, missing);
  });
  return changed.catch((error: unknown) => {
    throw isTaken(error) ? addressTaken() : error;
  });
}

// The index on addresses decides, so that two who ask for the same one at the same moment cannot both get it.
function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}

async function remove(scope: Scope, userId: string): Promise<UserRow> {
  await requireOwn(scope, 'user', [userId]);
  return scope.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user.role === 'owner') await requireAnotherOwner(tx, userId);
    await tx.rows`delete from users where organisation_id = ${own} and user_id = ${userId}`;
    return user;
  });
}

// Locks the organisation first: two owners who remove each other at the same moment must not both succeed.
async function lockUser(tx: TransactionScope, userId: string): Promise<UserRow & { role: UserRole }> {
  await tx.rows`select name from organisations where organisation_id = ${own} for update`;
  const rows = await tx.rows<UserRow>`
    select user_id, email, name, role, created_at from users
    where organisation_id = ${own} and user_id = ${userId}`;
  return single(rows, missing);
}

async function requireAnotherOwner(tx: TransactionScope, userId: string): Promise<void> {
  const others = await tx.rows`
    select user_id from users
    where organisation_id = ${own} and role = 'owner' and user_id <> ${userId} limit 1`;
  single(others, () => new ApiError('LAST_OWNER', 'the organisation needs at least one owner'));
}
