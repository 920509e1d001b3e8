import { cpus, totalmem } from 'node:os';

/** One figure: what is wanted, what was measured. */
export interface Figure {
  name: string;
  goal: string;
  measured: string;
  /** Undefined when there is no goal (a number to compare with), or nothing could be measured. */
  isMet: boolean | undefined;
}

/** The numbers behind the figures. */
export interface Details {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** What one bench found out. */
export interface BenchResult {
  figures: readonly Figure[];
  details: readonly Details[];
}

/** The report in Markdown, as it stands in the README. */
export function render(results: readonly BenchResult[], postgresVersion: string | undefined): string {
  const figures = results.flatMap((result) => result.figures);
  const rows = figures.map(({ name, goal, measured, isMet }) => [name, goal, measured, verdictOf(isMet)]);
  const details = results.flatMap((result) => result.details);
  return [
    table(['figure', 'goal', 'measured', 'met'], rows),
    machine(postgresVersion),
    ...details.map(({ title, columns, rows: cells }) => `${title}:\n\n${table(columns, cells)}`),
  ].join('\n\n');
}

/** A ratio of two numbers, held against a least value. */
export function ratioFigure(name: string, ratio: number, atLeast: number): Figure {
  return { name, goal: `>= ${atLeast}`, measured: ratio.toFixed(2), isMet: ratio >= atLeast };
}

/** A figure that could not be measured, and why. */
export function unmeasured(name: string, goal: string, reason: string): Figure {
  return { name, goal, measured: reason, isMet: undefined };
}

/** A number for people: 12,345, or 1.23 when it is small. */
export function shown(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });
}

function verdictOf(isMet: boolean | undefined): string {
  if (isMet === undefined) return '';
  return isMet ? 'yes' : '**no**';
}

function machine(postgresVersion: string | undefined): string {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const parts = [
    `${cpus().length} cores (${cpu?.model.trim() || 'unknown'})`,
    `${gigabytes} GB of memory`,
    `Node ${process.versions.node}`,
    postgresVersion === undefined ? 'no PostgreSQL' : `PostgreSQL ${postgresVersion}`,
    `${new Date().toISOString().slice(0, 10)}`,
  ];
  return `Taken on ${parts.join(', ')}.`;
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [columns, columns.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
