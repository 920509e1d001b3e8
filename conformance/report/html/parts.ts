import type { Level, RequirementResult } from '../model.ts';
import { html, type Markup, type Part } from './markup.ts';

const OUTCOMES = {
  passed: 'Passed',
  failed: 'Failed',
  untested: 'Not tested',
  informed: 'Left open',
  error: 'Not judged',
  known: 'Known failure',
} as const;

const LEVELS: Readonly<Record<Level, string>> = {
  MUST: 'A sentence of the service description',
  DERIVED: 'Follows from the contract document',
  OPEN: 'Left open by the description: informs, and never fails',
};

export type OutcomeName = keyof typeof OUTCOMES;

/** The name of an outcome for people. */
export function outcomeTitle(outcome: OutcomeName): string {
  return OUTCOMES[outcome];
}

/** An outcome as a coloured word. */
export function outcomeBadge(outcome: OutcomeName): Markup {
  return html`<span class="badge ${outcome}">${OUTCOMES[outcome]}</span>`;
}

/** The level of a requirement, with what it means on hovering. */
export function levelBadge(level: Level): Markup {
  return html`<span class="badge level" title="${LEVELS[level]}">${level}</span>`;
}

/** The sentence that a requirement rests on. */
export function quote({ source }: RequirementResult): Markup {
  return html`<blockquote><p>${sentence(source.quote)}</p><footer>${source.section}</footer></blockquote>`;
}

/** A sentence of the description, which is Markdown: code, emphasis, and rows of a table stand as what they are. */
export function sentence(text: string): readonly Part[] {
  const lines = text.trim().split('\n').map(cells);
  return lines.flatMap((line, index) => (index === 0 ? inline(line) : [html`<br>`, ...inline(line)]));
}

function cells(line: string): string {
  const [, row] = /^\s*\|(.*)\|\s*$/.exec(line) ?? [];
  if (row === undefined) return line;
  return row
    .split('|')
    .map((cell) => cell.trim())
    .join(' — ');
}

function inline(line: string): Part[] {
  return line.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    const isMarked = index % 2 === 1;
    if (!isMarked) return part;
    return part.startsWith('`')
      ? html`<code>${part.slice(1, -1)}</code>`
      : html`<strong>${part.slice(2, -2)}</strong>`;
  });
}

/** A text that can be copied; the button appears where scripts run. */
export function copyable(label: string, text: string): Markup {
  return html`<div class="copyable"><pre tabindex="0" aria-label="${label}">${text}</pre><button type="button" class="copy" hidden>Copy</button></div>`;
}

/** A part of the page with a heading that links lead to. */
export function section(id: string, title: string, count: number | undefined, content: Part): Markup {
  const shown =
    count === undefined ? undefined : html` <span class="count">${count.toLocaleString('en-US')}</span>`;
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}${shown}</h2>
${content}
</section>
`;
}
