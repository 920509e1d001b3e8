import { show } from './compare.ts';
import { holds } from './csv.ts';
import type { LoggedMessage, Row } from './log.ts';
import { isSameMoment } from './moments.ts';

/** How the lines of an export differ from the messages of a list, in any order; '' when they say the same. */
export function rowDifference(messages: readonly LoggedMessage[], rows: readonly Row[]): string {
  const byId = new Map(rows.map((row) => [row.message_id, row]));
  if (rows.length !== messages.length) return `${messages.length} messages, and ${rows.length} lines`;
  const found = messages.map((message) => {
    const row = byId.get(message.message_id);
    if (row === undefined) return `there is no line for ${message.message_id}`;
    const wrong = Object.entries(message).find(([name, value]) => !isSame(row[name], value));
    return wrong === undefined
      ? ''
      : `${wrong[0]} is ${show(wrong[1])}, and ${show(row[wrong[0]])} in the file`;
  });
  return found.find((difference) => difference !== '') ?? '';
}

// A field that the list has beyond the contract need not be a column.
function isSame(cell: string | undefined, value: unknown): boolean {
  if (cell === undefined || value === null) return (cell ?? '') === '' || cell === undefined;
  const text = String(value);
  return holds(cell, text) || (isTime(cell) && isTime(text) && isSameMoment(cell, text));
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/i.test(text);
}
