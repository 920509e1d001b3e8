import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Token } from 'parse5';
import { RewritingStream } from 'parse5-html-rewriting-stream';

/** What to change in an HTML part. */
export interface RewriteOptions {
  /** The URL that takes the place of a link's; undefined when links stay. */
  linkTo?: ((destination: string) => string) | undefined;
  /** The URL of the pixel; undefined when there is none. */
  pixel?: string | undefined;
  /** The service's own address: links that lead there stay as they are. */
  ownOrigin: string;
}

/** A part of the source that something else takes the place of. */
interface Edit {
  start: number;
  end: number;
  text: string;
}

// The URL made of it must pass through proxies that take 8 kB.
const LONGEST_DESTINATION = 5_700;
const MOST_LINKS = 5_000;
// Characters between two turns of the event loop: a message of 10 MB takes half a second in all.
const PIECE = 65_536;

/**
 * The HTML with its links replaced and the pixel before the end of its body (DECISIONS: mail-tracking-links). A real tokenizer
 * finds the places, and the edits are made in the source itself: everything else stays byte for byte, however broken it is.
 */
export async function rewriteHtml(html: string, options: RewriteOptions): Promise<string> {
  const edits: Edit[] = [];
  let bodyEnd = html.length;
  const parser = new RewritingStream();
  parser.on('startTag', ({ tagName, attrs, sourceCodeLocation: place }) => {
    if (tagName !== 'a' && tagName !== 'area') return;
    const href = attrs.find(({ name }) => name === 'href')?.value;
    const source = place && hasAttributes(place) ? place.attrs.href : undefined;
    if (href === undefined || source === undefined || edits.length >= MOST_LINKS) return;
    const destination = destinationOf(href, options.ownOrigin);
    if (destination === undefined || options.linkTo === undefined) return;
    const value = valueIn(html, source.startOffset, source.endOffset);
    if (value !== undefined) edits.push({ ...value, text: options.linkTo(destination) });
  });
  parser.on('endTag', ({ tagName, sourceCodeLocation: place }) => {
    if (tagName === 'body') bodyEnd = place?.startOffset ?? bodyEnd;
  });
  // The rest has no listener's interest, and must not be copied to an output that nobody reads.
  for (const kind of ['text', 'comment', 'doctype'] as const) parser.on(kind, () => {});
  await parse(parser, html);
  if (options.pixel !== undefined) edits.push({ start: bodyEnd, end: bodyEnd, text: image(options.pixel) });
  return applied(html, edits);
}

function hasAttributes(place: Token.Location): place is Required<Token.LocationWithAttributes> {
  return 'attrs' in place && place.attrs !== undefined;
}

async function parse(parser: RewritingStream, html: string): Promise<void> {
  const finished = once(parser, 'finish');
  for (let at = 0; at < html.length; at += PIECE) {
    parser.write(html.slice(at, at + PIECE));
    if (html.length > PIECE) await setImmediate();
  }
  parser.end();
  await finished;
}

function applied(html: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start)) {
    parts.push(html.slice(from, start), text);
    from = end;
  }
  return parts.join('') + html.slice(from);
}

// Letters that need no escaping in a Location header or an attribute; everything else goes the way that a browser takes it.
const PLAIN = /^[\w\-.~:/?#[\]@!$&'()*+,;=%|{}]+$/;
// {{x}} {%x%} ${x} <%x%> *|x|* %%x%% [[x]], also with their brackets already percent-encoded.
const TEMPLATE_MARKS = /\{\{|\{%|\$\{|<%|\*\||%%|\[\[|%7B%7B|%7B%25/i;

/** The absolute URL that a link leads to as a browser reads it; undefined when it is not one that is tracked. */
function destinationOf(href: string, ownOrigin: string): string | undefined {
  const text = href.replace(/[\t\n\r]/g, '').replace(/^[\0-\x20]+|[\0-\x20]+$/g, '');
  if (!/^https?:\/\//i.test(text) || TEMPLATE_MARKS.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || url.origin === ownOrigin) return undefined;
  const destination = PLAIN.test(text) ? text : url.href;
  return Buffer.byteLength(destination) <= LONGEST_DESTINATION ? destination : undefined;
}

/** Where the value of an attribute stands in the source, without its quotes; undefined when it has none. */
function valueIn(html: string, start: number, end: number): { start: number; end: number } | undefined {
  const [before, quote = ''] = /^href[\s\0]*=[\s\0]*(["']?)/i.exec(html.slice(start, end)) ?? [];
  return before === undefined ? undefined : { start: start + before.length, end: end - quote.length };
}

function image(url: string): string {
  return `<img src="${url}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`;
}
