import { areaOf, checksById, type Failure, failuresOf, judged, reasonsOf } from './failures.ts';
import type { CheckResult, Report, ReportedExchange, RequirementResult } from './model.ts';
import { clipped, counted, oneLine, shortened } from './text.ts';
import { type XmlElement, xmlDocument } from './xml.ts';

// JUnit XML as CI systems read it. There is no specification; what they have in common:
// - GitLab tells cases apart by classname and name, shows the text of failure and skipped, and ignores `message`;
// - Jenkins groups by the classname up to its last dot, shows `message` and the text, and keeps one failure of a case;
// - the reporters of GitHub read one failure of a case: `message` for the annotation, the text for the details.
// So: a case for each requirement, one failure in it, and everything that matters in the text as well.

const LONGEST_BODY = 2000;
const MOST_VIOLATIONS = 10;

interface Case {
  readonly requirement: string;
  readonly area: string;
  readonly milliseconds: number;
  readonly result?: {
    readonly kind: 'failure' | 'error' | 'skipped';
    readonly type?: string;
    readonly message: string;
    readonly text: string;
  };
  readonly output?: string;
}

/** junit.xml: a suite for each area, a case for each requirement. What could not be tested is skipped. */
export function renderJunit(report: Report): string {
  const cases = [...runCases(report), ...requirementCases(report), ...baselineCases(report)];
  const suites = [...Map.groupBy(cases, ({ area }) => area)];
  return xmlDocument({
    name: 'testsuites',
    attributes: {
      name: `sendspec conformance: ${judged(report)}`,
      ...totals(cases),
      time: time(report.duration_ms),
    },
    children: suites.map(([area, members]) => suite(report, area, members)),
  });
}

function suite(report: Report, area: string, cases: readonly Case[]): XmlElement {
  const milliseconds = cases.reduce((sum, each) => sum + each.milliseconds, 0);
  const attributes = {
    name: area,
    ...totals(cases),
    time: time(milliseconds),
    // The pattern of the common schemas: no fraction, no zone.
    timestamp: report.started_at.slice(0, 19),
    hostname: hostOf(report.target.base_url),
  };
  return { name: 'testsuite', attributes, children: [properties(report), ...cases.map(testcase)] };
}

function testcase({ requirement, area, milliseconds, result, output }: Case): XmlElement {
  return {
    name: 'testcase',
    attributes: { classname: `conformance.${area}`, name: requirement, time: time(milliseconds) },
    children: [
      ...(result
        ? [
            {
              name: result.kind,
              attributes: { message: result.message, type: result.type },
              children: [result.text],
            },
          ]
        : []),
      ...(output ? [{ name: 'system-out', children: [output] }] : []),
    ],
  };
}

function properties(report: Report): XmlElement {
  const { contract, target, suite: by } = report;
  const values = {
    seed: report.seed,
    verdict: report.verdict,
    implementation: judged(report),
    target: target.base_url,
    profiles: target.profiles.join(','),
    contract: `${contract.title} ${contract.version}`,
    contract_sha256: contract.sha256,
    suite: `${by.name} ${by.version}`,
    requests: report.requests,
  };
  const children = Object.entries(values).map(([name, value]) => ({
    name: 'property',
    attributes: { name, value },
  }));
  return { name: 'properties', children };
}

function totals(cases: readonly Case[]): Record<'tests' | 'failures' | 'errors' | 'skipped', number> {
  const count = (kind: string) => cases.filter(({ result }) => result?.kind === kind).length;
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  };
}

/** A run that judged nothing must not read as a run without failures. */
function runCases(report: Report): Case[] {
  const message =
    report.error ?? (report.requirements.length === 0 ? 'No requirement was judged.' : undefined);
  if (message === undefined) return [];
  const result = { kind: 'error', type: 'suite-error', message: summary(message), text: message } as const;
  return [{ requirement: 'run', area: 'run', milliseconds: 0, result }];
}

function requirementCases(report: Report): Case[] {
  const checks = checksById(report);
  const failures = new Map(failuresOf(report).map((failure) => [failure.requirement.id, failure]));
  const shares = timeShares(report);
  return report.requirements.map((requirement) => {
    const about = {
      requirement: requirement.id,
      area: areaOf(requirement.id),
      milliseconds: shares.get(requirement.id) ?? 0,
    };
    const failure = failures.get(requirement.id);
    if (failure) return { ...about, result: failureResult(failure) };
    if (requirement.outcome === 'informed') return { ...about, output: requirement.notes.join('\n') };
    return requirement.outcome === 'passed' ? about : { ...about, result: undecided(requirement, checks) };
  });
}

function failureResult({ requirement, seen, known }: Failure): NonNullable<Case['result']> {
  const [first] = seen;
  const message = summary(first?.violation.message ?? 'The requirement is broken.');
  const shown = seen
    .slice(0, MOST_VIOLATIONS)
    .map(({ check, violation }) =>
      [
        `${check.id}: ${violation.message}`,
        ...(violation.shrunk ? [`Smallest case: ${clipped(violation.shrunk.case, LONGEST_BODY)}`] : []),
        ...violation.exchanges.map(exchangeText),
        `Run it again: ${violation.replay}`,
      ].join('\n\n'),
    );
  const rest = requirement.violations - shown.length;
  const text = [
    message,
    quoted(requirement),
    ...shown,
    ...(rest > 0 ? [`And ${counted(rest, 'violation')} more: see report.html.`] : []),
  ].join('\n\n');
  if (!known) return { kind: 'failure', type: requirement.level, message, text };
  const reason = known.reason ? `Known failure: ${known.reason}` : 'Known failure, listed in the baseline.';
  return { kind: 'skipped', message: summary(reason), text: `${reason}\n\n${text}` };
}

function undecided(
  requirement: RequirementResult,
  checks: ReadonlyMap<string, CheckResult>,
): NonNullable<Case['result']> {
  const isError = requirement.outcome === 'error';
  const reasons = reasonsOf(requirement, checks).join('\n');
  const text = `${reasons}\n\n${quoted(requirement)}`;
  return isError
    ? { kind: 'error', type: 'suite-error', message: summary(reasons), text }
    : { kind: 'skipped', message: summary(reasons), text };
}

/** The run fails for it, so a case has to. */
function baselineCases(report: Report): Case[] {
  return (report.baseline?.now_passing ?? []).map((id) => {
    const message = `${id} is listed as a known failure and now passes: take it off the list.`;
    const result = { kind: 'failure', type: 'baseline', message, text: message } as const;
    return { requirement: id, area: 'baseline', milliseconds: 0, result };
  });
}

/** The time of a check, shared evenly by the requirements that it decides: so the times add up. */
function timeShares(report: Report): Map<string, number> {
  const deciders = Map.groupBy(
    report.requirements.flatMap(({ id, checks }) => checks.map((check) => ({ id, check }))),
    ({ check }) => check,
  );
  const shares = new Map<string, number>();
  for (const { id, duration_ms } of report.checks) {
    const decided = deciders.get(id) ?? [];
    for (const requirement of decided) {
      shares.set(requirement.id, (shares.get(requirement.id) ?? 0) + duration_ms / decided.length);
    }
  }
  return shares;
}

function quoted({ level, source }: RequirementResult): string {
  return `${level}, ${source.section}: "${source.quote}"`;
}

function exchangeText({ request, response, fault, is_notification }: ReportedExchange): string {
  const asked = `${is_notification ? 'Received, a notification:\n' : ''}> ${request.method} ${request.url}`;
  // How a notification is signed stands in its headers.
  const headers = is_notification
    ? Object.entries(request.headers).map(([name, value]) => `> ${name}: ${value}`)
    : [];
  const sent = request.body ? [clipped(request.body, LONGEST_BODY)] : [];
  const came = response
    ? [`< ${response.status}`, clipped(response.body, LONGEST_BODY)]
    : [`< no response: ${fault ?? 'unknown'}`];
  return [asked, ...headers, ...sent, ...came].join('\n');
}

function summary(message: string): string {
  return shortened(oneLine(message), 300);
}

function time(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? 'unknown';
}
