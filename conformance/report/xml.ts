import { visible } from './text.ts';

/** An element to be written. */
export interface XmlElement {
  readonly name: string;
  /** An attribute that is undefined is left out. */
  readonly attributes?: Readonly<Record<string, string | number | undefined>>;
  readonly children?: readonly (XmlElement | string)[];
}

/** An XML 1.0 document, indented, with every text escaped and what XML cannot hold written out. */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${rendered(root, '')}`;
}

function rendered(element: XmlElement, indent: string): string {
  const { name, attributes = {}, children = [] } = element;
  const start = `${indent}<${name}${Object.entries(attributes).map(attribute).join('')}`;
  if (children.length === 0) return `${start}/>\n`;
  // A text stands alone in its element, so that indenting adds nothing to it.
  if (children.every((child) => typeof child === 'string')) {
    return `${start}>${children.map(escaped).join('')}</${name}>\n`;
  }
  const inner = children.map((child) =>
    typeof child === 'string' ? escaped(child) : rendered(child, `${indent}  `),
  );
  return `${start}>\n${inner.join('')}${indent}</${name}>\n`;
}

function attribute([name, value]: [string, string | number | undefined]): string {
  if (value === undefined) return '';
  // A line feed in an attribute would be read as a space (XML 1.0, 3.3.3).
  const text = escaped(String(value))
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;');
  return ` ${name}="${text}"`;
}

function escaped(text: string): string {
  return visible(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
