import { checksById, reasonsOf } from '../failures.ts';
import type { Report, RequirementResult } from '../model.ts';
import { html, type Markup, type Part } from './markup.ts';
import { section, sentence } from './parts.ts';

/** What the suite failed at, and what could not be tested, each with why. */
export function undecidedSection(report: Report): Part {
  return [
    reasonsSection(
      report,
      'error',
      'not-judged',
      'Not judged',
      'The suite failed here. That is no fault of the server.',
    ),
    reasonsSection(
      report,
      'untested',
      'not-tested',
      'Not tested',
      'The target lacks what these need, or something before them went wrong. A run with any of them is partial.',
    ),
  ];
}

/** What the description leaves open, and how this server does it. */
export function openSection(report: Report): Part {
  const open = report.requirements.filter(({ outcome }) => outcome === 'informed');
  if (open.length === 0) return undefined;
  const items = open.map(
    (
      requirement,
    ) => html`<li><p>${requirement.notes.length > 0 ? requirement.notes.join(' ') : 'Nothing was seen of it.'}</p>
<p class="muted"><code>${requirement.id}</code> “${sentence(requirement.source.quote)}”</p></li>`,
  );
  return section('left-open', 'Left open', open.length, [
    html`<p class="lead">The description leaves these to the server. They inform, and fail nobody.</p>`,
    html`<ul class="notes">${items}</ul>`,
  ]);
}

/** Known failures that are none any more: the run fails for them. */
export function staleBaselineSection({ baseline }: Report): Part {
  if (!baseline || baseline.now_passing.length === 0) return undefined;
  return section('baseline', 'Known failures that pass', baseline.now_passing.length, [
    html`<p class="lead">Take them off <code>${baseline.file}</code>: the run fails until then, so that the list stays true.</p>`,
    html`<ul class="ids">${baseline.now_passing.map((id) => html`<li><code>${id}</code></li>`)}</ul>`,
  ]);
}

function reasonsSection(
  report: Report,
  outcome: 'error' | 'untested',
  id: string,
  title: string,
  lead: string,
): Part {
  const members = report.requirements.filter((each) => each.outcome === outcome);
  if (members.length === 0) return undefined;
  const checks = checksById(report);
  const reasonOf = (each: RequirementResult) => reasonsOf(each, checks).join('; ');
  const groups = [...Map.groupBy(members, reasonOf)].map(([reason, each]) => group(reason, each));
  return section(id, title, members.length, [html`<p class="lead">${lead}</p>`, ...groups]);
}

function group(reason: string, members: readonly RequirementResult[]): Markup {
  const items = members.map(
    (each) =>
      html`<li><code>${each.id}</code> <span class="muted">${sentence(each.source.quote)}</span></li>`,
  );
  return html`<div class="reason"><h3>${reason}</h3><ul class="ids">${items}</ul></div>
`;
}
