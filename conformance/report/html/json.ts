import { clipped } from '../text.ts';
import { html, type Markup, type Part } from './markup.ts';

const LONGEST_SHOWN = 20_000;
// Laying out more than this costs more than it helps.
const LONGEST_LAID_OUT = 200_000;

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** A body for people: JSON laid out and coloured, anything else as it came; a long one is cut, and says so at its end. */
export function bodyMarkup(body: string): { readonly shown: Markup; readonly isCut: boolean } {
  const layout = laidOut(body);
  const text = clipped(layout ?? body, LONGEST_SHOWN);
  return { shown: layout === undefined ? html`${text}` : coloured(text), isCut: text !== (layout ?? body) };
}

/**
 * JSON with a line for each value and every token as it came: numbers are not rounded, names that stand twice stay.
 * Undefined for what is no JSON, or too long.
 */
export function laidOut(text: string): string | undefined {
  if (text.length > LONGEST_LAID_OUT || !isJson(text)) return undefined;
  let depth = 0;
  let output = '';
  let last = '';
  const line = (): string => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(TOKEN)) {
    const isClosing = token === '}' || token === ']';
    if (isClosing) depth -= 1;
    if (isClosing ? last !== '{' && last !== '[' : last === '{' || last === '[' || last === ',')
      output += line();
    output += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
    last = token;
  }
  return output;
}

function coloured(layout: string): Markup {
  const parts: Part[] = [];
  let end = 0;
  for (const match of layout.matchAll(
    /("[^"\\]*(?:\\.[^"\\]*)*")(:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g,
  )) {
    const [token, text, colon] = match;
    parts.push(layout.slice(end, match.index));
    const kind = colon ? 'name' : text ? 'string' : 'literal';
    parts.push(html`<span class="json-${kind}">${text ?? token}</span>${colon}`);
    end = match.index + token.length;
  }
  return html`${parts}${layout.slice(end)}`;
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
