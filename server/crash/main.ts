import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { TargetTenant } from '../sandbox/target.ts';
import { freePort } from '../testing/free-port.ts';
import { auditSettled, auditUnderWay, type Evidence, type Finding } from './audit.ts';
import { readyAgain, wreak } from './chaos.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { Member } from './fleet.ts';
import { Ledger } from './ledger.ts';
import { auditNotified, catchUp, registerWebhooks } from './notified.ts';
import { Receiver } from './receiver.ts';
import { renderReport } from './report.ts';
import { sendBatches } from './sender.ts';
import { prepareOrganisation, watchQueue } from './service-set-up.ts';
import { Sink } from './sink-process.ts';

// node server/crash/main.ts [--messages N] [--kills N]: an API and two workers under load, killed again and again, with
// PostgreSQL crashing, the sink cut off and the receiver of notifications down half of the time; then whether anything was lost, stuck, or sent
// twice without an excuse.

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '21' },
  },
});
const SENDERS = 4;
const LONGEST_STANDSTILL_MS = 150_000;
const ONE_DAY_SECONDS = 86_400;

process.exitCode = await main(Number(values.messages), Number(values.kills));

async function main(messages: number, kills: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sendspec-crash-'));
  const undos: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const cleanUp = async () => {
    for (const undo of undos.splice(0).reverse())
      await undo().catch((error: unknown) => progress(String(error)));
  };
  const interrupt = () => void cleanUp().finally(() => process.exit(1));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await run(folder, messages, kills, (undo) => undos.push(undo));
  } catch (error) {
    console.error('The crash test could not do its work:', error);
    return 1;
  } finally {
    await cleanUp();
  }
}

async function run(
  folder: string,
  messages: number,
  kills: number,
  defer: (undo: () => Promise<void>) => void,
): Promise<number> {
  const cluster = await startCluster();
  defer(() => cluster.stop());
  const tenant = await prepareOrganisation(cluster.url, folder);
  const ports = [await freePort(), await freePort(), await freePort()];
  const sink = new Sink({ ports, log: join(folder, 'sink.log') });
  await sink.start();
  defer(() => sink.stop());
  const apiPort = await freePort();
  const members = startMembers(folder, cluster, apiPort, ports);
  for (const member of members) defer(() => member.stop());
  await Promise.all(members.map(readyAgain));
  const customer = { apiUrl: `http://127.0.0.1:${apiPort}`, tenant };
  const receiver = new Receiver(await freePort());
  await registerWebhooks(customer, receiver);
  await receiver.start();
  defer(() => receiver.stop());

  const startedAt = Date.now();
  const ledger = new Ledger();
  let isChaosOver = false;
  const goesOn = () => ledger.acceptedCount < messages || !isChaosOver;
  const load = Promise.all(
    Array.from({ length: SENDERS }, (_, index) =>
      sendBatches(sender(tenant, apiPort, ledger, index, goesOn)),
    ),
  );
  const chaos = await wreak({ members, cluster, sink, kills, progress });
  isChaosOver = true;
  progress(`the last kill is done, ${ledger.acceptedCount} messages are accepted`);
  await load;
  await receiver.stay();
  const loadSeconds = (Date.now() - startedAt) / 1000;

  const client = new pg.Client(cluster.url);
  await client.connect();
  defer(() => client.end());
  const evidence = async (): Promise<Evidence> => ({
    client,
    ledger,
    ...(await sink.copies()),
    killsOfWorker: [members[1], members[2], members[0]].map((member) => member?.kills ?? []),
    cuts: sink.cuts,
  });
  progress('calm: looking at what is under way');
  const findings: Finding[] = await auditUnderWay(await evidence());
  progress('the time of every retry comes');
  const isSettled = await settle(cluster.url);
  findings.push(...(isSettled ? [] : [{ what: 'the queue does not get empty', count: 1, examples: [] }]));
  findings.push(...(await auditSettled(await evidence())));
  progress('the customer asks for what his receiver has missed');
  const hasCaughtUp = await catchUp(customer, client, LONGEST_STANDSTILL_MS);
  findings.push(...(hasCaughtUp ? [] : [{ what: 'notifications stay unsent', count: 1, examples: [] }]));
  findings.push(...(await auditNotified(client, receiver)));
  findings.push(...endsByThemselves(members), ...oddAnswers(ledger));
  console.log(
    await renderReport({ evidence: await evidence(), members, receiver, chaos, findings, loadSeconds }),
  );
  return findings.length === 0 ? 0 : 1;
}

/** The API and two workers; each delivers to a port of its own at the sink. */
function startMembers(
  folder: string,
  cluster: Cluster,
  apiPort: number,
  sinkPorts: readonly number[],
): Member[] {
  const common = {
    DATABASE_URL: cluster.url,
    SENDSPEC_INSECURE_HTTP: '1',
    SENDSPEC_RATE_LIMIT: '0',
    SENDSPEC_LOG_LEVEL: 'warn',
    SENDSPEC_DELIVERY: 'relay',
    SENDSPEC_WEB_URL: 'https://links.sendspec.test',
    SENDSPEC_WEBHOOK_ALLOW_PRIVATE: '1',
  };
  const to = (index: number) => ({ SENDSPEC_SMTP_URL: `smtp://127.0.0.1:${sinkPorts[index]}` });
  return [
    new Member('the API', folder, { ...common, ...to(2), SENDSPEC_ROLE: 'api', PORT: String(apiPort) }),
    new Member('worker 1', folder, { ...common, ...to(0), SENDSPEC_ROLE: 'worker' }),
    new Member('worker 2', folder, { ...common, ...to(1), SENDSPEC_ROLE: 'worker' }),
  ];
}

function sender(tenant: TargetTenant, apiPort: number, ledger: Ledger, index: number, goesOn: () => boolean) {
  const account = tenant.accounts[index % tenant.accounts.length];
  const credentials = `${account?.account_id}:${account?.api_key}`;
  return {
    name: `s${index}`,
    apiUrl: `http://127.0.0.1:${apiPort}`,
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    fromEmail: tenant.from_email,
    ledger,
    goesOn,
  };
}

/** Brings the moment of every retry, until nothing is left; false when nothing gets less any more. */
async function settle(databaseUrl: string): Promise<boolean> {
  const queue = await watchQueue(databaseUrl);
  try {
    let last = { left: Number.POSITIVE_INFINITY, at: Date.now() };
    for (;;) {
      await queue.advance(ONE_DAY_SECONDS);
      const { ready, waiting, active } = await queue.depth();
      const left = ready + waiting + active;
      if (left === 0) return true;
      if (left < last.left) last = { left, at: Date.now() };
      if (Date.now() - last.at > LONGEST_STANDSTILL_MS) return false;
      await wait(1000);
    }
  } finally {
    await queue.close();
  }
}

function endsByThemselves(members: readonly Member[]): Finding[] {
  const ends = members.flatMap((member) => member.ownEnds);
  return ends.length === 0
    ? []
    : [{ what: 'processes that ran ended by themselves', count: ends.length, examples: ends.slice(0, 3) }];
}

function oddAnswers({ oddAnswers: answers }: Ledger): Finding[] {
  if (answers.length === 0) return [];
  return [
    { what: 'answers that no client should get', count: answers.length, examples: answers.slice(0, 3) },
  ];
}

function progress(text: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
}
