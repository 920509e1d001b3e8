import type pg from 'pg';
import type { Bench, BenchContext, PostgresServer } from '../context.ts';
import { delivered, submit, untilDelivered } from '../deliver/load.ts';
import { startRelay, startSink, whyNoDelivery } from '../deliver/peers.ts';
import { startRole } from '../deliver/service.ts';
import { createDatabase, withClient } from '../postgres.ts';
import { type BenchResult, ratioFigure, shown, unmeasured } from '../report.ts';
import { alternate, median } from '../statistics.ts';
import { prepareTenant } from '../tenant.ts';

const RELAY_SESSIONS = 20;
const MAIL_BYTES = 3000;
const GOAL = 1;
const NAME = 'delivered end to end against Postfix relaying the same mails unsigned to the same sink';

/** The third figure: from the request to the recorded delivery, signed, against a mail server of the field. */
export const delivering: Bench = {
  name: 'deliver',
  async run(context) {
    const reason = whyNoDelivery(context);
    if (reason !== undefined || context.postgres === undefined)
      return { figures: [unmeasured(NAME, `>= ${GOAL}`, reason ?? '')], details: [] };
    const sinkPort = await startSink(context);
    const relay = await startRelay(context, sinkPort, RELAY_SESSIONS);
    const service = await startService(context, context.postgres, sinkPort);
    const mails = context.isQuick ? 300 : 6000;
    const turns = {
      ours: () => service.deliver(mails),
      postfix: () => relay.relay(mails, MAIL_BYTES),
    };
    context.progress('deliver: warming up');
    await alternate(1, turns);
    context.progress('deliver: measuring');
    const rates = await alternate(context.isQuick ? 1 : 5, turns);
    const workers = await measureWorkers(context, service, mails);
    return summary({ ours: median(rates.ours), postfix: median(rates.postfix) }, workers);
  },
};

interface Service {
  /** Sends so many messages to the API and waits until the last delivery is recorded; returns the messages per second. */
  deliver(messages: number): Promise<number>;
  /** Lets so many messages wait, and then so many workers deliver them; returns the messages per second once they run. */
  drain(messages: number, workers: number): Promise<number>;
}

async function startService(
  context: BenchContext,
  postgres: PostgresServer,
  sinkPort: number,
): Promise<Service> {
  const databaseUrl = await createDatabase(context, postgres);
  const folder = await context.folder();
  const tenant = await prepareTenant(databaseUrl, folder);
  const parts = { databaseUrl, folder, sinkPort };
  const api = await startRole(context, 'api', parts);
  let worker: Awaited<ReturnType<typeof startRole>> | undefined;
  return {
    deliver: async (messages) => {
      worker ??= await startRole(context, 'worker', parts);
      return withClient(databaseUrl, async (client) => {
        const goal = (await delivered(client)) + messages;
        const startedAt = performance.now();
        await submit(api.apiUrl, tenant, messages);
        await untilDelivered(client, goal);
        return messages / ((performance.now() - startedAt) / 1000);
      });
    },
    drain: async (messages, count) => {
      await worker?.stop();
      worker = undefined;
      return withClient(databaseUrl, async (client) => {
        const before = await delivered(client);
        await submit(api.apiUrl, tenant, messages);
        const workers = await Promise.all(
          Array.from({ length: count }, () => startRole(context, 'worker', parts)),
        );
        await untilDelivered(client, before + messages);
        await Promise.all(workers.map((one) => one.stop()));
        return rateOfLast(client, messages);
      });
    },
  };
}

/** Without the ends, where processes start and run dry: the middle eight tenths. */
async function rateOfLast(client: pg.Client, messages: number): Promise<number> {
  const { rows } = await client.query<{ seconds: number }>(
    `select extract(epoch from percentile_disc(0.9) within group (order by received_at)
       - percentile_disc(0.1) within group (order by received_at))::float as seconds
     from (select received_at from message_events where type = 'delivery' order by received_at desc limit $1) last`,
    [messages],
  );
  return (0.8 * messages) / (rows[0]?.seconds ?? Number.NaN);
}

async function measureWorkers(context: BenchContext, service: Service, mails: number) {
  context.progress('deliver: one worker, two workers');
  const rates = await alternate(context.isQuick ? 1 : 3, {
    one: () => service.drain(mails, 1),
    two: () => service.drain(mails, 2),
  });
  return { one: median(rates.one), two: median(rates.two) };
}

function summary(
  rates: { ours: number; postfix: number },
  workers: { one: number; two: number },
): BenchResult {
  return {
    figures: [ratioFigure(NAME, rates.ours / rates.postfix, GOAL)],
    details: [
      {
        title: 'Messages of 3 kB a second',
        columns: ['end to end', 'Postfix', 'a queue that waits, one worker', 'two workers'],
        rows: [[rates.ours, rates.postfix, workers.one, workers.two].map(shown)],
      },
    ],
  };
}
