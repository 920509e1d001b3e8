import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { BaselineResult, ExitCode, Report, RequirementResult } from './model.ts';

/** A requirement that is known to fail. */
export interface BaselineEntry {
  readonly id: string;
  readonly reason?: string;
}

/** The failures that were known before the run. */
export interface Baseline {
  /** The file as it was given. */
  readonly file: string;
  readonly entries: readonly BaselineEntry[];
}

/** The file of known failures cannot be used: which one, where, and why. */
export class BaselineError extends Error {
  constructor(file: string, problem: string, options?: ErrorOptions) {
    super(`${file}: ${problem}`, options);
    this.name = 'BaselineError';
  }
}

const FORM = 'expected a list of requirement ids, each on its own or as {id, reason}';

/**
 * Reads a file of known failures, JSON or YAML: a list of requirement ids, each alone or as {id, reason}.
 * @throws BaselineError when there is no such file, when it has another form, or names what is not in `requirements`.
 */
export function loadBaseline(file: string, requirements?: ReadonlySet<string>): Baseline {
  const list = parsed(file, read(file));
  if (!Array.isArray(list)) throw new BaselineError(file, FORM);
  const entries = list.map((value, index) => entryOf(file, value, index));
  const seen = new Set<string>();
  for (const { id } of entries) {
    if (requirements?.has(id) === false)
      throw new BaselineError(file, `${id} is no requirement of this suite`);
    if (seen.has(id)) throw new BaselineError(file, `${id} is listed twice`);
    seen.add(id);
  }
  return { file, entries };
}

/**
 * The report with known failures taken into account: they do not fail the run, one that passes by now does.
 * The verdict stays what it is: a server with known failures does not conform.
 */
export function applyBaseline(report: Report, { file, entries }: Baseline): Report {
  const results = new Map(report.requirements.map((each) => [each.id, each]));
  const listed = new Set(entries.map(({ id }) => id));
  const failing = report.requirements.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  const baseline: BaselineResult = {
    file,
    known: entries.filter(({ id }) => results.get(id)?.outcome === 'failed'),
    new: failing.filter((id) => !listed.has(id)),
    now_passing: entries.map(({ id }) => id).filter((id) => holds(results.get(id))),
  };
  return { ...report, baseline, exit_code: exitCode(report, baseline) };
}

function exitCode(report: Report, baseline: BaselineResult): ExitCode {
  if (report.exit_code === 2) return 2;
  if (baseline.new.length > 0 || baseline.now_passing.length > 0) return 1;
  if (report.summary.checks.error > 0) return 2;
  return report.summary.checks.untested > 0 ? 3 : 0;
}

function holds(result: RequirementResult | undefined): boolean {
  return result?.outcome === 'passed' || result?.outcome === 'informed';
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new BaselineError(file, `cannot be read (${cause instanceof Error ? cause.message : cause})`, {
      cause,
    });
  }
}

// YAML 1.2 holds JSON.
function parsed(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    // The parser shows the place in further lines.
    const [problem = ''] = (cause instanceof Error ? cause.message : String(cause)).split(/:?\n/, 1);
    throw new BaselineError(file, `neither JSON nor YAML: ${problem}`, { cause });
  }
}

function entryOf(file: string, value: unknown, index: number): BaselineEntry {
  if (typeof value === 'string') return { id: value };
  const at = `entry ${index + 1}`;
  if (typeof value !== 'object' || value === null) throw new BaselineError(file, `${at}: ${FORM}`);
  const { id, reason, ...others }: { id?: unknown; reason?: unknown } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new BaselineError(file, `${at}: there is no "${unknown}", only id and reason`);
  if (typeof id !== 'string') throw new BaselineError(file, `${at}: the id of a requirement is missing`);
  if (reason === undefined || reason === null) return { id };
  if (typeof reason !== 'string') throw new BaselineError(file, `${at}: the reason has to be a text`);
  return { id, reason };
}
