import { Client } from './client.ts';
import type { BenchContext, PostgresServer } from './context.ts';
import { createDatabase } from './postgres.ts';
import { seed } from './seed.ts';
import { type RunningService, startServiceIn } from './service.ts';
import { type BenchTenant, prepareTenant } from './tenant.ts';

/** A service on PostgreSQL with a log of so many messages. */
export interface Dataset {
  messages: number;
  tenant: BenchTenant;
  service: RunningService;
  client: Client;
  authorization: string;
}

/** Makes a database, fills it, and starts the service on it. Over plain HTTP: encryption is not what is measured. */
export async function createDataset(
  context: BenchContext,
  postgres: PostgresServer,
  messages: number,
): Promise<Dataset> {
  const databaseUrl = await createDatabase(context, postgres);
  const folder = await context.folder();
  const tenant = await prepareTenant(databaseUrl, folder);
  await seed(databaseUrl, tenant, messages, context.progress);
  const settings = { DATABASE_URL: databaseUrl, SENDSPEC_INSECURE_HTTP: '1' };
  const service = await startServiceIn(context, folder, settings);
  const client = new Client(service.target.base_url);
  context.defer(async () => client.close());
  return { messages, tenant, service, client, authorization: `Bearer ${tenant.token}` };
}
