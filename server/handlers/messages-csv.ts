import type { ExportRow } from '../store/rows.ts';

const COLUMNS = [
  'message_id',
  'custom_id',
  'recipient_email',
  'from_email',
  'subject',
  'domain_id',
  'account_id',
  'domain_name',
  'account_name',
  'created_at',
  'updated_at',
  'opened_at',
  'clicked_at',
  'unsubscribed_at',
  'delivery_status',
  'spam_complaint_at',
  'smtp_response',
] as const satisfies readonly (keyof ExportRow)[];

// Longer texts would be kept apart from the short-lived objects, where they stay in memory for longer.
const PIECE_CHARACTERS = 50_000;
const NEEDS_QUOTES = /[",\r\n]/;
const RUNS_AS_FORMULA = /^[=+\-@\t\r]/;

/**
 * The message log as CSV (RFC 4180): UTF-8, a header row, lines that end in CRLF, in pieces of some kilobytes.
 * A cell that a spreadsheet would run as a formula begins with an apostrophe instead.
 */
export async function* toCsv(pages: AsyncIterable<ExportRow[]>): AsyncGenerator<string> {
  // The header row waits for the first page: what fails at once can still be answered as a failure.
  let lines = `${COLUMNS.join(',')}\r\n`;
  for await (const rows of pages) {
    for (const row of rows) {
      lines += lineOf(row);
      if (lines.length < PIECE_CHARACTERS) continue;
      yield lines;
      lines = '';
    }
  }
  if (lines !== '') yield lines;
}

function lineOf(row: ExportRow): string {
  let line = '';
  for (const column of COLUMNS) line += `${line === '' ? '' : ','}${cell(row[column])}`;
  return `${line}\r\n`;
}

function cell(value: string | null): string {
  if (value === null || value === '') return '';
  const safe = RUNS_AS_FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
