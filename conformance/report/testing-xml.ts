/** An element as a strict parser of XML 1.0 sees it. */
export interface ReadElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly elements: readonly ReadElement[];
  /** The text between the tags, indentation included. */
  readonly text: string;
}

const FORBIDDEN = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/u;
const TOKEN = /<\?xml [^?]*\?>\s*|<(\/?)([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<]+)/gy;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/**
 * The root element of a document without comments, CDATA or namespaces, which is all that the reports need.
 * Throws where a parser of XML would.
 */
export function readXml(document: string): ReadElement {
  if (FORBIDDEN.test(document)) throw new Error('a character that XML 1.0 does not allow');
  const top = { name: '', attributes: {}, elements: [] as ReadElement[], text: '' };
  const open = [top];
  let end = 0;
  for (const match of document.matchAll(TOKEN)) {
    end = match.index + match[0].length;
    const [, closing, name, attributes = '', empty, text] = match;
    const parent = open.at(-1) ?? top;
    if (text !== undefined) {
      if (text.includes(']]>')) throw new Error('"]]>" in a text');
      parent.text += unescaped(text);
    } else if (closing) {
      if (parent.name !== name) throw new Error(`</${name}> closes <${parent.name}>`);
      open.pop();
    } else if (name) {
      const element = { name, attributes: attributesOf(attributes), elements: [], text: '' };
      parent.elements.push(element);
      if (!empty) open.push(element);
    }
  }
  if (end !== document.length) throw new Error(`no XML: ${document.slice(end, end + 60)}`);
  const [root, ...others] = top.elements;
  if (!root || others.length > 0 || open.length !== 1) throw new Error('not exactly one closed root element');
  return root;
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/ ([\w-]+)="([^"]*)"/g)) {
    if (name in attributes) throw new Error(`two attributes ${name}`);
    attributes[name] = unescaped(value.replaceAll(/[\t\n\r]/g, ' '));
  }
  return attributes;
}

function unescaped(text: string): string {
  return text.replaceAll(
    /&(?:#(\d+)|(\w*));?/g,
    (whole, code: string | undefined, name: string | undefined) => {
      const character = code ? String.fromCodePoint(Number(code)) : ENTITIES[name ?? ''];
      if (!whole.endsWith(';') || character === undefined) throw new Error(`no entity: ${whole}`);
      return character;
    },
  );
}
