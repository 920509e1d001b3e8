import type { ReportedExchange, ReportedRequest } from '../model.ts';
import { counted, oneLine, shortened } from '../text.ts';
import { curlOf } from './curl.ts';
import { bodyMarkup } from './json.ts';
import { html, type Markup } from './markup.ts';
import { copyable } from './parts.ts';

/** A request and its response, foldable. */
export function exchangeMarkup(exchange: ReportedExchange, isOpen: boolean): Markup {
  const { request, response, fault, operation_id, is_notification } = exchange;
  const outcome = response
    ? html`<span class="status s${Math.trunc(response.status / 100)}">${response.status}</span>`
    : html`<span class="status s5">no response</span>`;
  return html`<details class="exchange"${isOpen ? html` open` : undefined}>
<summary>${is_notification ? html`<span class="muted">received</span> ` : undefined}<span class="method">${request.method}</span> <span class="path">${shortened(oneLine(pathOf(request.url)), 160)}</span> ${outcome}</summary>
<div class="sides">
<div class="side">
<h4>${is_notification ? 'Notification' : 'Request'}${operation_id === undefined ? undefined : html` <span class="muted">${operation_id}</span>`}</h4>
<p class="url">${request.method} ${shortened(request.url, 2000)}</p>
${headersMarkup(request.headers, is_notification)}
${request.body === null ? html`<p class="muted">No body</p>` : bodyBlock('Body of the request', request.body)}
${is_notification ? undefined : curlMarkup(request)}
</div>
<div class="side">
${
  response
    ? html`<h4>${is_notification ? 'Answer of the suite' : 'Response'} <span class="muted">${response.status}</span></h4>
${headersMarkup(response.headers)}
${response.body === '' ? html`<p class="muted">No body</p>` : bodyBlock('Body of the response', response.body)}`
    : html`<h4>${is_notification ? 'No answer' : 'No response'}</h4>
<p class="message">${fault ?? 'The connection said nothing about it.'}</p>`
}
</div>
</div>
</details>
`;
}

function curlMarkup(request: ReportedRequest): Markup {
  return html`<details><summary>As a curl command</summary>${copyable('curl command', curlOf(request))}<p class="muted">Secrets are redacted: fill them in.</p></details>`;
}

function headersMarkup(headers: Readonly<Record<string, string>>, isOpen = false): Markup {
  const entries = Object.entries(headers);
  if (entries.length === 0) return html`<p class="muted">No headers</p>`;
  const rows = entries.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${shortened(value, 2000)}</dd></div>`,
  );
  return html`<details${isOpen ? html` open` : undefined}><summary>${counted(entries.length, 'header')}</summary><dl class="headers">${rows}</dl></details>`;
}

function bodyBlock(label: string, body: string): Markup {
  const { shown, isCut } = bodyMarkup(body);
  const note = isCut ? html`<p class="muted">Shown in part.</p>` : undefined;
  return html`<pre class="body" tabindex="0" aria-label="${label}">${shown}</pre>${note}`;
}

function pathOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.pathname}${parsed.search}` : url;
}
