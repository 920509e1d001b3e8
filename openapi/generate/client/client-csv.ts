// Template: generated/client-csv.ts is made from this file.
import type { ExportedMessage } from './client-types.ts';

/** The columns of the export; those that are null in the list of messages are empty in the file. */
const COLUMNS: Record<keyof ExportedMessage, 'text' | 'nullable'> = {
  message_id: 'text',
  custom_id: 'text',
  recipient_email: 'text',
  from_email: 'text',
  subject: 'text',
  domain_id: 'text',
  account_id: 'text',
  domain_name: 'text',
  account_name: 'text',
  created_at: 'text',
  updated_at: 'text',
  opened_at: 'nullable',
  clicked_at: 'nullable',
  unsubscribed_at: 'nullable',
  delivery_status: 'text',
  spam_complaint_at: 'nullable',
  smtp_response: 'nullable',
};

/** A cell with the delimiter behind it, quoted or not (RFC 4180, section 2). */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n)/y;
// What a spreadsheet would run has an apostrophe before it.
const ESCAPED_FORMULA = /^'(?=[=+\-@\t\r])/;
// Far more than any cell of an export; without a bound, one quote that is never closed would fill the memory.
const LONGEST_CELL = 1_000_000;

/**
 * The text of a stream in UTF-8, chunk by chunk, without a byte order mark. Leaving the loop early closes the connection, and so does
 * the signal, read or not: that of fetch does nothing any more once its request was collected as garbage.
 */
export function textOf(
  stream: ReadableStream<Uint8Array> | null | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  const reader = (stream ?? new Blob().stream()).getReader();
  const stop = (): void => {
    reader.cancel(signal?.reason).catch(() => {});
  };
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  return decoded(reader, signal, () => signal?.removeEventListener('abort', stop));
}

async function* decoded(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal | undefined,
  close: () => void,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      const text = decoder.decode(value, { stream: !done });
      if (text) yield text;
      if (done) return;
    }
  } finally {
    close();
    await reader.cancel();
  }
}

/**
 * The messages of an export, one at a time; no more than a chunk of the file is in memory.
 *
 * Cells are what they were before the file was made safe for spreadsheets.
 *
 * @throws Error when the text is not the export, or ends in the middle of a line.
 */
export async function* messagesOf(
  text: AsyncIterable<string>,
): AsyncGenerator<ExportedMessage, void, undefined> {
  let layout: Layout | undefined;
  let line = 0;
  for await (const cells of rowsOf(text)) {
    line += 1;
    if (!layout) layout = layoutOf(cells);
    else yield messageOf(layout, cells, line);
  }
}

/** How many cells a line has, and where each column is among them; unknown columns are left out. */
interface Layout {
  width: number;
  columns: { name: string; index: number; nullable: boolean }[];
}

function layoutOf(header: string[]): Layout {
  const columns = Object.entries(COLUMNS).map(([name, kind]) => {
    return { name, index: header.indexOf(name), nullable: kind === 'nullable' };
  });
  const missing = columns.filter(({ index }) => index < 0).map(({ name }) => name);
  if (missing.length > 0) throw new Error(`The export lacks the columns ${missing.join(', ')}.`);
  return { width: header.length, columns };
}

function messageOf({ width, columns }: Layout, cells: string[], line: number): ExportedMessage {
  if (cells.length !== width) {
    throw new Error(`Row ${line} of the export has ${cells.length} cells instead of ${width}.`);
  }
  const entries = columns.map(({ name, index, nullable }) => {
    const cell = cells[index] ?? '';
    return [name, nullable && cell === '' ? null : cell.replace(ESCAPED_FORMULA, '')];
  });
  return Object.fromEntries(entries) as ExportedMessage;
}

/** The rows of a CSV text, wherever it is cut into chunks. */
export async function* rowsOf(text: AsyncIterable<string>): AsyncGenerator<string[], void, undefined> {
  let rest = '';
  let row: string[] = [];

  // Takes the cells whose delimiter has arrived, so that a quote or a line end on a border is seen whole.
  function* complete(): Generator<string[]> {
    let end = 0;
    for (;;) {
      CELL.lastIndex = end;
      const match = CELL.exec(rest);
      if (!match) break;
      end = CELL.lastIndex;
      row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
      if (match[3] === ',') continue;
      const done = row;
      row = [];
      yield done;
    }
    rest = rest.slice(end);
  }

  for await (const chunk of text) {
    rest += chunk;
    yield* complete();
    if (rest.length > LONGEST_CELL) throw new Error('The export is not CSV as of RFC 4180.');
  }
  // The last line may lack its end (RFC 4180, section 2.2).
  if (rest !== '' || row.length > 0) rest += '\n';
  yield* complete();
  if (rest !== '') throw new Error('The export breaks off inside a quoted cell.');
}
