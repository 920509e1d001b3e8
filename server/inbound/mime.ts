import { fromQuotedPrintable, inCharset } from './charset.ts';
import { type Header, headerValue, readHeaders } from './headers.ts';

/** A part of a mail (RFC 2045). A message that is enclosed (`message/rfc822`) is not looked into: it is a leaf. */
export interface MimePart {
  headers: readonly Header[];
  /** In lower case, such as `message/delivery-status`; `text/plain` when nothing readable is said. */
  type: string;
  /** The text with its transfer encoding and character set undone; empty for a multipart. */
  text: string;
  /** The parts of a multipart, in order. */
  parts: readonly MimePart[];
}

// Reports have three parts, on one level. What lies deeper or comes later is left out.
const DEEPEST = 8;
const MOST_PARTS = 100;
const LONGEST_BOUNDARY = 200;

/**
 * Reads a mail as well as it can be read: bare line ends, a boundary that is not announced, a part that is cut off.
 * Whatever the bytes are, it throws nothing, and its work is bounded by their number.
 */
export function readMime(raw: Uint8Array): MimePart {
  // One character for each byte, until the character set of a part is known.
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1');
  const lines = text.replace(/^From [^\r\n]*\r?\n/, '').split(/\r\n|\n|\r/);
  return readPart(lines, DEEPEST, { parts: MOST_PARTS });
}

/** Every part that is no multipart, in order. */
export function leaves(part: MimePart): MimePart[] {
  return part.parts.length === 0 ? [part] : part.parts.flatMap(leaves);
}

function readPart(lines: readonly string[], depth: number, left: { parts: number }): MimePart {
  left.parts -= 1;
  const { headers, body } = readHeaders(lines);
  const contentType = headerValue(headers, 'content-type');
  const type = typeOf(contentType);
  if (type.startsWith('multipart/') && depth > 0) {
    const boundary = parameterOf(contentType, 'boundary') ?? guessBoundary(body);
    const parts = boundary === undefined ? [] : readParts(body, boundary, depth, left);
    if (parts.length > 0) return { headers, type, text: '', parts };
  }
  return { headers, type, text: readText(body, headers, contentType), parts: [] };
}

function readParts(
  body: readonly string[],
  boundary: string,
  depth: number,
  left: { parts: number },
): MimePart[] {
  const parts: MimePart[] = [];
  for (const lines of splitAt(body, boundary)) {
    if (left.parts <= 0) break;
    parts.push(readPart(lines, depth - 1, left));
  }
  return parts;
}

/** The lines between the delimiters; what stands before the first is for readers without MIME. */
function splitAt(lines: readonly string[], boundary: string): string[][] {
  const delimiter = `--${boundary}`;
  const parts: string[][] = [];
  for (const line of lines) {
    if (line.startsWith(delimiter)) {
      const rest = line.slice(delimiter.length).trim();
      if (rest === '--') break;
      if (rest === '') {
        parts.push([]);
        continue;
      }
    }
    parts.at(-1)?.push(line);
  }
  return parts;
}

/** A line that begins with two hyphens and is followed by a header: what a server meant that forgot to say its boundary. */
function guessBoundary(lines: readonly string[]): string | undefined {
  const at = lines.findIndex(
    (line, index) => /^--\S/.test(line) && /^content-[a-z-]+:/i.test(lines[index + 1] ?? ''),
  );
  const [, boundary] = /^--(\S+)/.exec(lines[at]?.slice(0, LONGEST_BOUNDARY) ?? '') ?? [];
  return boundary;
}

function typeOf(contentType: string): string {
  return /^\s*([\w.+-]+\/[\w.+-]+)/.exec(contentType)?.[1]?.toLowerCase() ?? 'text/plain';
}

function parameterOf(value: string, name: string): string | undefined {
  for (const [, key, quoted, plain] of value.matchAll(
    /;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/g,
  )) {
    if (key?.toLowerCase() === name) return quoted?.replace(/\\(.)/g, '$1') ?? plain;
  }
  return undefined;
}

function readText(lines: readonly string[], headers: readonly Header[], contentType: string): string {
  const encoding = headerValue(headers, 'content-transfer-encoding').trim().toLowerCase();
  return inCharset(decode(lines, encoding), parameterOf(contentType, 'charset'));
}

function decode(lines: readonly string[], encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(lines.join(''), 'base64');
  if (encoding === 'quoted-printable') return fromQuotedPrintable(lines.join('\n'));
  return Buffer.from(lines.join('\n'), 'latin1');
}
