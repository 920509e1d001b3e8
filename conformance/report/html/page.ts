import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { judged, verdictTitle } from '../failures.ts';
import type { Report } from '../model.ts';
import { coverageSection } from './coverage.ts';
import { failuresSection } from './failures.ts';
import { html, Markup } from './markup.ts';
import { openSection, staleBaselineSection, undecidedSection } from './notes.ts';
import { requirementsSection } from './requirements.ts';
import { runSection } from './run.ts';
import { summarySection } from './summary.ts';

const STYLE = readFileSync(new URL('./style.css', import.meta.url), 'utf8');
const SCRIPT = readFileSync(new URL('./script.js', import.meta.url), 'utf8');

// Nothing is fetched, and no script or style runs but these two: whatever a server answered cannot act here.
const POLICY = `default-src 'none'; script-src '${digest(SCRIPT)}'; style-src '${digest(STYLE)}'; base-uri 'none'; form-action 'none'`;

/** report.html: the whole report in one file that needs nothing else, and no script to be read. */
export function renderHtml(report: Report): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${verdictTitle(report)}: ${judged(report)}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
${summarySection(report)}
<main>
${staleBaselineSection(report)}
${failuresSection(report)}
${undecidedSection(report)}
${openSection(report)}
${requirementsSection(report)}
${coverageSection(report)}
${runSection(report)}
</main>
<footer>
<p>Written by ${report.suite.name} ${report.suite.version}. The same as data: <code>report.json</code>, form ${report.schema_version}.</p>
</footer>
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`.text;
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
