import { rowsOf } from '../generated/client-csv.ts';
import type { Asked } from './asked.ts';
import type { KnownThings } from './known.ts';
import { pageOf } from './page.ts';

const LINE_END = '\r\n';

/** The example of an export with the lines of those messages that pass the filters. No cell of the example goes over the end of a line. */
export async function* exportOf(text: string, asked: Asked, known: KnownThings): AsyncGenerator<string> {
  const [header, ...lines] = text.trimEnd().split(LINE_END);
  const table: string[][] = [];
  for await (const cells of rowsOf(once(text))) table.push(cells);
  const [columns = [], ...rows] = table;
  const messages = rows.map((cells, index) => {
    const message = Object.fromEntries(columns.map((name, at) => [name, cells[at]]));
    return { ...message, line: lines[index] };
  });
  yield `${header}${LINE_END}`;
  for (const { line } of pageOf(messages, {}, asked, known).data) yield `${line}${LINE_END}`;
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
