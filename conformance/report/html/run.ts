import type { CheckResult, Report } from '../model.ts';
import { counted, seconds } from '../text.ts';
import { html, type Markup, type Part } from './markup.ts';
import { outcomeBadge, section } from './parts.ts';

/** What is needed to understand the run, and to make it again. */
export function runSection(report: Report): Markup {
  const { target, contract, suite, implementation, baseline } = report;
  const parts = Object.entries(target.parts);
  const named = (wanted: boolean) =>
    parts
      .filter(([, has]) => has === wanted)
      .map(([name]) => name)
      .join(', ') || 'none';
  const facts: [string, Part][] = [
    ['Target', target.base_url],
    [
      'Implementation',
      implementation ? `${implementation.name} ${implementation.version}` : 'not named by the target file',
    ],
    ['Profiles', target.profiles.join(', ')],
    ['Optional parts', `${named(true)} (missing: ${named(false)})`],
    ['Contract', html`${contract.title} ${contract.version}, SHA-256 <code>${contract.sha256}</code>`],
    ['Suite', `${suite.name} ${suite.version}`],
    ['Seed', String(report.seed)],
    ['Started', report.started_at],
    ['Duration', seconds(report.duration_ms)],
    ['Requests', report.requests.toLocaleString('en-US')],
    ['Exit code', String(report.exit_code)],
    ...(baseline
      ? ([['Known failures', `${baseline.file}: ${baseline.known.length} of them still fail`]] as const)
      : []),
  ].map(([name, value]): [string, Part] => [String(name), value]);
  return section('run', 'Run', undefined, [
    html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`,
    checksMarkup(report.checks),
  ]);
}

function checksMarkup(checks: readonly CheckResult[]): Part {
  if (checks.length === 0) return undefined;
  const slowestFirst = checks.toSorted((a, b) => b.duration_ms - a.duration_ms);
  return html`<details><summary>${counted(checks.length, 'check')}, the slowest first</summary>
<table class="cards">
<thead><tr><th scope="col" class="outcome">Outcome</th><th scope="col">Check</th><th scope="col" class="number">Time</th><th scope="col" class="number">Requests</th></tr></thead>
<tbody>
${slowestFirst.map(
  ({
    id,
    title,
    outcome,
    duration_ms,
    requests,
  }) => html`<tr><td>${outcomeBadge(outcome)}</td><td><code class="id">${id}</code><p>${title}</p></td><td class="number" data-label="Time">${seconds(duration_ms)}</td><td class="number" data-label="Requests">${requests.toLocaleString('en-US')}</td></tr>
`,
)}</tbody>
</table>
</details>`;
}
