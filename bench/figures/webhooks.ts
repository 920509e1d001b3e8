import { fileURLToPath } from 'node:url';
import type { Bench, BenchContext, PostgresServer } from '../context.ts';
import { startRole } from '../deliver/service.ts';
import { createDatabase, withClient } from '../postgres.ts';
import { type Helper, startHelper } from '../processes.ts';
import { type BenchResult, type Figure, ratioFigure, shown, unmeasured } from '../report.ts';
import { alternate, median } from '../statistics.ts';
import { type BenchTenant, prepareTenant } from '../tenant.ts';
import type { BareOptions } from '../webhooks/bare.ts';
import {
  type BenchWebhook,
  makePending,
  payloads,
  registerWebhooks,
  untilSent,
} from '../webhooks/pending.ts';

const RECEIVER = fileURLToPath(new URL('../webhooks/receiver.ts', import.meta.url));
const BARE = fileURLToPath(new URL('../webhooks/bare.ts', import.meta.url));
const NO_SINK = 9;
const CONNECTIONS = 32;
const GOOD_ENDPOINTS = 4;
const RATE_GOAL = 2_000;
const BARE_GOAL = 0.5;
const EITHER_GOAL = `>= ${shown(RATE_GOAL)}, or >= ${BARE_GOAL} of the loop`;
const HANGING_GOAL = 0.9;
const TO_ONE =
  'notifications a second to a fast receiver; against a bare undici loop that posts the same bodies';
const BESIDE_HANGING =
  'notifications a second to four good endpoints beside one that hangs, against without it';

/** Notifications: against nothing but the posting, and beside an endpoint that never answers. */
export const notifying: Bench = {
  name: 'webhooks',
  async run(context) {
    if (context.postgres === undefined) {
      const reason = 'needs PostgreSQL';
      const figures = [
        unmeasured(TO_ONE, EITHER_GOAL, reason),
        unmeasured(BESIDE_HANGING, `>= ${HANGING_GOAL}`, reason),
      ];
      return { figures, details: [] };
    }
    const arms = await prepare(context, context.postgres);
    const count = context.isQuick ? 400 : 20_000;
    const turns = {
      ours: () => arms.dispatch(count),
      bare: () => arms.postBare(count),
      good: () => arms.dispatchToGood(count, false),
      beside: () => arms.dispatchToGood(count, true),
    };
    context.progress('webhooks: warming up');
    await alternate(1, turns);
    context.progress('webhooks: measuring');
    const rates = await alternate(context.isQuick ? 1 : 5, turns);
    return summary({
      ours: median(rates.ours),
      bare: median(rates.bare),
      good: median(rates.good),
      beside: median(rates.beside),
    });
  },
};

interface Arms {
  /** Notifications a second, to one endpoint. */
  dispatch(count: number): Promise<number>;
  postBare(count: number): Promise<number>;
  /** Notifications a second to the good endpoints, while as many wait for one that hangs, or none. */
  dispatchToGood(count: number, besideHanging: boolean): Promise<number>;
}

async function prepare(context: BenchContext, postgres: PostgresServer): Promise<Arms> {
  const { greeting: port } = await startHelper<number>(context, RECEIVER, {});
  const origin = `http://127.0.0.1:${port}`;
  const bareOptions: BareOptions = { origin, connections: CONNECTIONS };
  const { helper: bare } = await startHelper<string, string[], number>(context, BARE, bareOptions);
  const databaseUrl = await createDatabase(context, postgres);
  const folder = await context.folder();
  const tenant = await prepareTenant(databaseUrl, folder);
  const urls = ['/one', '/hang', ...Array.from({ length: GOOD_ENDPOINTS }, (_, index) => `/good-${index}`)];
  const webhooks = await registerWebhooks(
    databaseUrl,
    tenant,
    urls.map((path) => origin + path),
  );
  await startRole(context, 'worker', { databaseUrl, folder, sinkPort: NO_SINK });
  return armsOf({ databaseUrl, tenant, webhooks, bare });
}

function armsOf(parts: {
  databaseUrl: string;
  tenant: BenchTenant;
  webhooks: readonly BenchWebhook[];
  bare: Helper<string[], number>;
}): Arms {
  const { databaseUrl, tenant, webhooks, bare } = parts;
  const [one, hanging, ...good] = webhooks;
  if (one === undefined || hanging === undefined) throw new Error('there are too few webhooks');
  const bodies = (count: number) => payloads(tenant, count);

  async function dispatchTo(targets: readonly BenchWebhook[], count: number, beside?: BenchWebhook) {
    return withClient(databaseUrl, async (client) => {
      if (beside !== undefined) await makePending(client, beside, bodies(count));
      await client.query('begin');
      for (const target of targets) await makePending(client, target, bodies(count / targets.length));
      await client.query('commit');
      const startedAt = performance.now();
      await untilSent(client, targets);
      const seconds = (performance.now() - startedAt) / 1000;
      if (beside !== undefined)
        await client.query('delete from webhook_deliveries where status = $1', ['pending']);
      return count / seconds;
    });
  }

  return {
    dispatch: (count) => dispatchTo([one], count),
    postBare: async (count) => count / (await bare.ask(bodies(count))),
    dispatchToGood: (count, besideHanging) => dispatchTo(good, count, besideHanging ? hanging : undefined),
  };
}

function rateFigure(rate: number, ratio: number): Figure {
  return {
    name: TO_ONE,
    goal: EITHER_GOAL,
    measured: `${shown(rate)}; ${ratio.toFixed(2)}`,
    isMet: rate >= RATE_GOAL || ratio >= BARE_GOAL,
  };
}

function summary(rates: Record<'ours' | 'bare' | 'good' | 'beside', number>): BenchResult {
  return {
    figures: [
      rateFigure(rates.ours, rates.ours / rates.bare),
      ratioFigure(BESIDE_HANGING, rates.beside / rates.good, HANGING_GOAL),
    ],
    details: [
      {
        title: 'Notifications a second',
        columns: ['one endpoint', 'bare undici', 'four endpoints', 'the four, beside one that hangs'],
        rows: [[rates.ours, rates.bare, rates.good, rates.beside].map(shown)],
      },
    ],
  };
}
