import { type Failure, failuresOf, type SeenViolation } from '../failures.ts';
import type { Report } from '../model.ts';
import { clipped, counted } from '../text.ts';
import { exchangeMarkup } from './exchange.ts';
import { html, type Markup, type Part } from './markup.ts';
import { copyable, levelBadge, outcomeBadge, quote, section } from './parts.ts';

const SHOWN_AT_ONCE = 2;
const LONGEST_TEXT = 4000;

/** Every broken requirement with what shows it; nothing when there is none. */
export function failuresSection(report: Report): Part {
  const failures = failuresOf(report);
  if (failures.length === 0) return undefined;
  return section('failures', 'Failures', failures.length, failures.map(failureMarkup));
}

function failureMarkup({ requirement, seen, known }: Failure): Markup {
  const shown = seen.slice(0, SHOWN_AT_ONCE);
  const folded = seen.slice(SHOWN_AT_ONCE);
  const lost = requirement.violations - seen.length;
  return html`<article class="failure" id="failure-${requirement.id}">
<h3>${requirement.id}</h3>
<p class="badges">${outcomeBadge(known ? 'known' : 'failed')} ${levelBadge(requirement.level)} <span class="muted">${requirement.profile}${
    requirement.violations > 1 ? `, ${counted(requirement.violations, 'violation')}` : ''
  }</span></p>
${known?.reason === undefined ? undefined : html`<p>Known: ${known.reason}</p>`}
${quote(requirement)}
${shown.map(violationMarkup)}
${folded.length > 0 ? html`<details><summary>${counted(folded.length, 'more violation')}</summary>${folded.map(violationMarkup)}</details>` : undefined}
${lost > 0 ? html`<p class="muted">${counted(lost, 'violation')} more of the same were seen and not kept.</p>` : undefined}
</article>
`;
}

function violationMarkup({ check, violation }: SeenViolation): Markup {
  const { message, exchanges, shrunk, replay } = violation;
  return html`<div class="violation">
<p class="message">${clipped(message, LONGEST_TEXT)}</p>
<p class="muted">Check <code>${check.id}</code>: ${check.title}</p>
${exchanges.map((exchange, index) => exchangeMarkup(exchange, index === exchanges.length - 1))}
${
  shrunk
    ? html`<h4>Smallest case that fails</h4>
${copyable('Smallest case that fails', clipped(shrunk.case, LONGEST_TEXT))}
<p class="muted">Seed ${shrunk.seed}, path ${shrunk.path}</p>`
    : undefined
}
<h4>Run it again</h4>
${copyable('Command that runs the check again', replay)}
</div>
`;
}
