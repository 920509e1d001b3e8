import { TransportFault } from '../http/exchange.ts';
import { RateLimited } from '../http/pace.ts';
import type { Target } from '../target/target.ts';
import { profilesOf } from '../target/target.ts';
import type { Check, Need } from './check.ts';
import { HookFailed } from './hooks.ts';
import type { RunContext } from './run-context.ts';
import { Tester } from './tester.ts';
import { type CheckOutcome, type CheckRun, SetupFailed, Violation, Violations } from './violation.ts';

/** Whether the catalogue lets a check decide a requirement. */
export type Decides = (checkId: string, requirement: string) => boolean;
/** Told of every check that has ended. */
export type OnCheck = (check: Check, run: CheckRun) => void;

const AT_ONCE = 8;

/**
 * Runs the checks: those that are independent side by side, then the exclusive ones one after the other. When the server is not
 * there any more, the checks that are left could not be done, which is no fault of the server's that they could show.
 */
export async function runChecks(
  context: RunContext,
  checks: readonly Check[],
  decides: Decides,
  onCheck: OnCheck,
): Promise<Map<string, CheckRun>> {
  const runs = new Map<string, CheckRun>();
  let gone: string | undefined;
  const one = async (check: Check): Promise<void> => {
    const done =
      gone === undefined ? await runCheck(context, check) : notRun({ kind: 'error', reason: gone });
    if (done.outcome.kind === 'error' && done.outcome.isGone === true) gone = done.outcome.reason;
    const run = mapped(check, done, decides);
    runs.set(check.id, run);
    onCheck(check, run);
  };
  const waiting = checks.filter(({ exclusive }) => exclusive !== true);
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) await one(check);
  });
  await Promise.all(workers);
  for (const check of checks) if (check.exclusive === true) await one(check);
  return runs;
}

async function runCheck(context: RunContext, check: Check): Promise<CheckRun> {
  const missing = (check.needs ?? []).filter((need) => !isDeclared(context.target, need));
  if (missing.length > 0) return notRun({ kind: 'untested', reason: missingReason(missing) });
  const tester = new Tester(context, check.id);
  const startedAt = performance.now();
  const outcome = await outcomeOf(check, tester);
  return {
    outcome,
    notes: tester.notes,
    durationMs: performance.now() - startedAt,
    requests: tester.requests,
  };
}

function notRun(outcome: CheckOutcome): CheckRun {
  return { outcome, notes: [], durationMs: 0, requests: 0 };
}

/** A check that judges by a requirement that is not its own is a fault of the suite, whatever it has found. */
function mapped(check: Check, run: CheckRun, decides: Decides): CheckRun {
  if (run.outcome.kind !== 'failed') return run;
  const stray = run.outcome.violations.find(({ requirement }) => !decides(check.id, requirement));
  if (stray === undefined) return run;
  const reason = `it cites ${stray.requirement}, which the catalogue does not map to it: ${stray.message}`;
  return { ...run, outcome: { kind: 'error', reason } };
}

async function outcomeOf(check: Check, tester: Tester): Promise<CheckOutcome> {
  try {
    await check.run(tester);
  } catch (error) {
    // Every other fault of the transport is an exchange without a response.
    if (error instanceof TransportFault)
      return { kind: 'error', reason: `the server is gone: ${error.message}`, isGone: true };
    if (error instanceof Violations) return failed([...tester.passive, ...error.each]);
    if (error instanceof Violation) return failed([...tester.passive, error]);
    const without = reasonWithoutVerdict(error);
    if (without === undefined)
      return tester.passive.length > 0
        ? failed(tester.passive)
        : { kind: 'error', reason: describeFault(error) };
    return tester.passive.length > 0 ? failed(tester.passive) : { kind: 'untested', reason: without };
  }
  return tester.passive.length > 0 ? failed(tester.passive) : { kind: 'passed' };
}

function failed(violations: readonly Violation[]): CheckOutcome {
  return { kind: 'failed', violations };
}

/** Why nothing can be said of the server; undefined when it is the suite that is at fault. */
function reasonWithoutVerdict(error: unknown): string | undefined {
  if (error instanceof SetupFailed || error instanceof HookFailed || error instanceof RateLimited)
    return error.message;
  return undefined;
}

/** A fault of the suite in a line, with the place in the code; people need no stack trace, the maintainers one line of it. */
function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = /conformance\/([\w/.-]+:\d+)/.exec(error.stack ?? '')?.[1];
  return `${error.name}: ${error.message}${place === undefined ? '' : ` (${place})`}`;
}

/** Whether the target has what a check needs. */
export function isDeclared(target: Target, need: Need): boolean {
  const { hooks, simulator = {}, tenants, webhooks } = target;
  switch (need) {
    case 'second_tenant':
      return tenants.length > 1;
    case 'second_account':
      return (tenants[0]?.accounts.length ?? 0) > 1;
    case 'clock':
      return hooks?.advance_clock !== undefined;
    case 'sent_mail':
      return hooks?.messages !== undefined;
    case 'webhooks':
      return webhooks?.registration === 'extension' || isRegisteredByHook(target);
    case 'webhooks.signed':
      // Registering tells a secret, or the target file does.
      return webhooks?.registration === 'extension' || typeof webhooks?.secret === 'string';
    default:
      return Object.hasOwn(simulator, need.slice('simulator.'.length));
  }
}

function isRegisteredByHook({ hooks, webhooks }: Target): boolean {
  return webhooks?.registration === 'hook' && hooks?.set_webhook_url !== undefined;
}

function missingReason(needs: readonly Need[]): string {
  return `the target declares no ${needs.join(' and no ')}`;
}

/** The checks of the profiles that the target claims. */
export function claimedChecks(checks: readonly Check[], target: Target): readonly Check[] {
  const profiles = profilesOf(target);
  return checks.filter(({ profile }) => profiles.includes(profile ?? 'core'));
}
