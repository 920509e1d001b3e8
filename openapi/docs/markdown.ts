import highlight from 'highlight.js/lib/common';
import { Marked, type RendererObject, type Tokens } from 'marked';
import { slugOf } from './document.ts';

/** A heading of a page. */
export interface Heading {
  depth: number;
  /** Fragment of its address. */
  id: string;
  text: string;
}

/** A part of a page as a search finds it: a heading, and the plain text below it. */
export interface Section extends Heading {
  body: string;
}

export interface RenderedMarkdown {
  html: string;
  headings: Heading[];
  sections: Section[];
}

const LANGUAGES: Readonly<Record<string, string>> = {
  bash: 'Shell',
  http: 'HTTP',
  javascript: 'JavaScript',
  json: 'JSON',
  php: 'PHP',
  python: 'Python',
  sh: 'Shell',
  text: 'Text',
  ts: 'TypeScript',
};

/**
 * Renders a page of the project's own Markdown. Code is highlighted by class names, so that no page needs inline styles;
 * links to `.md` pages become links to their HTML.
 */
export function renderMarkdown(source: string): RenderedMarkdown {
  const headings: Heading[] = [];
  const sections: Section[] = [];
  const marked = new Marked({ renderer: rendererWith(headings) });
  const tokens = marked.lexer(source);
  const html = marked.parser(tokens);
  // The renderer has met the headings in this order.
  let next = 0;
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = headings[next++];
      if (heading !== undefined) sections.push({ ...heading, body: '' });
      continue;
    }
    const current = sections.at(-1);
    if (current !== undefined && token.type !== 'code') current.body += ` ${plainText(token.raw)}`;
  }
  return { html, headings, sections };
}

function rendererWith(headings: Heading[]): RendererObject {
  let tables = 0;
  return {
    heading({ tokens, depth, text }) {
      const { id, label } = headingOf(text, headings);
      headings.push({ depth, id, text: plainText(label) });
      const inner = this.parser.parseInline(tokens).replace(/\s*\{#[\w.-]+\}$/, '');
      if (depth === 1) return `<h1 id="${id}">${inner}</h1>\n`;
      const name = `Link to “${escapeHtml(plainText(label))}”`;
      return `<h${depth} id="${id}">${inner}<a class="anchor" href="#${id}" aria-label="${name}"></a></h${depth}>\n`;
    },
    code({ text, lang }) {
      return codeBlock(text, lang ?? 'text');
    },
    table(token) {
      const head = `<tr>${token.header.map((cell) => tableCell.call(this, cell, 'th')).join('')}</tr>`;
      const rows = token.rows.map(
        (row) => `<tr>${row.map((cell) => tableCell.call(this, cell, 'td')).join('')}</tr>`,
      );
      tables += 1;
      const name = escapeHtml(`Table ${tables}: ${headings.at(-1)?.text ?? ''}`);
      return `<div class="table" tabindex="0" role="region" aria-label="${name}"><table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table></div>\n`;
    },
    codespan({ text }) {
      return `<code>${breakable(text)}</code>`;
    },
    link({ href, tokens }) {
      const target = href.replace(/^([\w-]+)\.md(?=#|$)/, '$1.html');
      const rel = /^https?:/.test(target) ? ' rel="noopener"' : '';
      return `<a href="${escapeHtml(target)}"${rel}>${this.parser.parseInline(tokens)}</a>`;
    },
  };
}

function tableCell(
  this: { parser: { parseInline(tokens: Tokens.TableCell['tokens']): string } },
  { tokens }: Tokens.TableCell,
  tag: 'th' | 'td',
): string {
  const scope = tag === 'th' ? ' scope="col"' : '';
  return `<${tag}${scope}>${this.parser.parseInline(tokens)}</${tag}>`;
}

/** A heading may end in `{#name}`, which then is its fragment, whatever its text becomes. */
function headingOf(text: string, taken: readonly Heading[]): { id: string; label: string } {
  const [, label = text, given] = /^(.*?)\s*\{#([\w.-]+)\}$/.exec(text) ?? [];
  const wanted = given ?? slugOf(plainText(label));
  const count = taken.filter(({ id }) => id === wanted || id.startsWith(`${wanted}-`)).length;
  return { id: taken.some(({ id }) => id === wanted) ? `${wanted}-${count + 1}` : wanted, label };
}

/** A block of code with the name of its language; a script adds the button that copies it. */
export function codeBlock(text: string, lang: string): string {
  const language = lang === 'sh' ? 'bash' : lang;
  const inner = highlight.getLanguage(language)
    ? highlight.highlight(text, { language }).value
    : escapeHtml(text);
  const label = LANGUAGES[lang] ?? lang;
  return `<figure class="code"><figcaption>${escapeHtml(label)}</figcaption><pre tabindex="0"><code>${inner}\n</code></pre></figure>\n`;
}

const LONG_NAME = 16;

/** A long name may be broken between its parts, in a narrow column of a table, rather than anywhere. */
function breakable(code: string): string {
  const whole = escapeHtml(code);
  return code.length > LONG_NAME ? whole.replace(/[_/=:,.@](?=[\w-]{3})/g, '$&<wbr>') : whole;
}

/** Markdown without its marks. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/<[^>]+>/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*\|?[-:| ]+\|\s*$/gm, ' ')
    .replace(/^#+\s|[`*|]|\{#[\w.-]+\}/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
