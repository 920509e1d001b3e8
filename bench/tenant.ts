import { SystemClock } from '../server/domain/time.ts';
import { prepareDemo } from '../server/sandbox/demo.ts';
import type { TargetTenant } from '../server/sandbox/target.ts';
import { type Database, openDatabase } from '../server/store/database.ts';
import { migrate } from '../server/store/migrate.ts';
import { openStore } from '../server/store/open-store.ts';
import { createQueue } from '../server/store/queue.ts';
import type { SystemStore } from '../server/store/store.ts';

/** A tenant that can send, and a token of its user. */
export interface BenchTenant extends TargetTenant {
  token: string;
}

/** An open store on PostgreSQL, with what it stands on. */
export interface OpenedStore {
  database: Database;
  clock: SystemClock;
  store: SystemStore;
  close(): Promise<void>;
}

/** Opens the service's store on a database of PostgreSQL as the service itself does. */
export async function openBenchStore(databaseUrl: string): Promise<OpenedStore> {
  const database = await openDatabase({ databaseUrl });
  const clock = new SystemClock();
  await migrate(database);
  const queue = createQueue({ database, clock });
  await queue.start();
  const store = openStore({ database, queue, clock, mailHostname: 'mail.sendspec.test' });
  const close = async () => {
    await queue.stop();
    await database.close();
  };
  return { database, clock, store, close };
}

/**
 * Makes the tables of an empty database and the sandbox's own demo organisation in them: two accounts, and two verified
 * domains. The folder remembers the credentials, so that a service started with both finds everything ready.
 */
export async function prepareTenant(databaseUrl: string, folder: string): Promise<BenchTenant> {
  const { store, close } = await openBenchStore(databaseUrl);
  try {
    const [tenant] = await prepareDemo(store, folder);
    if (tenant === undefined) throw new Error('the sandbox has no demo organisation');
    const { access_token: token } = await store.authentication.login(tenant.email, tenant.password);
    const caller = await store.authentication.byToken(token);
    if (caller === undefined) throw new Error('the token of the demo organisation is not known');
    const { domains } = store.forOrganisation(caller.organisationId);
    const accounts = tenant.accounts.map(({ account_id }) => account_id);
    const second = await domains.create({ name: 'news.demo.test', accounts });
    await domains.markDkimVerified(second.domain_id);
    await domains.markReturnPathVerified(second.domain_id, second.return_path_hostname);
    return { ...tenant, token };
  } finally {
    await close();
  }
}

/** The header that proves to be an account of the tenant. */
export function basicOf({ accounts }: Pick<TargetTenant, 'accounts'>): string {
  const [account] = accounts;
  return `Basic ${Buffer.from(`${account?.account_id}:${account?.api_key}`).toString('base64')}`;
}
