import type { Bench, BenchContext, PostgresServer } from '../context.ts';
import { delivered, submit, untilDelivered } from '../deliver/load.ts';
import { startSink, whyNoDelivery } from '../deliver/peers.ts';
import { startRole } from '../deliver/service.ts';
import { seedWaiting } from '../deliver/waiting.ts';
import { createDatabase, withClient } from '../postgres.ts';
import { whileWatching } from '../processes.ts';
import { type BenchResult, ratioFigure, shown, unmeasured } from '../report.ts';
import { alternate, median } from '../statistics.ts';
import { prepareTenant } from '../tenant.ts';

const WAITING = 1_000_000;
const MESSAGES = 2000;
const RATIO_GOAL = 0.8;
const MEMORY_GOAL_MB = 300;
const ACCEPTING = 'accepting with 1,000,000 messages that wait, against an empty queue';
const MEMORY = 'memory of the service with 1,000,000 messages that wait, accepting and delivering';

/** That a long queue makes neither accepting slow nor the service large. */
export const queueing: Bench = {
  name: 'queue',
  async run(context) {
    const reason = whyNoDelivery(context);
    if (reason !== undefined || context.postgres === undefined) {
      const goals = [
        unmeasured(ACCEPTING, `>= ${RATIO_GOAL}`, reason ?? ''),
        unmeasured(MEMORY, `< ${MEMORY_GOAL_MB} MB`, reason ?? ''),
      ];
      return { figures: goals, details: [] };
    }
    const sinkPort = await startSink(context);
    const empty = await startArm(context, context.postgres, sinkPort, 0);
    const full = await startArm(
      context,
      context.postgres,
      sinkPort,
      context.isQuick ? WAITING / 20 : WAITING,
    );
    context.progress('queue: warming up');
    await alternate(1, { empty: empty.run, full: full.run });
    for (const arm of [empty, full]) arm.runs.splice(0);
    context.progress('queue: measuring');
    await alternate(context.isQuick ? 1 : 7, { empty: empty.run, full: full.run });
    return summary(empty.runs, full.runs);
  },
};

interface Run {
  /** Messages a second, until the last was accepted, and until the last was delivered. */
  accepted: number;
  delivered: number;
  peakMegabytes: number;
}

/** A service on a database of its own, where so many messages wait. */
async function startArm(context: BenchContext, postgres: PostgresServer, sinkPort: number, waiting: number) {
  const databaseUrl = await createDatabase(context, postgres);
  const folder = await context.folder();
  const tenant = await prepareTenant(databaseUrl, folder);
  if (waiting > 0) {
    const api = await startRole(context, 'api', { databaseUrl, folder, sinkPort });
    await submit(api.apiUrl, tenant, 1);
    await api.stop();
    context.progress(`queue: ${shown(waiting)} messages that wait`);
    await seedWaiting(databaseUrl, waiting);
  }
  const service = await startRole(context, 'all', { databaseUrl, folder, sinkPort });
  const runs: Run[] = [];
  const send = () =>
    withClient(databaseUrl, async (client) => {
      const goal = (await delivered(client)) + MESSAGES;
      const startedAt = performance.now();
      await submit(service.apiUrl, tenant, MESSAGES);
      const acceptedAt = performance.now();
      await untilDelivered(client, goal);
      const rate = (end: number) => MESSAGES / ((end - startedAt) / 1000);
      return { accepted: rate(acceptedAt), delivered: rate(performance.now()) };
    });
  const run = async () => {
    const { result, peak } = await whileWatching(service.pid, send);
    runs.push({ ...result, peakMegabytes: peak });
    return result.accepted;
  };
  return { run, runs };
}

function summary(empty: readonly Run[], full: readonly Run[]): BenchResult {
  const of = (runs: readonly Run[], read: (run: Run) => number) => median(runs.map(read));
  const accepted = { empty: of(empty, (run) => run.accepted), full: of(full, (run) => run.accepted) };
  const peak = Math.max(...full.map((run) => run.peakMegabytes));
  const rows = [['empty', empty] as const, ['1,000,000', full] as const].map(([name, runs]) => [
    name,
    shown(of(runs, (run) => run.accepted)),
    shown(of(runs, (run) => run.delivered)),
    shown(Math.max(...runs.map((run) => run.peakMegabytes))),
  ]);
  return {
    figures: [
      ratioFigure(ACCEPTING, accepted.full / accepted.empty, RATIO_GOAL),
      {
        name: MEMORY,
        goal: `< ${MEMORY_GOAL_MB} MB`,
        measured: `${shown(peak)} MB`,
        isMet: peak < MEMORY_GOAL_MB,
      },
    ],
    details: [
      {
        title: `One process of the service, ${shown(MESSAGES)} messages at a time`,
        columns: ['queue', 'accepted a second', 'delivered a second', 'memory at most, MB'],
        rows,
      },
    ],
  };
}
