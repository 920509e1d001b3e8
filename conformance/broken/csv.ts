import type { World } from './state.ts';

const FORMULA = /^[=+\-@\t\r]/;

/** Lines and cells as RFC 4180 has them. A cell that a spreadsheet would run gets an apostrophe before it. */
export function toCsv(world: World, rows: readonly (readonly string[])[]): string {
  const separator = world.has('export.semicolons') ? ';' : ',';
  const lineEnd = world.has('export.line-feeds') ? '\n' : '\r\n';
  return rows.map((row) => row.map((cell) => toCell(world, cell)).join(separator) + lineEnd).join('');
}

function toCell(world: World, text: string): string {
  const safe = FORMULA.test(text) && !world.has('export.formula-unescaped') ? `'${text}` : text;
  if (!/[",\r\n]/.test(safe) || world.has('export.unquoted')) return safe;
  return world.has('export.quotes-not-doubled') ? `"${safe}"` : `"${safe.replaceAll('"', '""')}"`;
}
