import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../domain/errors.ts';
import { fieldsOf } from '../fields.ts';
import type { OrganisationStore, SystemStore } from '../store/store.ts';
import { type TargetAccount, type TargetTenant, writePrivateJson } from './target.ts';

type DemoStore = Pick<SystemStore, 'authentication' | 'forOrganisation'>;

interface Demo {
  organisation: string;
  userName: string;
  email: string;
  domain: string;
}

const DEMOS: readonly Demo[] = [
  { organisation: 'Demo', userName: 'Dana Demo', email: 'owner@demo.test', domain: 'demo.test' },
  { organisation: 'Second demo', userName: 'Sam Second', email: 'owner@second.test', domain: 'second.test' },
];
const ACCOUNTS = [
  { type: 'transactional', name: 'Demo transactional' },
  { type: 'marketing', name: 'Demo marketing' },
] as const;
const DEMO_FILE = 'demo.json';
const PASSWORD_BYTES = 18;
const WHOLE_LIST = { limit: 1000, offset: 0 };

/**
 * Makes sure that the two demo organisations are there, each with a user, two accounts with API keys and a verified
 * domain, and returns their credentials: those of the last start as long as they work. What is missing is made again.
 */
export async function prepareDemo(store: DemoStore, dataDir: string): Promise<TargetTenant[]> {
  const path = join(dataDir, DEMO_FILE);
  const remembered = await readTenants(path);
  const tenants = await Promise.all(
    DEMOS.map((demo) =>
      prepareTenant(
        store,
        demo,
        remembered.find(({ email }) => email === demo.email),
      ),
    ),
  );
  await writePrivateJson(path, { tenants });
  return tenants;
}

async function prepareTenant(
  store: DemoStore,
  demo: Demo,
  known: Partial<TargetTenant> | undefined,
): Promise<TargetTenant> {
  const { password, own } = await prepareUser(store, demo, known?.password);
  const accounts: TargetAccount[] = [];
  for (const wanted of ACCOUNTS) {
    const account = known?.accounts?.find(({ type }) => type === wanted.type);
    accounts.push(await prepareAccount(store, own, wanted, account));
  }
  const ids = accounts.map(({ account_id }) => account_id);
  const domain_id = await prepareDomain(own, demo.domain, ids);
  return { email: demo.email, password, from_email: `hello@${demo.domain}`, domain_id, accounts };
}

interface PreparedUser {
  password: string;
  own: OrganisationStore;
}

async function prepareUser(
  store: DemoStore,
  demo: Demo,
  knownPassword: string | undefined,
): Promise<PreparedUser> {
  const { authentication } = store;
  const known = knownPassword === undefined ? undefined : await logIn(store, demo.email, knownPassword);
  if (known !== undefined) return known;
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const reset = await authentication.requestPasswordReset(demo.email);
  if (reset !== undefined) {
    await authentication.confirmPasswordReset(reset.token, password);
    const user = await logIn(store, demo.email, password);
    if (user === undefined) throw new Error(`the demo user ${demo.email} cannot log in with a new password`);
    return user;
  }
  const { organisationId } = await authentication.register({
    organisation_name: demo.organisation,
    name: demo.userName,
    email: demo.email,
    password,
  });
  return { password, own: store.forOrganisation(organisationId) };
}

/** Undefined when the password is not (or no longer) the user's. */
async function logIn(store: DemoStore, email: string, password: string): Promise<PreparedUser | undefined> {
  const { authentication } = store;
  try {
    const session = await authentication.login(email, password);
    const caller = await authentication.byToken(session.access_token);
    if (caller === undefined) return undefined;
    await authentication.logout(caller.sessionId);
    return { password, own: store.forOrganisation(caller.organisationId) };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'INVALID_CREDENTIALS') return undefined;
    throw error;
  }
}

async function prepareAccount(
  { authentication }: DemoStore,
  own: OrganisationStore,
  wanted: (typeof ACCOUNTS)[number],
  known: TargetAccount | undefined,
): Promise<TargetAccount> {
  if (known !== undefined && (await authentication.byApiKey(known.account_id, known.api_key)) !== undefined)
    return known;
  const existing = await own.accounts.list(wanted, WHOLE_LIST);
  const account =
    existing.rows.find(({ account_id }) => account_id === known?.account_id) ??
    existing.rows.find(({ name }) => name === wanted.name) ??
    (await own.accounts.create(wanted));
  const { api_key } = await own.apiKeys.create(account.account_id, { name: 'Demo' });
  return { account_id: account.account_id, api_key, type: wanted.type };
}

async function prepareDomain(
  { domains }: OrganisationStore,
  name: string,
  accounts: string[],
): Promise<string> {
  const existing = (await domains.list({ name }, WHOLE_LIST)).rows.find((row) => row.name === name);
  const domain = existing ?? (await domains.create({ name, accounts }));
  const assigned = domain.accounts.map(({ account_id }) => account_id);
  if (!accounts.every((id) => assigned.includes(id))) {
    await domains.update(domain.domain_id, { accounts: [...new Set([...assigned, ...accounts])] });
  }
  if (domain.dkim_verified_at === null) await domains.markDkimVerified(domain.domain_id);
  if (domain.return_path_verified_at === null) {
    await domains.markReturnPathVerified(domain.domain_id, domain.return_path_hostname);
  }
  return domain.domain_id;
}

/** What the last start wrote; nothing when the file is gone or damaged, since all of it can be made again. */
async function readTenants(path: string): Promise<Partial<TargetTenant>[]> {
  try {
    const content: unknown = JSON.parse(await readFile(path, 'utf8'));
    const tenants =
      typeof content === 'object' && content !== null && 'tenants' in content ? content.tenants : [];
    return Array.isArray(tenants) ? tenants.map(asTenant) : [];
  } catch {
    return [];
  }
}

function asTenant(content: unknown): Partial<TargetTenant> {
  const { email, password, accounts } = fieldsOf(content);
  return {
    ...(typeof email === 'string' ? { email } : {}),
    ...(typeof password === 'string' ? { password } : {}),
    accounts: Array.isArray(accounts) ? accounts.filter(isAccount) : [],
  };
}

function isAccount(content: unknown): content is TargetAccount {
  const { account_id, api_key, type } = fieldsOf(content);
  const isUuid =
    typeof account_id === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(account_id);
  return isUuid && typeof api_key === 'string' && ACCOUNTS.some((account) => account.type === type);
}
