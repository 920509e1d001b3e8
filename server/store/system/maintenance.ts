import { sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import type { StoreParts } from '../scope.ts';
import type { SystemStore } from '../store.ts';
import { giveUpNotifications, purgeNotifications } from './notification-retention.ts';
import { purgeLog, purgeStatistics } from './retention.ts';

/** What has to be cleared away from time to time. */
export function maintenanceStore(parts: StoreParts): SystemStore['maintenance'] {
  const { db, clock } = parts;
  return {
    purgeLog: (before, cursor, limit) => purgeLog(parts, before, cursor, limit),
    purgeStatistics: (before, limit) => purgeStatistics(parts, before, limit),
    purgeNotifications: (before, limit) => purgeNotifications(parts, before, limit),
    giveUpNotifications: (limit) => giveUpNotifications(parts, limit),
    purgeDeletedAccounts: (limit) => db.transaction().execute((tx) => purgeDeletedAccounts(tx, limit)),
    purgeExpired: async () => {
      const now = clock.now();
      await sql`delete from sessions where refresh_expires_at <= ${now}`.execute(db);
      await sql`delete from password_resets where expires_at <= ${now}`.execute(db);
    },
  };
}

// One account and few messages at a time: no long lock, no long transaction. An account without a log left goes itself, once its webhooks
// have gone.
async function purgeDeletedAccounts(tx: Transaction<Schema>, limit: number): Promise<number> {
  const { rows: accounts } = await sql<{ account_id: string; organisation_id: string }>`
    select account_id, organisation_id from accounts a
    where deleted_at is not null and (
      exists (select from messages m where m.organisation_id = a.organisation_id and m.account_id = a.account_id)
      or not exists (select from webhooks w where w.account_id = a.account_id)
    )
    order by deleted_at limit 1 for update skip locked`.execute(tx);
  const [account] = accounts;
  if (account === undefined) return 0;
  const { rows: messages } = await sql<{ message_id: string }>`
    select message_id from messages
    where organisation_id = ${account.organisation_id} and account_id = ${account.account_id}
    limit ${limit}`.execute(tx);
  const ids = messages.map((message) => message.message_id);
  if (ids.length === 0) {
    await sql`delete from accounts where account_id = ${account.account_id}`.execute(tx);
    return 1;
  }
  for (const table of ['message_events', 'smtp_deliveries', 'message_contents', 'messages']) {
    await sql`delete from ${sql.table(table)} where message_id = any(${ids}::uuid[])`.execute(tx);
  }
  return ids.length;
}
