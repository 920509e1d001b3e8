import { visible } from '../text.ts';

/** HTML that is safe to be written as it is. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes: texts and numbers are escaped, markup stays, and nothing is written for undefined. */
export type Part = Markup | string | number | undefined | readonly Part[];

/** A template whose values are escaped. The only way to write HTML here, so that nothing gets in unescaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.map((fixed, index) => fixed + written(parts[index])).join(''));
}

function written(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(written).join('');
  return escaped(String(part));
}

function escaped(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
