import { type Catalogue, decides, loadCatalogue } from './requirements/catalogue.ts';
import { CHECKS } from './scenarios/index.ts';
import type { Check } from './suite/check.ts';
import { preflight } from './suite/preflight.ts';
import { openRun, type RunContext } from './suite/run-context.ts';
import { claimedChecks, type OnCheck, runChecks } from './suite/runner.ts';
import type { CheckRun } from './suite/violation.ts';
import type { LoadedTarget } from './target/target.ts';

export interface ConformanceOptions {
  readonly target: LoadedTarget;
  readonly seed: number;
  /** Those of the suite, unless others are given. */
  readonly checks?: readonly Check[];
  /** Ids of requirements or checks; undefined: all that the target claims. */
  readonly only?: readonly string[];
  readonly effort?: number;
  readonly timeoutMs?: number;
  /** The checks that will run, when that is known. */
  readonly onStart?: (checks: readonly Check[], context: RunContext) => void;
  readonly onCheck?: OnCheck;
  readonly onWait?: (seconds: number) => void;
}

/** What a run has found out. */
export interface ConformanceRun {
  readonly context: RunContext;
  readonly catalogue: Catalogue;
  /** Those that were to run, and what came of them. */
  readonly checks: readonly Check[];
  readonly runs: ReadonlyMap<string, CheckRun>;
  readonly startedAt: Date;
  readonly durationMs: number;
}

/** The suite or its configuration cannot do what was asked for. */
export class SuiteError extends Error {}

/**
 * Judges a target: preflight, then every check that it claims or that was asked for.
 * @throws SuiteError or PreflightFailed when no verdict is possible.
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceRun> {
  const { target, seed, only, effort = 1, timeoutMs, onWait, checks: known = CHECKS } = options;
  const catalogue = loadCatalogue();
  const checks = selected(catalogue, known, target, only);
  const startedAt = new Date();
  const startedMs = performance.now();
  const context = openRun(target, {
    seed,
    effort,
    ...(onWait === undefined ? {} : { onWait }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  try {
    await preflight(context);
    options.onStart?.(checks, context);
    const decides = (checkId: string, id: string) => isDecidedBy(catalogue, id, checkId);
    const runs = await runChecks(context, checks, decides, options.onCheck ?? (() => {}));
    const durationMs = performance.now() - startedMs;
    return { context, catalogue, checks, runs, startedAt, durationMs };
  } finally {
    await context.close();
  }
}

/** The checks that the target claims, or those among them that were asked for by their own ids or by those of requirements. */
function selected(
  catalogue: Catalogue,
  known: readonly Check[],
  { target }: LoadedTarget,
  only: readonly string[] | undefined,
): readonly Check[] {
  const claimed = claimedChecks(known, target);
  if (only === undefined) return claimed;
  const wanted = new Set(only.flatMap((id) => checksNamed(id, known, catalogue)));
  const found = claimed.filter(({ id }) => wanted.has(id));
  if (found.length === 0)
    throw new SuiteError(
      `--only ${only.join(',')} names nothing that the target claims; --list shows the checks.`,
    );
  return found;
}

function checksNamed(id: string, known: readonly Check[], catalogue: Catalogue): readonly string[] {
  const ids = known.map((check) => check.id);
  if (ids.includes(id)) return [id];
  if (catalogue.requirement(id) === undefined)
    throw new SuiteError(`There is no requirement or check ${id}; --list shows the checks.`);
  return ids.filter((checkId) => isDecidedBy(catalogue, id, checkId));
}

function isDecidedBy(catalogue: Catalogue, id: string, checkId: string): boolean {
  const requirement = catalogue.requirement(id);
  return requirement !== undefined && decides(checkId, requirement);
}
