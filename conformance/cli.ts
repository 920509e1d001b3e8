import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { applyBaseline, BaselineError, loadBaseline } from './report/baseline.ts';
import { reportOf } from './report/from-run.ts';
import type { Report } from './report/model.ts';
import { createProgress } from './report/progress.ts';
import { summarise, wantsColour } from './report/terminal.ts';
import { ReportError, writeReports } from './report/write.ts';
import { CatalogueError, loadCatalogue } from './requirements/catalogue.ts';
import { type ConformanceRun, runConformance, SuiteError } from './run.ts';
import { CHECKS } from './scenarios/index.ts';
import { PreflightFailed } from './suite/preflight.ts';
import { loadTarget, TargetError } from './target/load-target.ts';
import { type LoadedTarget, type Profile, profilesOf } from './target/target.ts';

const FAILURE = 2;
const DEFAULT_SEED = 1;
const MOST_EFFORT = 1000;
const LONGEST_TIMEOUT_SECONDS = 3600;

const HELP = `Usage: sendspec conformance --target FILE [options]

Judges a server that claims the contract. FILE describes it; conformance/target.schema.json says how.

Options:
  --target FILE     the target file
  --profile NAME    core or extensions; only what the target file claims can be asked for (default: all that it claims)
  --seed N|random   decides the generated cases (default: ${DEFAULT_SEED}); a run with the same seed tries the same cases
  --effort N        how much is tried: multiplies the number of generated cases (default: 1)
  --only ID[,ID]    only these requirements or checks
  --report DIR      writes report.json, junit.xml, report.html and more there
  --baseline FILE   failures that are known: they do not fail the run, and one that now passes does
  --timeout SECONDS how long one response may take (default: 30)
  --list            lists the checks, and runs none
  --help            shows this text

Exit codes: 0 conformant, 1 not conformant, 2 the suite or its configuration failed, 3 partial: something that the target
claims could not be tested.`;

/** A command line that means nothing. */
class UsageError extends Error {}

interface Options {
  target: string;
  profile: Profile | undefined;
  seed: number;
  effort: number;
  only: string[] | undefined;
  report: string | undefined;
  baseline: string | undefined;
  timeoutMs: number | undefined;
}

/**
 * Runs `sendspec conformance` and returns the exit code: 0 conformant, 1 not conformant, 2 the suite or its configuration failed,
 * 3 partial. The verdict goes to standard output, progress and faults to standard error.
 */
export async function runCli(args: readonly string[]): Promise<number> {
  try {
    const options = readOptions(args);
    if (options === 'help') return say(HELP);
    if (options === 'list') return say(CHECKS.map(({ id, title }) => `${id}\n    ${title}`).join('\n'));
    return await judge(options);
  } catch (error) {
    console.error(`sendspec conformance: ${explain(error)}`);
    return FAILURE;
  }
}

function say(text: string): number {
  console.log(text);
  return 0;
}

async function judge(options: Options): Promise<number> {
  const loaded = narrowed(loadTarget(options.target), options.profile);
  const baseline = options.baseline === undefined ? undefined : knownFailures(options.baseline);
  const run = await runWithProgress(loaded, options);
  const judged = reportOf(run, {
    targetFile: options.target,
    selection: options.only ?? null,
    command: commandOf(process.env),
  });
  const report: Report = baseline === undefined ? judged : applyBaseline(judged, baseline);
  if (options.report !== undefined) await writeReports(report, options.report);
  console.log(summarise(report, { colour: wantsColour(process.stdout) }));
  return report.exit_code;
}

/** What starts the suite as it was started now: a replay command is pasted where this one was typed. */
export function commandOf({ npm_lifecycle_event: started }: NodeJS.ProcessEnv): string {
  if (started === 'conformance') return 'npm run conformance --';
  return started === 'npx' ? 'npx sendspec conformance' : 'sendspec conformance';
}

async function runWithProgress(target: LoadedTarget, options: Options): Promise<ConformanceRun> {
  const { seed, effort, only, timeoutMs } = options;
  const progress = createProgress(process.stderr);
  try {
    return await runConformance({
      target,
      seed,
      effort,
      ...(only === undefined ? {} : { only }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      onStart: (checks, context) => progress.start(checks.length, () => context.coverage.requests),
      onCheck: (check, { outcome }) => progress.checkEnded(check.id, outcome.kind),
      onWait: (seconds) => progress.waiting(seconds),
    });
  } finally {
    progress.stop();
  }
}

function knownFailures(file: string) {
  const { requirements } = loadCatalogue();
  return loadBaseline(file, new Set(requirements.map(({ id }) => id)));
}

/** The target as if it claimed this profile alone. */
function narrowed(loaded: LoadedTarget, profile: Profile | undefined): LoadedTarget {
  if (profile === undefined) return loaded;
  const claimed = profilesOf(loaded.target);
  if (!claimed.includes(profile))
    throw new UsageError(`the target claims ${claimed.join(' and ')}, not ${profile}`);
  return { ...loaded, target: { ...loaded.target, profiles: [profile] } };
}

function readOptions(args: readonly string[]): Options | 'help' | 'list' {
  const { values } = parsedArgs(args);
  if (values.help === true) return 'help';
  if (values.list === true) return 'list';
  if (values.target === undefined) throw new UsageError('--target FILE is missing');
  return {
    target: values.target,
    profile: profileOf(values.profile),
    seed:
      values.seed === 'random'
        ? randomInt(2 ** 31)
        : integerOf('--seed', values.seed, 0, 2 ** 31 - 1, DEFAULT_SEED),
    effort: integerOf('--effort', values.effort, 1, MOST_EFFORT, 1),
    only: values.only?.flatMap((ids) => ids.split(',')).filter((id) => id !== ''),
    report: values.report,
    baseline: values.baseline,
    timeoutMs:
      values.timeout === undefined
        ? undefined
        : 1000 * integerOf('--timeout', values.timeout, 1, LONGEST_TIMEOUT_SECONDS, 1),
  };
}

function parsedArgs(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const;
    const flag = { type: 'boolean' } as const;
    return parseArgs({
      args: [...args],
      options: {
        target: text,
        profile: text,
        seed: text,
        effort: text,
        only: { type: 'string', multiple: true },
        report: text,
        baseline: text,
        timeout: text,
        list: flag,
        help: { ...flag, short: 'h' },
      },
    });
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('. ', 1);
    throw new UsageError(reason);
  }
}

function profileOf(text: string | undefined): Profile | undefined {
  if (text === undefined || text === 'core' || text === 'extensions') return text;
  throw new UsageError(`--profile must be core or extensions, and is ${JSON.stringify(text)}`);
}

function integerOf(
  name: string,
  text: string | undefined,
  least: number,
  most: number,
  fallback: number,
): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(
    `${name} must be a whole number from ${least} to ${most}, and is ${JSON.stringify(text)}`,
  );
}

/** What went wrong, for people; the name of a fault that nobody expected, and never its stack trace. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}; see sendspec conformance --help`;
  if (EXPECTED.some((kind) => error instanceof kind) && error instanceof Error) return error.message;
  return `The suite failed: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
}

const EXPECTED = [TargetError, SuiteError, PreflightFailed, CatalogueError, BaselineError, ReportError];
