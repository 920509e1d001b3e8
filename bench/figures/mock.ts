import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Bench, BenchContext } from '../context.ts';
import { type LoadRequest, requestsPerSecond } from '../http/load.ts';
import { submittedMessage } from '../messages.ts';
import { endProcess } from '../processes.ts';
import { type BenchResult, type Figure, ratioFigure, shown } from '../report.ts';
import { alternate, median } from '../statistics.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PRISM = fileURLToPath(import.meta.resolve('@stoplight/prism-cli'));
const BUNDLE = 'generated/openapi.json';
const START_GOAL_SECONDS = 5;
const RATIO_GOAL = 1;
const CONNECTIONS = 20;
const PATIENCE_MS = 60_000;
const POLL_MS = 20;
const BEARER = { authorization: 'Bearer any' };
const BASIC = {
  authorization: `Basic ${btoa('6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3:any')}`,
  'content-type': 'application/json',
};

/** The arguments of node that start each of the two on a port. Prism says nothing of its requests, as the mock does. */
const ARMS = {
  mock: (port: number) => ['mock/main.ts', '--port', String(port)],
  prism: (port: number) => [PRISM, 'mock', BUNDLE, '--port', String(port), '--verboseLevel', 'silent'],
};
type Arm = keyof typeof ARMS;

/** How soon the mock answers, and how many requests it answers against plain Prism on the same document. */
export const mock: Bench = {
  name: 'mock',
  async run(context) {
    const starts: Record<Arm, number[]> = { mock: [], prism: [] };
    for (let round = 0; round < (context.isQuick ? 1 : 3); round += 1) {
      for (const arm of ['mock', 'prism'] as const) {
        context.progress(`mock: start of ${arm}, run ${round + 1}`);
        const { child, seconds } = await start(context, arm);
        starts[arm].push(seconds);
        await endProcess(child);
      }
    }
    const rates = await compareRates(context);
    return {
      figures: [startFigure(median(starts.mock)), ...rates.figures],
      details: [
        {
          title: 'Seconds from the start of the process to the first answer',
          columns: ['the mock', 'plain Prism'],
          rows: [[shown(median(starts.mock)), shown(median(starts.prism))]],
        },
        ...rates.details,
      ],
    };
  },
};

async function compareRates(context: BenchContext): Promise<BenchResult> {
  const folder = await context.folder();
  const bodyFile = join(folder, 'mail.json');
  await writeFile(bodyFile, JSON.stringify([submittedMessage('hello@demo.test', 1)]));
  const ports = { mock: (await start(context, 'mock')).port, prism: (await start(context, 'prism')).port };
  const requests: readonly [string, (port: number) => LoadRequest][] = [
    ['GET a page of messages', (port) => ({ method: 'GET', url: urlOf(port, 'messages'), headers: BEARER })],
    [
      'POST one mail of 3 kB',
      (port) => ({ method: 'POST', url: urlOf(port, 'send_email'), headers: BASIC, bodyFile }),
    ],
  ];
  const figures: Figure[] = [];
  const rows: string[][] = [];
  for (const [name, requestTo] of requests) {
    context.progress(`mock: ${name}`);
    const { ours, theirs } = await ratesOf(context, (arm) => requestTo(ports[arm]));
    figures.push(
      ratioFigure(`requests/s of the mock against plain Prism: ${name}`, ours / theirs, RATIO_GOAL),
    );
    rows.push([name, shown(theirs), `${shown(ours)} (${(ours / theirs).toFixed(2)})`]);
  }
  const title = 'Requests per second of the mock (share of plain Prism)';
  return { figures, details: [{ title, columns: ['request', 'plain Prism', 'the mock'], rows }] };
}

async function ratesOf(
  context: BenchContext,
  requestTo: (arm: Arm) => LoadRequest,
): Promise<{ ours: number; theirs: number }> {
  const seconds = context.isQuick ? 1 : 4;
  const load = (arm: Arm) => () => requestsPerSecond(requestTo(arm), { connections: CONNECTIONS, seconds });
  const contestants = { mock: load('mock'), prism: load('prism') };
  await alternate(1, contestants); // Nobody is measured cold.
  const rates = await alternate(context.isQuick ? 1 : 5, contestants);
  return { ours: median(rates.mock), theirs: median(rates.prism) };
}

/** Starts one of the two and waits for its first answer. */
async function start(
  context: BenchContext,
  arm: Arm,
): Promise<{ child: ChildProcess; port: number; seconds: number }> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, ARMS[arm](port), {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  context.defer(() => endProcess(child));
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() - startedAt > PATIENCE_MS)
      throw new Error(`${arm} does not answer`);
    await wait(POLL_MS);
  }
  return { child, port, seconds: (performance.now() - startedAt) / 1000 };
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await fetch(urlOf(port, 'accounts'), { headers: BEARER })).ok;
  } catch {
    return false;
  }
}

function urlOf(port: number, path: string): string {
  return `http://127.0.0.1:${port}/v1/${path}`;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function startFigure(seconds: number): Figure {
  return {
    name: 'start of the mock to its first answer',
    goal: `< ${START_GOAL_SECONDS} s`,
    measured: `${seconds.toFixed(1)} s`,
    isMet: seconds < START_GOAL_SECONDS,
  };
}
