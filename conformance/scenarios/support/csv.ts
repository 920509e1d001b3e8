/** The records of a CSV file, or what is not as RFC 4180 has it. */
export type Csv = { readonly records: readonly (readonly string[])[] } | { readonly fault: string };

const BYTE_ORDER_MARK = '\ufeff';
// A cell (RFC 4180, section 2, 5 to 7), and what follows it.
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y;
const FORMULA = /^[=+\-@\t\r]/;

/** Reads a CSV file strictly: commas, CR LF after a record (the last may lack it), quotes around what needs them. */
export function parseCsv(file: string): Csv {
  const text = file.startsWith(BYTE_ORDER_MARK) ? file.slice(1) : file;
  const records: string[][] = [];
  let record: string[] = [];
  for (let at = 0; at < text.length; ) {
    CELL.lastIndex = at;
    const match = CELL.exec(text);
    const [whole = '', quoted, bare = '', end = ''] = match ?? [];
    if (match === null) return { fault: `record ${records.length + 1} is malformed at ${shown(text, at)}` };
    record.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (end === ',' && at < text.length) continue;
    if (end === ',') record.push('');
    records.push(record);
    record = [];
  }
  return { records };
}

/** Whether a spreadsheet would run the cell. */
export function isFormula(cell: string): boolean {
  return FORMULA.test(cell);
}

/** Whether the cell holds the text: as it is, or made harmless by what stands before it when it would be a formula. */
export function holds(cell: string, text: string): boolean {
  return cell === text || (isFormula(text) && cell.endsWith(text));
}

function shown(text: string, at: number): string {
  return JSON.stringify(text.slice(at, at + 40));
}
