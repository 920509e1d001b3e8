import { randomUUIDv7 } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { ApiError } from '../../domain/errors.ts';
import { MILLISECONDS_PER_DAY, plusMilliseconds, type Timestamp } from '../../domain/time.ts';
import type { OrganisationId } from '../column-types.ts';
import type { OrganisationRow, TokenRow, UserRow } from '../rows.ts';
import type { AccountStatus, Schema, UserRole } from '../schema.ts';
import type { StoreParts } from '../scope.ts';
import {
  digest,
  formatRefreshToken,
  hashPassword,
  newAccessToken,
  newRefreshToken,
  parseRefreshToken,
  sameDigest,
  verifyPassword,
} from '../secrets.ts';
import type { AccountCaller, AuthenticationStore, UserCaller } from '../store.ts';
import { addressTaken } from '../users.ts';
import { confirmPasswordReset, requestPasswordReset } from './password-reset.ts';

const ACCESS_LIFETIME_SECONDS = 3600;
const REFRESH_LIFETIME_MS = 30 * MILLISECONDS_PER_DAY;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
// Writing down each use of a key would cost more than checking it.
const LAST_USED_RESOLUTION_MS = 60_000;

/** Proof of identity, and the sessions that come of it. The only place (with registration) where an OrganisationId is made. */
export function authenticationStore(parts: StoreParts): AuthenticationStore {
  return {
    byToken: (token) => byToken(parts, token),
    byApiKey: (accountId, key) => byApiKey(parts, accountId, key),
    login: (email, password) => login(parts, email, password),
    refresh: (token) => refresh(parts, token),
    logout: async (sessionId) => {
      await sql`delete from sessions where session_id = ${sessionId}`.execute(parts.db);
    },
    register: (registration) => register(parts, registration),
    requestPasswordReset: (email) => requestPasswordReset(parts, email),
    confirmPasswordReset: (token, password) => confirmPasswordReset(parts, token, password),
  };
}

async function byToken({ db, clock }: StoreParts, token: string): Promise<UserCaller | undefined> {
  const { rows } = await sql<{
    user_id: string;
    role: UserRole;
    session_id: string;
    organisation_id: OrganisationId;
  }>`
    select s.user_id, u.role, s.session_id, s.organisation_id
    from sessions s join users u using (user_id)
    where s.access_hash = ${digest(token)} and s.access_expires_at > ${clock.now()}`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    userId: row.user_id,
    role: row.role,
    sessionId: row.session_id,
    organisationId: row.organisation_id,
  };
}

interface KeyRow {
  api_key_id: string;
  account_id: string;
  status: AccountStatus;
  organisation_id: OrganisationId;
  last_used_at: Timestamp | null;
}

async function byApiKey(
  { db, clock }: StoreParts,
  accountId: string,
  apiKey: string,
): Promise<AccountCaller | undefined> {
  if (!UUID.test(accountId)) return undefined;
  const { rows } = await sql<KeyRow>`
    select k.api_key_id, a.account_id, a.status, a.organisation_id, k.last_used_at
    from api_keys k join accounts a using (account_id)
    where k.key_hash = ${digest(apiKey)} and a.account_id = ${accountId} and a.deleted_at is null`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  await noteUse(db, row, clock.now());
  return { accountId: row.account_id, status: row.status, organisationId: row.organisation_id };
}

async function noteUse(db: Kysely<Schema>, key: KeyRow, now: Timestamp): Promise<void> {
  const staleBefore = plusMilliseconds(now, -LAST_USED_RESOLUTION_MS);
  if (key.last_used_at !== null && key.last_used_at > staleBefore) return;
  await sql`update api_keys set last_used_at = ${now} where api_key_id = ${key.api_key_id}`.execute(db);
}

async function login({ db, clock }: StoreParts, email: string, password: string): Promise<TokenRow> {
  const { rows } = await sql<{ user_id: string; organisation_id: string; password_hash: string }>`
    select user_id, organisation_id, password_hash from users where lower(email) = lower(${email})`.execute(
    db,
  );
  const [user] = rows;
  const isRight = await verifyPassword(password, user?.password_hash);
  if (user === undefined || !isRight) throw wrongCredentials('the address or the password is wrong');
  const { tokens, hashes } = issueTokens(clock.now());
  // Only while the password is still the one that was checked: a change in the meantime has ended all sessions.
  const { rows: sessions } = await sql`
    insert into sessions (
      session_id, user_id, organisation_id, access_hash, access_expires_at, family_hash, refresh_hash,
      refresh_expires_at, created_at
    )
    select ${randomUUIDv7()}, user_id, organisation_id, ${hashes.access}, ${hashes.accessExpiresAt}::timestamptz,
      ${hashes.family}, ${hashes.refresh}, ${hashes.refreshExpiresAt}::timestamptz, ${clock.now()}::timestamptz
    from users where user_id = ${user.user_id} and password_hash = ${user.password_hash} for share
    returning session_id`.execute(db);
  if (sessions.length === 0) throw wrongCredentials('the address or the password is wrong');
  return tokens;
}

async function refresh({ db, clock }: StoreParts, refreshToken: string): Promise<TokenRow> {
  const presented = parseRefreshToken(refreshToken);
  if (presented === undefined) throw wrongRefreshToken();
  const tokens = await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      session_id: string;
      refresh_hash: Uint8Array;
      refresh_expires_at: Timestamp;
    }>`
      select session_id, refresh_hash, refresh_expires_at from sessions
      where family_hash = ${digest(presented.family)} for update`.execute(tx);
    const [session] = rows;
    if (session === undefined || session.refresh_expires_at <= clock.now()) return undefined;
    if (!sameDigest(session.refresh_hash, digest(presented.secret))) {
      // Somebody holds a token that was already exchanged: a thief or the robbed. Neither goes on.
      await sql`delete from sessions where session_id = ${session.session_id}`.execute(tx);
      return undefined;
    }
    const { tokens: next, hashes } = issueTokens(clock.now(), presented.family);
    await sql`
      update sessions set access_hash = ${hashes.access}, access_expires_at = ${hashes.accessExpiresAt},
        refresh_hash = ${hashes.refresh}, refresh_expires_at = ${hashes.refreshExpiresAt}
      where session_id = ${session.session_id}`.execute(tx);
    return next;
  });
  if (tokens === undefined) throw wrongRefreshToken();
  return tokens;
}

function issueTokens(now: Timestamp, family?: Buffer) {
  const access = newAccessToken();
  const refreshToken = newRefreshToken(family);
  const tokens: TokenRow = {
    token_type: 'Bearer',
    expires_in: ACCESS_LIFETIME_SECONDS,
    access_token: access,
    refresh_token: formatRefreshToken(refreshToken),
  };
  const hashes = {
    access: digest(access),
    accessExpiresAt: plusMilliseconds(now, ACCESS_LIFETIME_SECONDS * 1000),
    family: digest(refreshToken.family),
    refresh: digest(refreshToken.secret),
    refreshExpiresAt: plusMilliseconds(now, REFRESH_LIFETIME_MS),
  };
  return { tokens, hashes };
}

async function register(
  { db, clock }: StoreParts,
  registration: Parameters<AuthenticationStore['register']>[0],
): ReturnType<AuthenticationStore['register']> {
  const { organisation_name: name, email, password } = registration;
  const hash = await hashPassword(password);
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const { rows: organisations } = await sql<OrganisationRow & { organisation_id: OrganisationId }>`
      insert into organisations (organisation_id, name, created_at) values (${randomUUIDv7()}, ${name}, ${now})
      returning organisation_id, name, created_at`.execute(tx);
    const [organisation] = organisations;
    if (organisation === undefined) throw new Error('The organisation was not written.');
    const { rows: users } = await sql<UserRow>`
      insert into users (user_id, organisation_id, email, name, role, password_hash, created_at)
      values (${randomUUIDv7()}, ${organisation.organisation_id}, ${email}, ${registration.name}, 'owner', ${hash}, ${now})
      on conflict do nothing
      returning user_id, email, name, role, created_at`.execute(tx);
    const [user] = users;
    if (user === undefined) throw addressTaken();
    return { user, organisation, organisationId: organisation.organisation_id };
  });
}

function wrongCredentials(description: string): ApiError {
  return new ApiError('INVALID_CREDENTIALS', description);
}

function wrongRefreshToken(): ApiError {
  return wrongCredentials('the refresh token is unknown, was used before or has expired');
}
