import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Slice, SliceResult, WorkerOptions } from '../accept/worker.ts';
import type { Bench, BenchContext, PostgresServer } from '../context.ts';
import { requestsPerSecond } from '../http/load.ts';
import type { ServeGreeting, ServeOptions } from '../http/serve.ts';
import { submittedMessage } from '../messages.ts';
import { createDatabase, POSTGRES_URL, query } from '../postgres.ts';
import { startHelper } from '../processes.ts';
import { type BenchResult, ratioFigure, shown, unmeasured } from '../report.ts';
import { alternate, median } from '../statistics.ts';
import { basicOf, prepareTenant } from '../tenant.ts';

const BATCH = 100;
const CONCURRENCY = 4;
const GOAL = 0.5;
const NAME = 'accepting batches of 100 against bare multi-row INSERTs of the same rows';

/** The second figure: what accepting costs beyond the rows that it writes. */
export const accepting: Bench = {
  name: 'accept',
  async run(context) {
    if (context.postgres === undefined) {
      return { figures: [unmeasured(NAME, `>= ${GOAL}`, `no PostgreSQL at ${POSTGRES_URL}`)], details: [] };
    }
    const arms = await startArms(context, context.postgres);
    context.progress('accept: warming up');
    await alternate(1, arms.contestants);
    context.progress('accept: measuring');
    const rates = await alternate(context.isQuick ? 1 : 5, arms.contestants);
    await arms.verify();
    return summary({ store: median(rates.store), bare: median(rates.bare), http: median(rates.http) });
  },
};

async function startArms(context: BenchContext, postgres: PostgresServer) {
  const seconds = context.isQuick ? 1 : 5;
  const databaseUrl = await createDatabase(context, postgres);
  const folder = await context.folder();
  const tenant = await prepareTenant(databaseUrl, folder);
  const [account] = await query<{ organisation_id: string }>(
    databaseUrl,
    'select organisation_id from accounts where account_id = $1',
    [tenant.accounts[0]?.account_id],
  );
  const organisationId = account?.organisation_id ?? '';
  const options: WorkerOptions = {
    databaseUrl,
    tenant,
    organisationId,
    concurrency: CONCURRENCY,
    batch: BATCH,
  };
  const { helper } = await startHelper<string, Slice, SliceResult>(
    context,
    'bench/accept/worker.ts',
    options,
  );
  const serveOptions: ServeOptions = { arm: 'sendspec', databaseUrl };
  const { greeting } = await startHelper<ServeGreeting>(context, 'bench/http/serve.ts', serveOptions);
  const bodyFile = join(folder, 'batch.json');
  const batch = Array.from({ length: BATCH }, (_, number) => submittedMessage(tenant.from_email, number));
  await writeFile(bodyFile, JSON.stringify(batch));

  let written = 0;
  const slice = (arm: Slice['arm']) => async () => {
    const result = await helper.ask({ arm, seconds });
    written += result.messages;
    return result.messages / result.seconds;
  };
  const http = async () => {
    const headers = { authorization: basicOf(tenant), 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${greeting.port}/v1/send_email`;
    const request = { method: 'POST', url, headers, bodyFile } as const;
    return BATCH * (await requestsPerSecond(request, { connections: CONCURRENCY, seconds }));
  };
  const verify = async () => {
    const found = await countRows(databaseUrl);
    if (new Set(Object.values(found)).size > 1 || found.messages < written) {
      throw new Error(
        `after ${written} messages and more over HTTP the tables have ${JSON.stringify(found)}`,
      );
    }
  };
  return { contestants: { store: slice('store'), bare: slice('bare'), http }, verify };
}

/** What each message leaves behind exactly once. */
async function countRows(databaseUrl: string): Promise<Record<string, number> & { messages: number }> {
  const [row] = await query<Record<string, string>>(
    databaseUrl,
    `select (select count(*) from messages) as messages, (select count(*) from message_contents) as contents,
       (select count(*) from message_events) as events, (select count(*) from pgboss.job) as jobs,
       (select sum(messages) from message_counts) as counted, (select sum(messages) from stats_hourly) as in_statistics`,
  );
  const counts = Object.fromEntries(Object.entries(row ?? {}).map(([name, count]) => [name, Number(count)]));
  return { ...counts, messages: counts.messages ?? 0 };
}

function summary({ store, bare, http }: { store: number; bare: number; http: number }): BenchResult {
  const rate = (value: number) => `${shown(value)} (${(value / bare).toFixed(2)})`;
  return {
    figures: [
      ratioFigure(NAME, store / bare, GOAL),
      { name: `${NAME}, over HTTP`, goal: 'none', measured: (http / bare).toFixed(2), isMet: undefined },
    ],
    details: [
      {
        title: `Messages per second, batches of ${BATCH}, ${CONCURRENCY} at a time (share of bare INSERTs)`,
        columns: ['bare INSERTs', "the store's accept", 'POST /v1/send_email'],
        rows: [[shown(bare), rate(store), rate(http)]],
      },
    ],
  };
}
