import { areaOf, failuresOf } from '../failures.ts';
import type { Report, RequirementResult } from '../model.ts';
import { html, type Markup, type Part } from './markup.ts';
import { levelBadge, type OutcomeName, outcomeBadge, outcomeTitle, section, sentence } from './parts.ts';

const LEVELS = ['MUST', 'DERIVED', 'OPEN'] as const;

/** Every requirement, to be filtered where scripts run. */
export function requirementsSection(report: Report): Markup {
  const known = new Set(
    failuresOf(report)
      .filter((each) => each.known)
      .map(({ requirement }) => requirement.id),
  );
  const outcomeOf = ({ id, outcome }: RequirementResult): OutcomeName => (known.has(id) ? 'known' : outcome);
  const outcomes = [...new Set(report.requirements.map(outcomeOf))];
  const areas = [...new Set(report.requirements.map(({ id }) => areaOf(id)))];
  return section('requirements', 'Requirements', report.requirements.length, [
    html`<form id="filter" hidden>
<label>Search <input type="search" name="text" autocomplete="off" spellcheck="false"></label>
${select(
  'outcome',
  'Outcome',
  outcomes.map((outcome): Option => [outcome, outcomeTitle(outcome)]),
)}
${select(
  'level',
  'Level',
  LEVELS.map((level): Option => [level, level]),
)}
${select(
  'area',
  'Area',
  areas.map((area): Option => [area, area]),
)}
<output id="filtered" aria-live="polite"></output>
</form>
<table class="cards">
<thead><tr><th scope="col" class="outcome">Outcome</th><th scope="col">Requirement</th><th scope="col" class="level">Level</th><th scope="col" class="checks">Checks</th></tr></thead>
<tbody>
${report.requirements.map((requirement) => row(requirement, outcomeOf(requirement)))}</tbody>
</table>`,
  ]);
}

type Option = readonly [value: string, title: string];

function select(name: string, label: string, options: readonly Option[]): Markup {
  const items = options.map(([value, title]) => html`<option value="${value}">${title}</option>`);
  return html`<label>${label} <select name="${name}"><option value="">all</option>${items}</select></label>`;
}

function row(requirement: RequirementResult, outcome: OutcomeName): Markup {
  const { id, level, profile, source, operations, checks } = requirement;
  const name: Part = requirement.outcome === 'failed' ? html`<a href="#failure-${id}">${id}</a>` : id;
  return html`<tr data-outcome="${outcome}" data-level="${level}" data-area="${areaOf(id)}">
<td>${outcomeBadge(outcome)}</td>
<td><code class="id">${name}</code><p>${sentence(source.quote)}</p><p class="muted">${[source.section, ...operations].join(' · ')}</p></td>
<td>${levelBadge(level)}${profile === 'extensions' ? html` <span class="muted">extensions</span>` : undefined}</td>
<td class="ids">${checks.map((check) => html`<code>${check}</code> `)}</td>
</tr>
`;
}
