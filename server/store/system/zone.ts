import { sql } from 'kysely';
import { dkimTarget } from '../domain-records.ts';
import type { StoreParts } from '../scope.ts';
import type { SystemStore } from '../store.ts';

/** What the service's own DNS zone has to publish, across organisations. */
export function zoneStore({ db, mailHostname }: StoreParts): SystemStore['zone'] {
  return {
    dkimKeys: async () => {
      const { rows } = await sql<{ domain_id: string; selector: string; public_key: string }>`
        select k.domain_id, k.selector, k.public_key from dkim_keys k join domains d using (domain_id)
        where d.deleted_at is null order by d.name, d.domain_id, k.position`.execute(db);
      return rows.map((row) => ({
        target: dkimTarget(row.domain_id, row.selector, mailHostname),
        publicKey: row.public_key,
      }));
    },
  };
}
