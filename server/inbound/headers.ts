/** A header field, its name in lower case and its value on one line. */
export interface Header {
  name: string;
  value: string;
}

const MOST_FIELDS = 500;
const LONGEST_VALUE = 16_384;
const FIELD = /^([!-9;-~]{1,100})[ \t]*:[ \t]*(.*)$/s;

/**
 * Reads a header block (RFC 5322, 2.2) up to the empty line that ends it, and gives the lines after it. Lines that no header
 * has are passed over; when the very first is none, there is no header block at all. Of an endless one the beginning counts.
 */
export function readHeaders(lines: readonly string[]): { headers: Header[]; body: readonly string[] } {
  const headers: Header[] = [];
  if (lines[0] !== '' && !FIELD.test(lines[0] ?? '')) return { headers, body: lines };
  let end = 0;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? '';
    if (line === '') break;
    readLine(headers, line);
  }
  return { headers, body: lines.slice(end + 1) };
}

function readLine(headers: Header[], line: string): void {
  const last = headers.at(-1);
  if (/^[ \t]/.test(line)) {
    if (last !== undefined && last.value.length < LONGEST_VALUE) {
      // Patterns are looked for in it, which costs as much as it is long.
      last.value = `${last.value} ${line.slice(0, LONGEST_VALUE).trim()}`.slice(0, LONGEST_VALUE);
    }
    return;
  }
  const [, name, value = ''] = FIELD.exec(line.slice(0, LONGEST_VALUE)) ?? [];
  if (name !== undefined && headers.length < MOST_FIELDS) {
    headers.push({ name: name.toLowerCase(), value: value.trim() });
  }
}

/** The value of the first field of that name; empty when there is none. */
export function headerValue(headers: readonly Header[], name: string): string {
  return headers.find((header) => header.name === name)?.value ?? '';
}

/** The values of all fields of that name. */
export function headerValues(headers: readonly Header[], name: string): string[] {
  return headers.filter((header) => header.name === name).map(({ value }) => value);
}
