import { sql } from 'kysely';
import type { Timestamp } from '../../domain/time.ts';
import type { OrganisationId } from '../column-types.ts';
import { dkimTarget } from '../domain-records.ts';
import type { StoreParts } from '../scope.ts';
import type { SystemStore } from '../store.ts';

/** Rotations of DKIM keys, across organisations. */
export function dkimStore({ db, clock, mailHostname }: StoreParts): SystemStore['dkim'] {
  return {
    waiting: async (domainId) => {
      const { rows } = await sql<{
        domain_id: string;
        name: string;
        selector: string;
        public_key: string;
        dkim_rotation_at: Timestamp;
      }>`
        select d.domain_id, d.name, k.selector, k.public_key, d.dkim_rotation_at from domains d
          join dkim_keys k on k.domain_id = d.domain_id and k.position = 3 - d.dkim_position
        where d.dkim_rotation_at is not null and d.deleted_at is null
          and (${domainId ?? null}::uuid is null or d.domain_id = ${domainId ?? null}::uuid)
        order by d.dkim_rotation_at`.execute(db);
      return rows.map((row) => ({
        domainId: row.domain_id,
        requestedAt: row.dkim_rotation_at,
        name: `${row.selector}._domainkey.${row.name}`,
        target: dkimTarget(row.domain_id, row.selector, mailHostname),
        publicKey: row.public_key,
      }));
    },
    complete: async ({ domainId, requestedAt }) => {
      await sql`
        update domains set dkim_position = 3 - dkim_position, dkim_rotation_at = null, dkim_rotated_at = ${clock.now()}
        where domain_id = ${domainId} and dkim_rotation_at = ${requestedAt}`.execute(db);
    },
    named: async (name) => {
      const { rows } = await sql<{ domain_id: string; organisation_id: OrganisationId }>`
        select domain_id, organisation_id from domains
        where (lower(name) = lower(${name}) or domain_id::text = lower(${name})) and deleted_at is null
        order by created_at, domain_id`.execute(db);
      return rows.map((row) => ({ domainId: row.domain_id, organisationId: row.organisation_id }));
    },
  };
}
