import { isUtf8 } from 'node:buffer';
import { ApiError } from '../domain/errors.ts';
import { BodyTooLargeError } from './body.ts';

// A million values take 60 MB once parsed; a body of 500 messages has some ten thousand.
const MAX_VALUES = 1_000_000;
const BYTE_ORDER_MARK = '\ufeff';
const WHITESPACE_ONLY = /^[ \t\r\n]*$/;
// Escapes that may spell `__proto__` or half of a surrogate pair: such a body is parsed with a closer look.
const SUSPICIOUS = /"(?:_|\\u005f){2}(?:p|\\u0070)|\\u[dD][89a-fA-F]/i;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/**
 * Parses the bytes of a body as JSON (RFC 8259) in strict UTF-8; a byte order mark is let pass. Keys named `__proto__` are left out.
 * @throws ApiError INVALID_JSON, also for an empty body and for half a surrogate pair; BodyTooLargeError for more than a million values.
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalid('the body is not valid UTF-8');
  // No shorter text can hold so many values.
  if (bytes.length > MAX_VALUES && countValues(bytes) > MAX_VALUES)
    throw new BodyTooLargeError('the body may have a million values at most');
  const decoded = bytes.toString();
  const text = decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded;
  if (WHITESPACE_ONLY.test(text)) throw invalid('the body is empty');
  try {
    const value: unknown = JSON.parse(text);
    if (SUSPICIOUS.test(text)) lookCloser(value);
    return value;
  } catch {
    // What the parser says repeats parts of the body, and no secret may come back.
    throw invalid('the body is not valid JSON');
  }
}

/** At most so many values stand in the text: one after each comma and opening bracket outside of strings. Strings are leapt over. */
function countValues(bytes: Buffer): number {
  let values = 1;
  for (let at = 0; at < bytes.length && values <= MAX_VALUES; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE) values += 1;
  }
  return values;
}

/** The position of the quote that ends the string, or of the end of the text. */
function endOfString(bytes: Buffer, start: number): number {
  let end = bytes.indexOf(QUOTE, start + 1);
  while (end > 0 && isEscaped(bytes, end)) end = bytes.indexOf(QUOTE, end + 1);
  return end < 0 ? bytes.length : end;
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let backslashes = 0;
  while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}

/** Takes out every key `__proto__`, and throws at half a surrogate pair. Without recursion: the nesting may be a million deep. */
function lookCloser(root: unknown): void {
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string' && !value.isWellFormed()) throw new SyntaxError('half a surrogate pair');
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
    for (const part of Object.values(value)) waiting.push(part);
  }
}

function invalid(description: string): ApiError {
  return new ApiError('INVALID_JSON', description);
}
