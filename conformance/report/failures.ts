import type { CheckResult, Report, RequirementResult, Violation } from './model.ts';

// The questions that every format asks of a report.

/** A violation, and the check that saw it. */
export interface SeenViolation {
  readonly check: CheckResult;
  readonly violation: Violation;
}

/** A broken requirement with what was seen of it. */
export interface Failure {
  readonly requirement: RequirementResult;
  readonly seen: readonly SeenViolation[];
  /** The baseline lists it, with the reason given there. */
  readonly known: { readonly reason?: string } | undefined;
}

/** The broken requirements: those that nobody knew of first, otherwise in the order of the report. */
export function failuresOf(report: Report): Failure[] {
  const seen = violationsByRequirement(report);
  const known = new Map(report.baseline?.known.map((entry) => [entry.id, entry]));
  const failures = report.requirements
    .filter(({ outcome }) => outcome === 'failed')
    .map((requirement) => ({
      requirement,
      seen: seen.get(requirement.id) ?? [],
      known: known.get(requirement.id),
    }));
  return [...failures.filter((failure) => !failure.known), ...failures.filter((failure) => failure.known)];
}

/** Why a requirement could not be decided: its own notes, then the reasons of its checks; each once, at least one. */
export function reasonsOf(
  requirement: RequirementResult,
  checks: ReadonlyMap<string, CheckResult>,
): string[] {
  const reasons = requirement.checks.flatMap((id) => {
    const check = checks.get(id);
    return check?.outcome === requirement.outcome && check.reason ? [check.reason] : [];
  });
  const all = [...new Set([...requirement.notes, ...reasons])];
  if (all.length > 0) return all;
  return [requirement.checks.length === 0 ? 'no check of this run decides it' : 'no reason was given'];
}

/** The checks of a report by id. */
export function checksById(report: Report): Map<string, CheckResult> {
  return new Map(report.checks.map((check) => [check.id, check]));
}

/** What stands before the dot of a requirement's id. */
export function areaOf(requirementId: string): string {
  return requirementId.split('.', 1)[0] ?? requirementId;
}

/** The implementation that was judged, by name where it has one. */
export function judged(report: Report): string {
  const { implementation, target } = report;
  return implementation ? `${implementation.name} ${implementation.version}` : target.base_url;
}

const VERDICTS = {
  conformant: 'Conformant',
  not_conformant: 'Not conformant',
  partial: 'Partially tested',
  error: 'Not judged',
} as const;

/** The verdict for people. */
export function verdictTitle(report: Report): string {
  return VERDICTS[report.verdict];
}

function violationsByRequirement(report: Report): Map<string, SeenViolation[]> {
  const seen = report.checks.flatMap((check) => check.violations.map((violation) => ({ check, violation })));
  return Map.groupBy(seen, ({ violation }) => violation.requirement);
}
