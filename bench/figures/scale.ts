import type { Bench, BenchContext } from '../context.ts';
import { createDataset, type Dataset } from '../dataset.ts';
import { POSTGRES_URL } from '../postgres.ts';
import { type BenchResult, type Figure, unmeasured } from '../report.ts';
import { quantile } from '../statistics.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const GOAL = 2;
const NAME = 'p95 with 1,000,000 messages against 10,000';
const ENDPOINTS = ['/v1/messages', '/v1/stats'] as const;

type Endpoint = (typeof ENDPOINTS)[number];

/** One request, as its log makes it. */
interface Case {
  name: string;
  endpoint: Endpoint;
  query(dataset: Dataset): Record<string, string>;
}

interface Timing {
  case: Case;
  small: number;
  large: number;
}

/** The fourth figure: that a long log costs no more than a short one. */
export const scale: Bench = {
  name: 'scale',
  async run(context) {
    const goal = `<= ${GOAL}`;
    if (context.postgres === undefined) {
      return { figures: [unmeasured(NAME, goal, `no PostgreSQL at ${POSTGRES_URL}`)], details: [] };
    }
    const small = await createDataset(context, context.postgres, SMALL);
    const large = await createDataset(context, context.postgres, context.isQuick ? 10 * SMALL : LARGE);
    const timings: Timing[] = [];
    for (const one of CASES) timings.push(await time(context, one, small, large));
    return summary(timings);
  },
};

const CASES: readonly Case[] = [
  { name: 'first page', endpoint: '/v1/messages', query: () => ({}) },
  {
    name: 'deep page (offset 60 % of the log)',
    endpoint: '/v1/messages',
    query: ({ messages }) => ({ offset: String(messages * 0.6) }),
  },
  { name: 'rare event', endpoint: '/v1/messages', query: () => ({ 'events[]': 'spam_complaint' }) },
  { name: 'frequent event', endpoint: '/v1/messages', query: () => ({ 'events[]': 'click' }) },
  {
    name: 'one account',
    endpoint: '/v1/messages',
    query: ({ tenant }) => ({ 'account_ids[]': tenant.accounts[1]?.account_id ?? '' }),
  },
  {
    name: 'one day',
    endpoint: '/v1/messages',
    query: () => ({ period_from: day(-30), period_to: day(-30) }),
  },
  { name: '24 hours to the second', endpoint: '/v1/messages', query: () => ({ ...lastDay() }) },
  { name: '60 days', endpoint: '/v1/stats', query: sixtyDays },
  { name: '60 days by account', endpoint: '/v1/stats', query: () => ({ ...sixtyDays(), all_accounts: '1' }) },
  { name: '60 days by domain', endpoint: '/v1/stats', query: () => ({ ...sixtyDays(), all_domains: '1' }) },
  { name: 'one day', endpoint: '/v1/stats', query: () => ({ period_from: day(-30), period_to: day(-30) }) },
  { name: '24 hours to the second', endpoint: '/v1/stats', query: () => ({ ...lastDay() }) },
];

function sixtyDays(): Record<string, string> {
  return { period_from: day(-60), period_to: day(0) };
}

/** A period whose ends cut through hours, which is where the log itself is counted. */
function lastDay(): Record<string, string> {
  const end = Date.now() - 2 * 3_600_000;
  return { period_from: new Date(end - 86_400_000).toISOString(), period_to: new Date(end).toISOString() };
}

function day(distance: number): string {
  return new Date(Date.now() + distance * 86_400_000).toISOString().slice(0, 10);
}

/** One request at a time, the two services in turn. */
async function time(context: BenchContext, one: Case, small: Dataset, large: Dataset): Promise<Timing> {
  context.progress(`scale: ${one.endpoint}, ${one.name}`);
  const rounds = context.isQuick ? 20 : 200;
  const warmUps = rounds / 5;
  const [inSmall, inLarge]: [number[], number[]] = [[], []];
  for (let round = -warmUps; round < rounds; round += 1) {
    const pair = [await request(one, small), await request(one, large)] as const;
    if (round < 0) continue;
    inSmall.push(pair[0]);
    inLarge.push(pair[1]);
  }
  return { case: one, small: quantile(inSmall, 0.95), large: quantile(inLarge, 0.95) };
}

async function request({ endpoint, query }: Case, dataset: Dataset): Promise<number> {
  const path = `${endpoint}?${new URLSearchParams(query(dataset))}`;
  const startedAt = performance.now();
  await dataset.client.json(path, { authorization: dataset.authorization });
  return performance.now() - startedAt;
}

function summary(timings: readonly Timing[]): BenchResult {
  const details = {
    title: 'Milliseconds at p95, one request at a time',
    columns: ['request', '10,000 messages', '1,000,000 messages', 'ratio'],
    rows: timings.map(({ case: { endpoint, name }, small, large }) => [
      `GET ${endpoint}: ${name}`,
      small.toFixed(1),
      large.toFixed(1),
      (large / small).toFixed(2),
    ]),
  };
  return { figures: ENDPOINTS.map((endpoint) => worstOf(endpoint, timings)), details: [details] };
}

function worstOf(endpoint: Endpoint, timings: readonly Timing[]): Figure {
  const ratios = timings
    .filter((timing) => timing.case.endpoint === endpoint)
    .map((timing) => ({ name: timing.case.name, ratio: timing.large / timing.small }))
    .sort((a, b) => b.ratio - a.ratio);
  const [worst] = ratios;
  return {
    name: `GET ${endpoint}, ${NAME}, slowest kind of request`,
    goal: `<= ${GOAL}`,
    measured: worst === undefined ? '' : `${worst.ratio.toFixed(2)} (${worst.name})`,
    isMet: worst !== undefined && worst.ratio <= GOAL,
  };
}
