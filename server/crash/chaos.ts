import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Cluster } from './cluster.ts';
import type { Member } from './fleet.ts';
import type { Sink } from './sink-process.ts';

export interface ChaosParts {
  members: readonly Member[];
  cluster: Cluster;
  sink: Sink;
  /** How many kills there are to be. */
  kills: number;
  progress(text: string): void;
}

/** What was done to the service. */
export interface ChaosReport {
  databaseCrashes: number;
  databaseRestarts: number;
}

const PAUSE_MS = { least: 500, spread: 2500 };
const LONGEST_RECOVERY_MS = 60_000;
const SINK_AWAY_MS = 3000;
const CRASH_EVERY = 7;
const RESTART_EVERY = 10;
const CUT_EVERY = 6;

/** Kills a process at a time, sometimes two; in between, PostgreSQL crashes or is restarted, and the sink is cut off. */
export async function wreak({ members, cluster, sink, kills, progress }: ChaosParts): Promise<ChaosReport> {
  const report: ChaosReport = { databaseCrashes: 0, databaseRestarts: 0 };
  let done = 0;
  for (let round = 1; done < kills; round += 1) {
    await wait(PAUSE_MS.least + Math.random() * PAUSE_MS.spread);
    // Each in its turn, the first (the API) as well; every fifth time two at once.
    const victims = [
      members[round % members.length],
      ...(round % 5 === 0 ? [members[(round + 1) % members.length]] : []),
    ];
    for (const victim of victims) {
      if (victim === undefined) continue;
      await readyAgain(victim);
      await victim.kill(() => activeMessages(cluster.url));
      done += 1;
      progress(`kill ${done}: ${victim.name}`);
    }
    if (round % CUT_EVERY === 0) {
      progress('the sink is cut off');
      await sink.cut();
      await wait(SINK_AWAY_MS);
      await sink.start();
    }
    if (round % CRASH_EVERY === 0) {
      progress('PostgreSQL crashes');
      await cluster.restart('immediate');
      report.databaseCrashes += 1;
    } else if (round % RESTART_EVERY === 0) {
      progress('PostgreSQL is restarted');
      await cluster.restart('fast');
      report.databaseRestarts += 1;
    }
  }
  return report;
}

/** The messages whose jobs somebody holds: all that a process that has just died can have left without a record. */
async function activeMessages(databaseUrl: string): Promise<ReadonlySet<string>> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      "select id from pgboss.job where name = 'deliver' and state = 'active'",
    );
    return new Set(rows.map(({ id }) => id));
  } finally {
    await client.end();
  }
}

/** A process that starts holds nothing: one that is killed then proves little. */
export async function readyAgain(member: Member): Promise<void> {
  for (const end = Date.now() + LONGEST_RECOVERY_MS; !member.isReady; await wait(50)) {
    if (Date.now() > end) throw new Error(`${member.name} did not come back: ${member.lastWords()}`);
  }
}
