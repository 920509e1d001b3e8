import { setTimeout as wait } from 'node:timers/promises';
import type { Bench, BenchContext } from '../context.ts';
import { createDataset, type Dataset } from '../dataset.ts';
import { POSTGRES_URL } from '../postgres.ts';
import { residentMegabytes, whileWatching } from '../processes.ts';
import { type BenchResult, shown, unmeasured } from '../report.ts';
import { median } from '../statistics.ts';

const MESSAGES = 1_000_000;
const ROWS_GOAL = 50_000;
const MEMORY_GOAL_MB = 64;
const REST_MS = 2_000;
const NEWLINE = 0x0a;
const SPEED = 'export of 1,000,000 messages';
const MEMORY = 'growth of the memory of the server during the export';

interface ExportRun {
  rowsPerSecond: number;
  growthMegabytes: number;
}

/** The fifth figure: that a whole log leaves fast, and without being held in memory. */
export const exporting: Bench = {
  name: 'export',
  async run(context) {
    if (context.postgres === undefined) {
      const reason = `no PostgreSQL at ${POSTGRES_URL}`;
      return {
        figures: [
          unmeasured(SPEED, `>= ${shown(ROWS_GOAL)} rows/s`, reason),
          unmeasured(MEMORY, '< 64 MB', reason),
        ],
        details: [],
      };
    }
    const dataset = await createDataset(
      context,
      context.postgres,
      context.isQuick ? MESSAGES / 20 : MESSAGES,
    );
    return summary(await runAll(context, dataset));
  },
};

async function runAll(context: BenchContext, dataset: Dataset): Promise<ExportRun[]> {
  const { service, messages } = dataset;
  // A day first, so that the code is loaded and compiled before memory is read.
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await exportRows(dataset, `?period_from=${day}&period_to=${day}`);
  await wait(REST_MS);
  const atRest = await residentMegabytes(service.pid);
  const runs: ExportRun[] = [];
  for (let round = 0; round < (context.isQuick ? 1 : 3); round += 1) {
    context.progress(`export: run ${round + 1}`);
    const startedAt = performance.now();
    const { result: rows, peak } = await whileWatching(service.pid, () => exportRows(dataset, ''));
    const seconds = (performance.now() - startedAt) / 1000;
    if (rows !== messages) throw new Error(`the export has ${rows} rows instead of ${messages}`);
    runs.push({ rowsPerSecond: rows / seconds, growthMegabytes: peak - atRest });
  }
  return runs;
}

/** Reads an export to its end as it comes; returns its rows, the header not counted. */
async function exportRows({ client, authorization }: Dataset, query: string): Promise<number> {
  const stream = await client.stream(`/v1/messages/export${query}`, { authorization });
  let lines = 0;
  for await (const piece of stream) lines += countLines(piece);
  return lines - 1;
}

function countLines(piece: Buffer): number {
  let lines = 0;
  for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}

function summary(runs: readonly ExportRun[]): BenchResult {
  const speed = median(runs.map(({ rowsPerSecond }) => rowsPerSecond));
  const growth = Math.max(...runs.map(({ growthMegabytes }) => growthMegabytes));
  return {
    figures: [
      {
        name: SPEED,
        goal: `>= ${shown(ROWS_GOAL)} rows/s`,
        measured: `${shown(speed)} rows/s`,
        isMet: speed >= ROWS_GOAL,
      },
      {
        name: MEMORY,
        goal: `< ${MEMORY_GOAL_MB} MB`,
        measured: `${shown(growth)} MB`,
        isMet: growth < MEMORY_GOAL_MB,
      },
    ],
    details: [],
  };
}
