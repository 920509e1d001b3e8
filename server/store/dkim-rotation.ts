import { randomUUID } from 'node:crypto';
import { ApiError } from '../domain/errors.ts';
import { MILLISECONDS_PER_HOUR, plusMilliseconds, type Timestamp } from '../domain/time.ts';
import { newDkimKey } from './dkim-keys.ts';
import { notFound, requireOwn } from './ownership.ts';
import { single } from './page.ts';
import type { DkimRotationRow } from './rows.ts';
import { own, type Scope, type TransactionScope } from './scope.ts';

// Mail servers try for so long to pass a mail on (RFC 5321, 4.5.4.1); all the while somebody may verify it.
const OLD_KEY_KEPT_MS = 5 * 24 * MILLISECONDS_PER_HOUR;

interface State {
  name: string;
  dkim_position: number;
  dkim_verified_at: Timestamp | null;
  dkim_rotation_at: Timestamp | null;
  dkim_rotated_at: Timestamp | null;
}

/** Gives the position that does not sign a new key, to sign later or `atOnce`; a rotation that waits already is left as it is. */
export async function rotateDkim(
  scope: Scope,
  domainId: string,
  { atOnce }: { atOnce: boolean },
): Promise<DkimRotationRow> {
  await requireOwn(scope, 'domain', [domainId]);
  // Before the transaction, in which nothing may be awaited but the database.
  const key = await newDkimKey();
  return scope.transaction(async (tx) => {
    const state = await locked(tx, domainId);
    if (state.dkim_rotation_at === null) {
      requireRotatable(state, tx.clock.now());
      await replaceKey(tx, domainId, state.dkim_position, key);
      await mark(tx, domainId, atOnce);
    }
    return readRotation(tx, domainId);
  });
}

/** How far the last rotation of a domain is. */
export async function readRotation(scope: Scope, domainId: string): Promise<DkimRotationRow> {
  const rows = await scope.rows<{
    name: string;
    is_waiting: boolean;
    signing: string;
    other: string;
    requested_at: Timestamp;
  }>`
    select d.name, d.dkim_rotation_at is not null as is_waiting, signing.selector as signing, other.selector as other,
      case when d.dkim_rotation_at is null then signing.created_at else other.created_at end as requested_at
    from domains d
      join dkim_keys signing on signing.domain_id = d.domain_id and signing.position = d.dkim_position
      join dkim_keys other on other.domain_id = d.domain_id and other.position = 3 - d.dkim_position
    where d.organisation_id = ${own} and d.domain_id = ${domainId}`;
  const { name, is_waiting, signing, other, requested_at } = single(rows, () => notFound('domain'));
  return {
    domain_id: domainId,
    status: is_waiting ? 'waiting' : 'complete',
    signing_selector: `${signing}._domainkey.${name}`,
    next_selector: is_waiting ? `${other}._domainkey.${name}` : null,
    requested_at,
  };
}

async function locked(tx: TransactionScope, domainId: string): Promise<State> {
  const rows = await tx.rows<State>`
    select name, dkim_position, dkim_verified_at, dkim_rotation_at, dkim_rotated_at from domains
    where organisation_id = ${own} and domain_id = ${domainId} and deleted_at is null for update`;
  return single(rows, () => notFound('domain'));
}

function requireRotatable(state: State, now: Timestamp): void {
  if (state.dkim_verified_at === null)
    throw new ApiError('DKIM_NOT_VERIFIED', 'the DKIM records of the domain have to be verified first');
  if (state.dkim_rotated_at === null) return;
  const until = plusMilliseconds(state.dkim_rotated_at, OLD_KEY_KEPT_MS);
  if (until > now) {
    const description = `the key before this one stays published for mail on its way; rotate again after ${until}`;
    throw new ApiError('DKIM_ROTATED_RECENTLY', description);
  }
}

async function replaceKey(
  tx: TransactionScope,
  domainId: string,
  signing: number,
  { privateKey, publicKey }: { privateKey: string; publicKey: string },
): Promise<void> {
  await tx.rows`
    with target as (select ${own}::uuid as organisation)
    update dkim_keys set dkim_key_id = ${randomUUID()}, private_key = ${privateKey}, public_key = ${publicKey},
      created_at = ${tx.clock.now()}
    from target where organisation_id = organisation and domain_id = ${domainId} and position = ${3 - signing}`;
}

async function mark(tx: TransactionScope, domainId: string, atOnce: boolean): Promise<void> {
  const now = tx.clock.now();
  await tx.rows`
    with target as (select domain_id as id from domains where organisation_id = ${own} and domain_id = ${domainId})
    update domains set
      dkim_rotation_at = case when ${atOnce} then null else ${now}::timestamptz end,
      dkim_rotated_at = case when ${atOnce} then ${now}::timestamptz else dkim_rotated_at end,
      dkim_position = case when ${atOnce} then 3 - dkim_position else dkim_position end
    from target where domain_id = target.id`;
}
