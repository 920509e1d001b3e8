import { randomUUIDv7 } from 'node:crypto';
import pg from 'pg';
import { SystemClock } from '../domain/time.ts';
import type { OrganisationId } from './column-types.ts';
import { type Database, embeddedDatabase, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { openStore } from './open-store.ts';
import { createQueue, type Queue } from './queue.ts';
import type { AcceptableMessage, AccountRow, DomainRow } from './rows.ts';
import type { OrganisationStore, SystemStore } from './store.ts';
import { openEmpty, openMigrated } from './testing-template.ts';

// For tests of every room: a store on a database of its own.

/** A store with everything under it, on a database that nobody else uses. */
export interface TestStore {
  database: Database;
  queue: Queue;
  clock: SystemClock;
  store: SystemStore;
  /** Closes everything, and drops the database. */
  close(): Promise<void>;
}

/** An organisation that can send: an owner, an account, and a verified domain assigned to it. */
export interface TestTenant {
  organisationId: OrganisationId;
  userId: string;
  email: string;
  password: string;
  store: OrganisationStore;
  account: AccountRow;
  apiKey: string;
  domain: DomainRow;
}

/** A database that nobody else uses, without tables: in memory, or a new one on the PostgreSQL of `DATABASE_URL`. */
export async function openTestDatabase(): Promise<Database> {
  return (await openOnServer()) ?? embeddedDatabase(await openEmpty(), () => {});
}

/** A new database on the PostgreSQL of `DATABASE_URL`; undefined without that. */
async function openOnServer(): Promise<Database | undefined> {
  const server = process.env.DATABASE_URL;
  if (server === undefined || server === '') return undefined;
  const name = `sendspec_test_${randomUUIDv7().replaceAll('-', '')}`;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = await openDatabase({ databaseUrl: url.href });
  const close = async () => {
    await database.close();
    await onServer(server, `drop database if exists ${name} with (force)`);
  };
  return { ...database, close };
}

/** A store on a fresh, migrated database, with its queue started. */
export async function openTestStore(): Promise<TestStore> {
  const database = (await openOnServer()) ?? embeddedDatabase(await openMigrated(), () => {});
  const clock = new SystemClock();
  await migrate(database);
  const queue = createQueue({ database, clock });
  await queue.start();
  const store = openStore({ database, queue, clock, mailHostname: 'mail.sendspec.test' });
  const close = async () => {
    await queue.stop();
    await database.close();
  };
  return { database, queue, clock, store, close };
}

/** Registers an organisation that can send from `domainName`. */
export async function createTenant(store: SystemStore, domainName = 'demo.test'): Promise<TestTenant> {
  const email = `owner-${randomUUIDv7()}@${domainName}`;
  const password = 'correct horse battery staple';
  const { organisationId, user } = await store.authentication.register({
    organisation_name: domainName,
    name: 'Olive Owner',
    email,
    password,
  });
  const organisation = store.forOrganisation(organisationId);
  const account = await organisation.accounts.create({ name: 'Mail', type: 'transactional' });
  const { api_key: apiKey } = await organisation.apiKeys.create(account.account_id, { name: 'test' });
  const domain = await createVerifiedDomain(organisation, domainName, [account.account_id]);
  return {
    organisationId,
    userId: user.user_id,
    email,
    password,
    store: organisation,
    account,
    apiKey,
    domain,
  };
}

/** Creates a domain whose DNS counts as verified. */
export async function createVerifiedDomain(
  organisation: OrganisationStore,
  name: string,
  accounts: readonly string[],
): Promise<DomainRow> {
  const { domain_id: id, return_path_hostname: hostname } = await organisation.domains.create({
    name,
    accounts,
  });
  await organisation.domains.markDkimVerified(id);
  await organisation.domains.markReturnPathVerified(id, hostname);
  return organisation.domains.get(id);
}

/** A message that can be accepted, with what a test wants to be different. */
export function testMessage(change: Partial<AcceptableMessage> = {}): AcceptableMessage {
  return {
    from: { email: 'hello@demo.test', name: null },
    to: { email: 'ann@example.com', name: null },
    subject: 'Greetings',
    html: '<p>Hello</p>',
    text: 'Hello',
    customId: '',
    customIdUnique: false,
    trackOpens: false,
    trackClicks: false,
    listId: '',
    listUnsubscribe: null,
    replyTo: [],
    ...change,
  };
}

/** Accepts messages and returns their ids; fails when one is rejected. */
export async function acceptAll(
  tenant: TestTenant,
  messages: readonly AcceptableMessage[],
): Promise<string[]> {
  const results = await tenant.store.messages.accept(tenant.account.account_id, messages);
  return results.map((result) => {
    if ('rejected' in result) throw new Error(`Rejected: ${result.rejected}`);
    return result.messageId;
  });
}

async function onServer(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
