import { checksById, type Failure, failuresOf, judged, reasonsOf, verdictTitle } from './failures.ts';
import type { CheckResult, Report, RequirementResult } from './model.ts';
import { counted, oneLine, seconds, shortened } from './text.ts';

const MOST_MESSAGES = 3;
const LONGEST_MESSAGE = 1000;
const MARKS = { bold: '1', red: '31', green: '32', yellow: '33', dim: '2' } as const;

type Paint = (mark: keyof typeof MARKS, text: string) => string;

/** Whether what is written there may be coloured: a terminal, and nobody asked for none (NO_COLOR). */
export function wantsColour(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  return stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
}

/** What a person wants to read at the end of a run: the verdict, every failure with its sentence and command, what is untested. */
export function summarise(report: Report, { colour = false }: { readonly colour?: boolean } = {}): string {
  const paint: Paint = colour
    ? (mark, text) => `\u001b[${MARKS[mark]}m${text}\u001b[0m`
    : (_mark, text) => text;
  const sections = [
    ...failuresOf(report).map((failure) => failureText(failure, paint)),
    ...undecidedSection(report, 'error', 'Could not be judged, the suite failed:', paint),
    ...undecidedSection(report, 'untested', 'Could not be tested:', paint),
    ...informedSection(report, paint),
    ...baselineSection(report, paint),
    verdictText(report, paint),
  ];
  return sections.join('\n\n');
}

function failureText({ requirement, seen, known }: Failure, paint: Paint): string {
  const reason = known?.reason === undefined ? '' : `: ${oneLine(known.reason)}`;
  const title = known ? paint('yellow', `KNOWN FAILURE${reason}`) : paint('red', 'FAILED');
  const shown = seen.slice(0, MOST_MESSAGES);
  const rest = requirement.violations - shown.length;
  return [
    `${title}  ${paint('bold', requirement.id)}  (${requirement.level}, ${oneLine(requirement.source.section)})`,
    `  "${oneLine(requirement.source.quote)}"`,
    ...shown.map(({ check, violation }) => `  ${check.id}: ${message(violation.message)}`),
    ...(rest > 0 && shown.length > 0 ? [`  and ${counted(rest, 'violation')} more`] : []),
    ...new Set(shown.map(({ violation }) => paint('dim', `  again: ${oneLine(violation.replay)}`))),
  ].join('\n');
}

function undecidedSection(
  report: Report,
  outcome: 'error' | 'untested',
  title: string,
  paint: Paint,
): string[] {
  const undecided = report.requirements.filter((each) => each.outcome === outcome);
  if (undecided.length === 0) return [];
  const checks = checksById(report);
  const byReason = Map.groupBy(undecided, (each) => reasonText(each, checks));
  const lines = [...byReason].map(
    ([reason, members]) => `  ${reason}:\n    ${members.map(({ id }) => id).join(', ')}`,
  );
  return [[paint(outcome === 'error' ? 'red' : 'yellow', title), ...lines].join('\n')];
}

function reasonText(requirement: RequirementResult, checks: ReadonlyMap<string, CheckResult>): string {
  return reasonsOf(requirement, checks).map(message).join('; ');
}

function informedSection(report: Report, paint: Paint): string[] {
  const noted = report.requirements.filter(
    ({ outcome, notes }) => outcome === 'informed' && notes.length > 0,
  );
  if (noted.length === 0) return [];
  const lines = noted.map(({ id, notes }) => `  ${id}: ${notes.map(message).join('; ')}`);
  return [[paint('bold', 'Left open by the description, seen here:'), ...lines].join('\n')];
}

function baselineSection({ baseline }: Report, paint: Paint): string[] {
  if (!baseline || baseline.now_passing.length === 0) return [];
  const title = `Listed in ${oneLine(baseline.file)} as known failures, and passing now: take them off the list.`;
  return [[paint('red', title), ...baseline.now_passing.map((id) => `  ${id}`)].join('\n')];
}

function verdictText(report: Report, paint: Paint): string {
  const { passed, failed, untested, informed, error } = report.summary.requirements;
  const counts = Object.entries({ passed, failed, untested, 'left open': informed, 'not judged': error })
    .filter(([name, count]) => count > 0 || name === 'passed' || name === 'failed')
    .map(([name, count]) => `${count} ${name}`);
  const profiles = report.target.profiles.join(' + ');
  const known = report.baseline?.known.length ?? 0;
  return [
    paint(
      report.verdict === 'conformant' ? 'green' : report.verdict === 'partial' ? 'yellow' : 'red',
      verdictTitle(report),
    ),
    `: ${oneLine(judged(report))} (${profiles}${report.selection ? ', selected requirements only' : ''})`,
    ...(report.error === undefined ? [] : [`\n  ${message(report.error)}`]),
    `\n  requirements: ${counts.join(', ')}`,
    ...(known > 0 ? [`\n  known failures: ${known} of ${failed}; they do not fail the run`] : []),
    `\n  ${counted(report.requests, 'request')} in ${seconds(report.duration_ms)}, seed ${report.seed}`,
  ].join('');
}

function message(text: string): string {
  return shortened(oneLine(text), LONGEST_MESSAGE);
}
