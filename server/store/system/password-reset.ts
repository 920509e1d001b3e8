import { sql } from 'kysely';
import { ApiError } from '../../domain/errors.ts';
import { plusMilliseconds } from '../../domain/time.ts';
import type { StoreParts } from '../scope.ts';
import { digest, hashPassword, newResetToken } from '../secrets.ts';

const RESET_LIFETIME_MS = 3_600_000;

/** Makes a token that lets its holder set a new password within the hour; it replaces an earlier one. */
export async function requestPasswordReset(
  { db, clock }: StoreParts,
  email: string,
): Promise<{ email: string; name: string; token: string } | undefined> {
  const token = newResetToken();
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ user_id: string; email: string; name: string }>`
      select user_id, email, name from users where lower(email) = lower(${email}) for update`.execute(tx);
    const [user] = rows;
    if (user === undefined) return undefined;
    await sql`delete from password_resets where user_id = ${user.user_id}`.execute(tx);
    await sql`
      insert into password_resets (token_hash, user_id, expires_at)
      values (${digest(token)}, ${user.user_id}, ${plusMilliseconds(clock.now(), RESET_LIFETIME_MS)})`.execute(
      tx,
    );
    return { email: user.email, name: user.name, token };
  });
}

/** Sets a new password for the holder of a token, uses the token up, and ends the user's sessions. */
export async function confirmPasswordReset(
  { db, clock }: StoreParts,
  token: string,
  password: string,
): Promise<void> {
  const hash = await hashPassword(password);
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ user_id: string }>`
      delete from password_resets where token_hash = ${digest(token)} and expires_at > ${clock.now()}
      returning user_id`.execute(tx);
    const [reset] = rows;
    if (reset === undefined) {
      throw new ApiError(
        'PASSWORD_RESET_NOT_FOUND',
        'the password reset token is unknown, was used before or has expired',
      );
    }
    await sql`update users set password_hash = ${hash} where user_id = ${reset.user_id}`.execute(tx);
    await sql`delete from sessions where user_id = ${reset.user_id}`.execute(tx);
  });
}
