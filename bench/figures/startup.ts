import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '../client.ts';
import type { Bench, BenchContext } from '../context.ts';
import { createDatabase, POSTGRES_URL } from '../postgres.ts';
import { residentMegabytes } from '../processes.ts';
import { type Figure, unmeasured } from '../report.ts';
import { type RunningService, startServiceIn } from '../service.ts';
import { median } from '../statistics.ts';
import { basicOf } from '../tenant.ts';

const BOOT = 'first boot to first accepted mail, embedded database';
const BOOT_GOAL_SECONDS = 5;
const REST = 'memory at rest';
const REST_GOALS_MB = { embedded: 450, PostgreSQL: 150 } as const;
const ARRIVAL_TIMEOUT_MS = 20_000;
const POLL_MS = 100;
const IDLE_MS = 10_000;

interface Start {
  seconds: number;
  megabytes: number;
}

/** The sixth figure: how soon a new service takes its first mail, and what it takes of the machine when it has nothing to do. */
export const startup: Bench = {
  name: 'startup',
  async run(context) {
    const rounds = context.isQuick ? 1 : 3;
    const embedded: Start[] = [];
    for (let round = 0; round < rounds; round += 1) {
      context.progress(`startup: embedded, run ${round + 1}`);
      embedded.push(await start(context, {}));
    }
    return {
      figures: [bootFigure(embedded), restFigure('embedded', embedded), await onPostgres(context, rounds)],
      details: [],
    };
  },
};

async function onPostgres(context: BenchContext, rounds: number): Promise<Figure> {
  if (context.postgres === undefined) {
    const goal = `< ${REST_GOALS_MB.PostgreSQL} MB`;
    return unmeasured(`${REST}, PostgreSQL`, goal, `no PostgreSQL at ${POSTGRES_URL}`);
  }
  const starts: Start[] = [];
  for (let round = 0; round < rounds; round += 1) {
    context.progress(`startup: PostgreSQL, run ${round + 1}`);
    starts.push(await start(context, { DATABASE_URL: await createDatabase(context, context.postgres) }));
  }
  return restFigure('PostgreSQL', starts);
}

/** Starts the service as `npm start` does, in an empty folder, sends the first mail over HTTPS, sees it arrive, and lets the service rest. */
async function start(context: BenchContext, settings: Record<string, string>): Promise<Start> {
  const folder = await context.folder();
  const startedAt = performance.now();
  const service = await startServiceIn(context, folder, settings);
  const ca = await readFile(join(folder, service.target.ca_file ?? 'tls/ca.pem'), 'utf8');
  const client = new Client(service.target.base_url, ca);
  await sendFirstMail(service, client);
  const seconds = (performance.now() - startedAt) / 1000;
  await arrival(service);
  client.close();
  await wait(context.isQuick ? IDLE_MS / 5 : IDLE_MS);
  const megabytes = await residentMegabytes(service.pid);
  await service.stop();
  return { seconds, megabytes };
}

const RECIPIENT = 'first@example.test';

async function sendFirstMail({ target }: RunningService, client: Client): Promise<void> {
  const [tenant] = target.tenants;
  if (tenant === undefined) throw new Error('the target file has no tenant');
  const message = {
    from: { email: tenant.from_email },
    to: [{ email: RECIPIENT }],
    subject: 'First mail',
    body: { text: 'It works.' },
  };
  await client.json('/v1/send_email', { method: 'POST', authorization: basicOf(tenant), body: [message] });
}

async function arrival({ target }: RunningService): Promise<void> {
  const inbox = new URL(target.hooks?.messages ?? '');
  const client = new Client(inbox.origin);
  const deadline = performance.now() + ARRIVAL_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const captured = Object(await client.json(`${inbox.pathname}?to=${RECIPIENT}`));
    if (captured.messages.length > 0) {
      client.close();
      return;
    }
    await wait(POLL_MS);
  }
  throw new Error('the first mail did not arrive in the inbox of the sandbox');
}

function bootFigure(starts: readonly Start[]): Figure {
  const seconds = median(starts.map((one) => one.seconds));
  return {
    name: BOOT,
    goal: `< ${BOOT_GOAL_SECONDS} s`,
    measured: `${seconds.toFixed(1)} s`,
    isMet: seconds < BOOT_GOAL_SECONDS,
  };
}

function restFigure(kind: keyof typeof REST_GOALS_MB, starts: readonly Start[]): Figure {
  const megabytes = median(starts.map((one) => one.megabytes));
  const goal = REST_GOALS_MB[kind];
  return {
    name: `${REST}, ${kind}`,
    goal: `< ${goal} MB`,
    measured: `${megabytes.toFixed(0)} MB`,
    isMet: megabytes < goal,
  };
}
