import { readFileSync } from 'node:fs';
import { contractInfo, type OperationId, operationOf } from '../contract/document.ts';
import type { Exchange } from '../http/exchange.ts';
import { decides, type Requirement } from '../requirements/catalogue.ts';
import type { ConformanceRun } from '../run.ts';
import type { Check, Need } from '../suite/check.ts';
import type { OperationCount } from '../suite/coverage.ts';
import { isDeclared } from '../suite/runner.ts';
import type { CheckRun, Violation as Found } from '../suite/violation.ts';
import { profilesOf, type Target } from '../target/target.ts';
import {
  type CheckOutcome,
  type CheckResult,
  type ExitCode,
  type OperationCoverage,
  type Report,
  type ReportedExchange,
  type ReportSummary,
  type RequirementOutcome,
  type RequirementResult,
  SCHEMA_VERSION,
  type Verdict,
  type Violation,
} from './model.ts';

/** How the run was asked for. */
export interface Asked {
  /** As it stood on the command line; a replay command names it. */
  readonly targetFile: string;
  /** What starts the suite where it was asked for; by default the command of the package. */
  readonly command?: string;
  readonly selection: readonly string[] | null;
}

const NEEDS: readonly Need[] = [
  'second_tenant',
  'second_account',
  'clock',
  'sent_mail',
  'webhooks',
  'webhooks.signed',
  'simulator.delivery',
  'simulator.hard_bounce',
  'simulator.soft_bounce',
  'simulator.spam_complaint',
  'simulator.unsubscribe',
  'simulator.open',
  'simulator.click',
];

/** The report of a run: what came of every requirement that the target claims, with every secret redacted. */
export function reportOf(run: ConformanceRun, asked: Asked): Report {
  const { context, catalogue, checks, runs } = run;
  const { target, seed, coverage } = context;
  const profiles = profilesOf(target);
  const checkResults = checks.flatMap((check) => {
    const result = runs.get(check.id);
    return result === undefined ? [] : [checkResultOf(check, result, run, asked)];
  });
  const requirements = catalogue.requirements
    .filter((requirement) => profiles.includes(requirement.profile))
    .map((requirement) => requirementResultOf(requirement, run))
    .filter((result) => asked.selection === null || result.checks.length > 0);
  const summary = summaryOf(requirements, checkResults);
  const verdict = verdictOf(summary, asked.selection !== null);
  return {
    schema_version: SCHEMA_VERSION,
    suite: { name: 'sendspec', version: suiteVersion() },
    contract: contractInfo(),
    ...(target.implementation === undefined ? {} : { implementation: target.implementation }),
    target: { base_url: target.base_url, profiles, parts: partsOf(target) },
    seed,
    selection: asked.selection,
    started_at: run.startedAt.toISOString(),
    duration_ms: Math.round(run.durationMs),
    requests: coverage.requests,
    verdict,
    exit_code: EXIT_CODES[verdict],
    summary,
    requirements,
    checks: checkResults,
    coverage: { operations: coverage.operations.map(([id, count]) => coverageOf(id, count)) },
  };
}

const EXIT_CODES: Readonly<Record<Verdict, ExitCode>> = {
  conformant: 0,
  not_conformant: 1,
  error: 2,
  partial: 3,
};

/** What a server broke stands, whatever else went wrong; without that, a run that is not whole is no pass. */
function verdictOf({ requirements, checks }: ReportSummary, isSelection: boolean): Verdict {
  if (checks.failed > 0) return 'not_conformant';
  if (checks.error > 0 || checks.passed + checks.untested === 0) return 'error';
  const isPartial = checks.untested > 0 || (!isSelection && requirements.untested > 0);
  return isPartial ? 'partial' : 'conformant';
}

function requirementResultOf(
  requirement: Requirement,
  { checks, context, runs }: ConformanceRun,
): RequirementResult {
  const { id, level, profile, source, operations: about } = requirement;
  const deciding = checks.filter((check) => decides(check.id, requirement));
  const results = deciding.flatMap((check) => runs.get(check.id) ?? []);
  const violations = results.flatMap(violationsOf).filter((violation) => violation.requirement === id).length;
  const outcome = level === 'OPEN' ? 'informed' : requirementOutcome(requirement, violations, results);
  return {
    id,
    level,
    profile,
    source,
    operations: about,
    checks: deciding.map((check) => check.id),
    outcome,
    violations,
    notes: notesOf(id, outcome, results).map((note) => context.redaction.text(note)),
  };
}

function requirementOutcome(
  { checks }: Requirement,
  violations: number,
  results: readonly CheckRun[],
): RequirementOutcome {
  const kinds = new Set(results.map(({ outcome }) => outcome.kind));
  if (violations > 0) return 'failed';
  // What every exchange is judged by was tested as soon as there was one.
  if (checks.includes('*') && (kinds.has('passed') || kinds.has('failed'))) return 'passed';
  if (kinds.has('error')) return 'error';
  // A check that ended at another fault may not have come to what decides this one.
  if (kinds.has('failed')) return 'untested';
  return kinds.has('untested') || kinds.size === 0 ? 'untested' : 'passed';
}

function notesOf(id: string, outcome: RequirementOutcome, results: readonly CheckRun[]): string[] {
  const seen = results.flatMap(({ notes }) => notes.filter(({ requirement }) => requirement === id));
  const reasons = outcome === 'untested' ? results.flatMap(reasonsOf) : [];
  return [...new Set([...seen.map(({ text }) => text), ...reasons])].sort();
}

function reasonsOf({ outcome }: CheckRun): string[] {
  if (outcome.kind === 'failed') return ['a check that decides it ended at another fault'];
  return outcome.kind === 'untested' ? [outcome.reason] : [];
}

function violationsOf({ outcome }: CheckRun): readonly Found[] {
  return outcome.kind === 'failed' ? outcome.violations : [];
}

function checkResultOf(check: Check, run: CheckRun, { context }: ConformanceRun, asked: Asked): CheckResult {
  const { outcome } = run;
  const effort = context.effort === 1 ? '' : ` --effort ${context.effort}`;
  const command = asked.command ?? 'sendspec conformance';
  const replay = `${command} --target ${shellWord(asked.targetFile)} --only ${check.id} --seed ${context.seed}${effort}`;
  return {
    id: check.id,
    title: check.title,
    outcome: outcome.kind,
    duration_ms: Math.round(run.durationMs),
    requests: run.requests,
    ...('reason' in outcome ? { reason: context.redaction.text(outcome.reason) } : {}),
    violations: violationsOf(run).map((violation) => reported(violation, context, replay)),
  };
}

function reported(violation: Found, context: ConformanceRun['context'], replay: string): Violation {
  const { requirement, message, exchanges, shrunk } = violation;
  const { redaction } = context;
  return {
    requirement,
    message: redaction.text(message),
    exchanges: exchanges.map((exchange) => reportedExchange(exchange, context)),
    ...(shrunk === undefined ? {} : { shrunk: { ...shrunk, case: redaction.text(shrunk.case) } }),
    replay,
  };
}

function reportedExchange(
  { operation, request, response, fault, receivedAt }: Exchange,
  { redaction, target }: ConformanceRun['context'],
): ReportedExchange {
  return {
    ...(operation === undefined ? {} : { operation_id: operation }),
    request: {
      method: request.method,
      url: redaction.text(`${receivedAt ?? new URL(target.base_url).origin}${request.path}`),
      headers: redaction.headers(request.headers),
      body: request.body === undefined ? null : redaction.text(request.body.toString('utf8')),
    },
    response:
      response === undefined
        ? null
        : {
            status: response.status,
            headers: redaction.headers(response.headers),
            body: redaction.text(response.text),
          },
    ...(fault === undefined ? {} : { fault }),
    ...(receivedAt === undefined ? {} : { is_notification: true }),
  };
}

function summaryOf(
  requirements: readonly RequirementResult[],
  checks: readonly CheckResult[],
): ReportSummary {
  const count = <Outcome extends string>(list: readonly { outcome: Outcome }[], outcome: Outcome) =>
    list.filter((each) => each.outcome === outcome).length;
  const ofRequirements = (outcome: RequirementOutcome) => count(requirements, outcome);
  const ofChecks = (outcome: CheckOutcome) => count(checks, outcome);
  return {
    requirements: {
      passed: ofRequirements('passed'),
      failed: ofRequirements('failed'),
      untested: ofRequirements('untested'),
      informed: ofRequirements('informed'),
      error: ofRequirements('error'),
    },
    checks: {
      passed: ofChecks('passed'),
      failed: ofChecks('failed'),
      untested: ofChecks('untested'),
      error: ofChecks('error'),
    },
  };
}

function coverageOf(id: OperationId, { requests, statuses, parameters }: OperationCount): OperationCoverage {
  const operation = operationOf(id);
  const documented = operation.parameters.filter(({ in: place }) => place !== 'header');
  return {
    operation_id: id,
    method: operation.method.toUpperCase(),
    path: operation.path,
    requests,
    statuses,
    documented_statuses: operation.statuses.map(String),
    parameters: Object.fromEntries(documented.map(({ name }) => [name, parameters[name] ?? 0])),
  };
}

function partsOf(target: Target): Record<string, boolean> {
  return Object.fromEntries(NEEDS.map((need) => [need, isDeclared(target, need)]));
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function suiteVersion(): string {
  const content: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return String(Object(content).version);
}
