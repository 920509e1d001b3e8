import { judged, verdictTitle } from '../failures.ts';
import type { Report, RequirementOutcome } from '../model.ts';
import { counted, seconds } from '../text.ts';
import { html, Markup, type Part } from './markup.ts';
import { outcomeTitle } from './parts.ts';

const ORDER = [
  'failed',
  'error',
  'untested',
  'informed',
  'passed',
] as const satisfies readonly RequirementOutcome[];

const PLACES: Readonly<Record<RequirementOutcome, string>> = {
  failed: 'failures',
  error: 'not-judged',
  untested: 'not-tested',
  informed: 'left-open',
  passed: 'requirements',
};

/** The top of the page: the verdict, what it rests on, and the way to the rest. */
export function summarySection(report: Report): Markup {
  const { target, selection, contract } = report;
  return html`<header class="top ${report.verdict}">
<p class="kind">Conformance report</p>
<h1>${verdictTitle(report)}</h1>
<p class="subject"><strong>${judged(report)}</strong> against ${contract.title} ${contract.version}, ${target.profiles.join(' and ')}</p>
<p>${explanation(report)}</p>
${report.error === undefined ? undefined : html`<p class="problem">${report.error}</p>`}
${selection ? html`<p class="problem">Only a selection was judged: ${selection.join(', ')}. This says nothing of the rest.</p>` : undefined}
${bar(report)}
<ul class="tiles">${ORDER.map((outcome) => tile(report, outcome))}</ul>
<nav aria-label="Parts of the report"><ul>
${navigation(report).map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}
</ul></nav>
</header>
`;
}

function explanation(report: Report): Part {
  const { passed, failed, untested, informed, error } = report.summary.requirements;
  const all = passed + failed + untested + informed + error;
  const known = report.baseline?.known.length ?? 0;
  const sentences = [
    failed > 0
      ? `${counted(failed, 'requirement')} of ${all} ${failed === 1 ? 'is' : 'are'} broken.`
      : `${passed} of ${counted(all, 'requirement')} hold${all === 1 ? 's' : ''}.`,
    ...(known > 0 ? [`${known} of the failures ${known === 1 ? 'was' : 'were'} known before.`] : []),
    ...(untested > 0 ? [`${untested} could not be tested.`] : []),
    ...(error > 0 ? [`The suite itself failed at ${error}.`] : []),
    `${counted(report.requests, 'request')} in ${seconds(report.duration_ms)}, seed ${report.seed}.`,
  ];
  return sentences.join(' ');
}

/** The outcomes in proportion. Widths are attributes, since the page allows no style but its own. */
function bar(report: Report): Markup {
  const counts = report.summary.requirements;
  let start = 0;
  const parts = ORDER.map((outcome) => {
    const part = html`<rect class="${outcome}" x="${start}" y="0" width="${counts[outcome]}" height="1"/>`;
    start += counts[outcome];
    return part;
  });
  if (start === 0) return new Markup('');
  return html`<svg class="bar" viewBox="0 0 ${start} 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

function tile(report: Report, outcome: RequirementOutcome): Part {
  const count = report.summary.requirements[outcome];
  const label = html`<span class="number">${count.toLocaleString('en-US')}</span> <span>${outcomeTitle(outcome)}</span>`;
  if (count === 0) return html`<li class="tile none">${label}</li>`;
  return html`<li class="tile ${outcome}"><a href="#${PLACES[outcome]}">${label}</a></li>`;
}

function navigation(report: Report): [id: string, title: string][] {
  const { failed, untested, informed, error } = report.summary.requirements;
  const places: [string, string, boolean][] = [
    ['baseline', 'Known failures that pass', (report.baseline?.now_passing.length ?? 0) > 0],
    ['failures', 'Failures', failed > 0],
    ['not-judged', 'Not judged', error > 0],
    ['not-tested', 'Not tested', untested > 0],
    ['left-open', 'Left open', informed > 0],
    ['requirements', 'Requirements', true],
    ['coverage', 'Coverage', true],
    ['run', 'Run', true],
  ];
  return places.filter(([, , isThere]) => isThere).map(([id, title]) => [id, title]);
}
