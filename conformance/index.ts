import { reportOf } from './report/from-run.ts';
import type { CheckOutcome, Report } from './report/model.ts';
import { runConformance as runSuite, SuiteError } from './run.ts';
import { PreflightFailed } from './suite/preflight.ts';
import { loadTarget, TargetError } from './target/load-target.ts';

export type * from './report/model.ts';
export { summarise } from './report/terminal.ts';
export { ReportError, writeReports } from './report/write.ts';

export interface ConformanceOptions {
  /** The target file; `conformance/target.schema.json` of the package describes it. */
  readonly target: string;
  /** Decides the generated cases; a run with the same seed tries the same ones. 1 unless another is given. */
  readonly seed?: number;
  /** Multiplies the number of generated cases, from 1 on. */
  readonly effort?: number;
  /** Ids of requirements or checks; absent: all that the target claims. */
  readonly only?: readonly string[];
  /** How long one response may take, in milliseconds. */
  readonly timeoutMs?: number;
  /** Told of every check that has ended. */
  readonly onCheck?: (check: { readonly id: string; readonly title: string }, outcome: CheckOutcome) => void;
}

/** No verdict is possible: the target file is wrong, the server is not there or refuses the credentials, or `only` names nothing. */
export class ConformanceError extends Error {}

const DEFAULT_SEED = 1;

/**
 * Judges a server that claims the contract, as `sendspec conformance` does. The verdict is in `verdict` and `exit_code` of the
 * report; `summarise` makes it a text, `writeReports` files.
 * @throws ConformanceError when no verdict is possible.
 */
export async function runConformance(options: ConformanceOptions): Promise<Report> {
  const { target, seed = DEFAULT_SEED, onCheck = () => {}, ...rest } = options;
  try {
    const run = await runSuite({
      ...rest,
      target: loadTarget(target),
      seed,
      onCheck: (check, { outcome }) => onCheck(check, outcome.kind),
    });
    return reportOf(run, { targetFile: target, selection: options.only ?? null });
  } catch (error) {
    throw noVerdict(error) ? new ConformanceError(error.message, { cause: error }) : error;
  }
}

function noVerdict(error: unknown): error is Error {
  return [TargetError, SuiteError, PreflightFailed].some((kind) => error instanceof kind);
}
