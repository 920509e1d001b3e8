import { sql } from 'kysely';
import type { Clock } from '../domain/time.ts';
import { accountStore } from './accounts.ts';
import { apiKeyStore } from './api-keys.ts';
import type { Database } from './database.ts';
import { domainStore } from './domains.ts';
import { messageStore } from './messages.ts';
import type { Queue } from './queue.ts';
import { Scope, type StoreParts } from './scope.ts';
import { statisticsStore } from './statistics.ts';
import type { OrganisationStore, SystemStore } from './store.ts';
import { suppressionStore } from './suppressions.ts';
import { authenticationStore } from './system/authentication.ts';
import { deliveryStore } from './system/delivery.ts';
import { dkimStore } from './system/dkim.ts';
import { maintenanceStore } from './system/maintenance.ts';
import { notificationStore } from './system/notifications.ts';
import { operatorStore } from './system/operator.ts';
import { reportStore } from './system/reports.ts';
import { sandboxStore } from './system/sandbox.ts';
import { zoneStore } from './system/zone.ts';
import { userStore } from './users.ts';
import { webhookStore } from './webhooks.ts';

export interface StoreOptions {
  database: Database;
  queue: Queue;
  clock: Clock;
  /** The service's own mail name, below which its DNS records live. */
  mailHostname: string;
}

/** The store on an open, migrated database and a started queue. */
export function openStore({ database, queue, clock, mailHostname }: StoreOptions): SystemStore {
  const parts: StoreParts = { db: database.db, queue, clock, mailHostname };
  return {
    forOrganisation: (organisationId) => organisationStore(new Scope(parts, organisationId)),
    authentication: authenticationStore(parts),
    delivery: deliveryStore(parts),
    reports: reportStore(parts),
    notifications: notificationStore(parts),
    operator: operatorStore(parts),
    sandbox: sandboxStore(parts),
    maintenance: maintenanceStore(parts),
    settings: settingsStore(parts),
    zone: zoneStore(parts),
    dkim: dkimStore(parts),
    ping: async () => {
      await sql`select 1`.execute(parts.db);
    },
  };
}

function organisationStore(scope: Scope): OrganisationStore {
  return {
    accounts: accountStore(scope),
    apiKeys: apiKeyStore(scope),
    domains: domainStore(scope),
    suppressions: suppressionStore(scope),
    messages: messageStore(scope),
    statistics: statisticsStore(scope),
    users: userStore(scope),
    webhooks: webhookStore(scope),
  };
}

function settingsStore({ db }: StoreParts): SystemStore['settings'] {
  const get = async (key: string) => {
    const { rows } = await sql<{ value: unknown }>`select value from settings where key = ${key}`.execute(db);
    return rows[0]?.value;
  };
  return {
    get,
    setOnce: async (key, value) => {
      await sql`
        insert into settings (key, value) values (${key}, ${JSON.stringify(value)}::jsonb)
        on conflict (key) do nothing`.execute(db);
      return await get(key);
    },
    set: async (key, value) => {
      await sql`
        insert into settings (key, value) values (${key}, ${JSON.stringify(value)}::jsonb)
        on conflict (key) do update set value = excluded.value`.execute(db);
    },
  };
}
