import { randomUUIDv7 } from 'node:crypto';
import { Agent } from 'node:http';
import { type Client, createClient } from '../generated/client.ts';
import type { components } from '../generated/types.ts';
import { type Closing, createClosing } from './closing.ts';
import { loadConfig } from './config.ts';
import { loadContract } from './contract/contract.ts';
import type { Core } from './core.ts';
import { openResolver } from './dns/resolver.ts';
import type { SystemClock } from './domain/time.ts';
import { closeWebServer, listen } from './http/listen.ts';
import { createListener } from './http/listener.ts';
import { openWeb } from './listeners.ts';
import { openMailListener } from './mail-listener.ts';
import { createLogger } from './operations/logger.ts';
import { createMetrics } from './operations/metrics.ts';
import { createSandboxClock } from './sandbox/clock.ts';
import { openTestStore, type TestStore } from './store/testing.ts';
import { type Answer, type Call, type CallOptions, createCall } from './testing/http-call.ts';
import { judge } from './testing/judge.ts';
import { webUrlOf } from './web-parts.ts';
import { startWork } from './work.ts';

export { type Answer, type Call, type CallOptions, told } from './testing/http-call.ts';
export { eventually } from './testing/service-process.ts';

// For tests through the front door: the whole API in this process, behind a real socket, and people who use it. Every answer
// that comes through here is held against the contract by the judge beside, and a fault in the server's log fails the test file.

type Schemas = components['schemas'];

/** Somebody with a session. Both ways to call carry the token. */
export interface TestUser {
  user_id: string;
  email: string;
  password: string;
  token: string;
  refreshToken: string;
  /** For what should succeed: it is typed, and throws a SendspecError for a refusal. */
  client: Client;
  /** For everything else: a refusal is an answer like any other. */
  call: Call;
}

/** A sending account with a key. */
export type TestAccount = Schemas['Account'] & { api_key_id: string; api_key: string };

/** An organisation that can send. `client` and `call` are the owner's; `client` sends with the account's key. */
export interface TestTenant {
  organisation_id: string;
  owner: TestUser;
  viewer: TestUser;
  account: TestAccount;
  /** Verified and assigned to the account. */
  domain: Schemas['Domain'];
  client: Client;
  call: Call;
}

/** The running API. */
export interface TestApi {
  port: number;
  /** Where mail comes in, and in sandbox mode goes to. */
  smtpPort: number;
  /** What the pixels and links of mails begin with. */
  webUrl: string;
  baseUrl: string;
  clock: SystemClock;
  /** The store below, to arrange what no request can (an event from outside) and to look for what no answer shows. */
  store: TestStore['store'];
  database: TestStore['database'];
  queue: TestStore['queue'];
  /** Calls without credentials unless they are given. */
  call: Call;
  /** Moves the service's time, and with it all that waits. Tokens grow old, too: see signIn. */
  advance(seconds: number): Promise<void>;
  /** The mails that the sandbox took in for an address, newest first, as they came over SMTP. */
  mailsTo(address: string): Promise<string[]>;
  /** Nothing leaves from now on: what is accepted stays queued, and what happens to it is for the test to say. */
  stopDelivery(): Promise<void>;
  /** Errors in the log so far. A test that provokes one takes it, or closing fails. */
  takeFaults(): unknown[];
  createTenant(domainName?: string): Promise<TestTenant>;
  /** The owner of a new organisation without anything in it. */
  register(domainName?: string): Promise<TestUser & { organisation_id: string }>;
  /** Adds a sending account with a key. */
  createAccount(owner: Pick<TestUser, 'client'>, name?: string): Promise<TestAccount>;
  /** Adds a verified domain. It has to be below .test. */
  createDomain(
    owner: Pick<TestUser, 'client'>,
    name: string,
    accounts: readonly { account_id: string }[],
  ): Promise<Schemas['Domain']>;
  /** A new session. `client` sends with the key of an account that is given. */
  signIn(user: Pick<TestUser, 'user_id' | 'email' | 'password'>, account?: TestAccount): Promise<TestUser>;
  close(): Promise<void>;
}

const PASSWORD = 'correct horse battery staple';
const NOBODY = '127.0.0.1:9';
const MOST_MAILS = 100;
const GRACE_MS = 5_000;
const contract = loadContract();

/**
 * Starts the API with its worker and the sandbox's mail server, on a database of its own. `settings` are those of the
 * environment (`SENDSPEC_RATE_LIMIT`); by default there is no rate limit, and no DNS server answers.
 */
export async function startApi(settings: Record<string, string> = {}): Promise<TestApi> {
  const closing = createClosing();
  try {
    return await start(settings, closing);
  } catch (error) {
    await closing.closeAll();
    throw error;
  }
}

async function start(settings: Record<string, string>, closing: Closing): Promise<TestApi> {
  const faults: unknown[] = [];
  const config = loadConfig({
    SENDSPEC_INSECURE_HTTP: '1',
    SENDSPEC_SMTP_PORT: '0',
    SENDSPEC_WEB_PORT: '0',
    SENDSPEC_RATE_LIMIT: '0',
    SENDSPEC_DNS_SERVERS: NOBODY,
    ...settings,
  });
  const logger = createLogger('error', { write: (line) => void faults.push(JSON.parse(line)) });
  const memory = await openTestStore();
  closing.add(() => memory.close());
  const { store, queue, clock, database } = memory;
  const core: Core = { config, logger, metrics: createMetrics(), clock, closing };
  const mailListener = await openMailListener(core, undefined);
  const resolver = openResolver({ servers: config.dnsServers, timeoutMs: 30_000, tries: 1 });
  const web = await openWeb(config, undefined, closing);
  const webListener = { port: web.port, tls: undefined };
  const work = await startWork(core, memory, { contract, resolver, mailListener, webListener });
  closing.add(() => work.stop(GRACE_MS));
  const { answering, delivering } = work;
  if (answering === undefined || delivering === undefined)
    throw new Error('Tests need a process of all roles.');
  web.serve(answering.web);
  closing.add(() => web.close(GRACE_MS));
  const server = createListener(answering.app);
  const port = await listen(
    server,
    { host: '127.0.0.1', port: 0 },
    { what: 'the test API', portSetting: 'PORT' },
  );
  closing.add(() => closeWebServer(server, GRACE_MS));
  const agent = new Agent({ keepAlive: true });
  closing.add(() => agent.destroy());
  const sandboxClock = createSandboxClock({ clock, store, queue });

  const baseUrl = `http://127.0.0.1:${port}`;
  const call = createCall(port, agent);
  const people = peopleOf(baseUrl, call);
  return {
    port,
    smtpPort: mailListener.port,
    webUrl: webUrlOf(config, webListener),
    baseUrl,
    clock,
    store,
    database,
    queue,
    call,
    ...people,
    advance: async (seconds) => {
      await sandboxClock.advance(seconds);
    },
    mailsTo: async (to) =>
      (await store.sandbox.captured({ to, limit: MOST_MAILS })).map(({ raw }) => Buffer.from(raw).toString()),
    stopDelivery: () => delivering.worker.stop(GRACE_MS),
    takeFaults: () => faults.splice(0),
    async close() {
      await closing.closeAll();
      if (faults.length > 0)
        throw new Error(`The server's log has faults: ${JSON.stringify(faults, null, 2)}`);
    },
  };
}

function peopleOf(
  baseUrl: string,
  call: Call,
): Pick<TestApi, 'createTenant' | 'register' | 'createAccount' | 'createDomain' | 'signIn'> {
  const signIn: TestApi['signIn'] = async ({ user_id, email, password }, account) => {
    const { data } = await createClient({ baseUrl, fetch: judgedFetch }).login({
      body: { email, password, grant_type: 'password' },
    });
    const { access_token: token, refresh_token: refreshToken } = data;
    const client = clientOf(token, account);
    return { user_id, email, password, token, refreshToken, client, call: withToken(call, token) };
  };

  const clientOf = (accessToken: string, account?: TestAccount): Client => {
    const apiKey = account && { accountId: account.account_id, apiKey: account.api_key };
    return createClient({ baseUrl, fetch: judgedFetch, accessToken, apiKey });
  };

  const createAccount: TestApi['createAccount'] = async ({ client }, name = 'Mail') => {
    const { data: account } = await client.createAccount({ body: { name, type: 'transactional' } });
    const path = { account_id: account.account_id };
    const { data: key } = await client.createApiKey({ path, body: { name: 'Test' } });
    return { ...account, api_key_id: key.api_key_id, api_key: key.api_key };
  };

  const createDomain: TestApi['createDomain'] = async ({ client }, name, accounts) => {
    const ids = accounts.map(({ account_id }) => account_id);
    const { data: domain } = await client.createDomain({ body: { name, accounts: ids } });
    const path = { domain_id: domain.domain_id };
    await client.verifyDomainDkim({ path });
    await client.verifyDomainReturnPath({ path });
    return (await client.getDomain({ path })).data;
  };

  return { signIn, createAccount, createDomain, register, createTenant };

  async function register(domainName = 'customer.test'): ReturnType<TestApi['register']> {
    const email = `owner-${randomUUIDv7()}@${domainName}`;
    const { data } = await createClient({ baseUrl, fetch: judgedFetch }).register({
      body: { organisation_name: domainName, name: 'Olive Owner', email, password: PASSWORD },
    });
    const owner = await signIn({ user_id: data.user.user_id, email, password: PASSWORD });
    return { ...owner, organisation_id: data.organisation.organisation_id };
  }

  async function createTenant(domainName = 'demo.test'): Promise<TestTenant> {
    const { organisation_id, ...session } = await register(domainName);
    const account = await createAccount(session);
    const owner = { ...session, client: clientOf(session.token, account) };
    const [viewer, domain] = await Promise.all([
      addViewer(owner.client, `viewer-${randomUUIDv7()}@${domainName}`),
      createDomain(owner, domainName, [account]),
    ]);
    return { organisation_id, owner, viewer, account, domain, client: owner.client, call: owner.call };
  }

  async function addViewer(client: Client, email: string): Promise<TestUser> {
    const body = { email, name: 'Vera Viewer', role: 'viewer', password: PASSWORD } as const;
    const { data } = await client.createUser({ body });
    return signIn({ user_id: data.user_id, email, password: PASSWORD });
  }
}

/** The same call with a token, where no other credentials are given. */
function withToken(call: Call, token: string): Call {
  return (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
    call(method, path, options.basic === undefined ? { token, ...options } : options);
}

async function judgedFetch(request: Request): Promise<Response> {
  const response = await fetch(request);
  const text = await response.clone().text();
  judge(request.method, request.url, { status: response.status, headers: response.headers, text });
  return response;
}
