import type { OperationCoverage, Report } from '../model.ts';
import { html, type Markup } from './markup.ts';
import { section } from './parts.ts';

/** Operations with the statuses and parameters that the run has seen and sent, and those that it has not. */
export function coverageSection({ coverage: { operations } }: Report): Markup {
  const called = operations.filter(({ requests }) => requests > 0).length;
  const statuses = operations.flatMap(({ documented_statuses, statuses: seen }) =>
    documented_statuses.map((status) => (seen[status] ?? 0) > 0),
  );
  const parameters = operations.flatMap((each) => Object.values(each.parameters).map((count) => count > 0));
  return section('coverage', 'Coverage', undefined, [
    html`<p class="lead">${called} of ${operations.length} operations called, ${share(statuses)} documented statuses seen, ${share(parameters)} parameters sent.
A dashed frame means never; a red one, that the contract does not know the status.</p>
<table class="cards">
<thead><tr><th scope="col">Operation</th><th scope="col" class="number">Requests</th><th scope="col">Statuses</th><th scope="col">Parameters</th></tr></thead>
<tbody>
${operations.map(row)}</tbody>
</table>`,
  ]);
}

function share(seen: readonly boolean[]): string {
  return `${seen.filter(Boolean).length} of ${seen.length}`;
}

function row(operation: OperationCoverage): Markup {
  const { operation_id, method, path, requests, statuses, documented_statuses, parameters } = operation;
  const all = [...new Set([...documented_statuses, ...Object.keys(statuses)])].sort();
  const statusChips = all.map((status) =>
    chip(
      status === 'none' ? 'no response' : status,
      statuses[status] ?? 0,
      !documented_statuses.includes(status),
    ),
  );
  const parameterChips = Object.entries(parameters).map(([name, count]) => chip(name, count, false));
  return html`<tr>
<td><code class="id">${operation_id}</code><p class="muted">${method.toUpperCase()} ${path}</p></td>
<td class="number" data-label="Requests">${requests.toLocaleString('en-US')}</td>
<td><ul class="chips">${statusChips}</ul></td>
<td>${parameterChips.length > 0 ? html`<ul class="chips">${parameterChips}</ul>` : html`<span class="muted">none</span>`}</td>
</tr>
`;
}

function chip(name: string, count: number, isForeign: boolean): Markup {
  const kind = isForeign ? 'foreign' : count > 0 ? 'seen' : 'never';
  return html`<li class="chip ${kind}">${name} <span class="times">${count > 0 ? `${count}×` : 'never'}</span></li>`;
}
