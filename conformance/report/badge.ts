import type { Report, Verdict } from './model.ts';

/** The answer of an endpoint badge of shields.io. */
export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
}

const COLORS: Readonly<Record<Verdict, string>> = {
  conformant: 'brightgreen',
  not_conformant: 'red',
  partial: 'yellow',
  error: 'lightgrey',
};

/** badge.json: what was judged and how it ended. A run of selected requirements never reads as a whole one. */
export function badgeOf(report: Report): Badge {
  const color = report.selection && report.verdict === 'conformant' ? 'yellow' : COLORS[report.verdict];
  return { schemaVersion: 1, label: 'sendspec conformance', message: messageOf(report), color };
}

function messageOf(report: Report): string {
  const { failed, untested } = report.summary.requirements;
  const outcome = {
    conformant: 'conformant',
    not_conformant: `${failed} failing`,
    partial: `${untested} untested`,
    error: 'not judged',
  }[report.verdict];
  const selected = report.selection ? ' (selection)' : '';
  return `${report.target.profiles.join(' + ')}: ${outcome}${selected}`;
}
