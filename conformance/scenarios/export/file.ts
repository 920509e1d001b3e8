import fc from 'fast-check';
import { valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { accepted, mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';
import { sameMembers, show } from '../support/compare.ts';
import { holds, isFormula, parseCsv } from '../support/csv.ts';
import { exported, periodOf, search, searchable } from '../support/log.ts';
import { texts } from '../support/values.ts';

const COLUMNS =
  'message_id,custom_id,recipient_email,from_email,subject,domain_id,account_id,domain_name,account_name,created_at,updated_at,opened_at,clicked_at,unsubscribed_at,delivery_status,spam_complaint_at,smtp_response';
const MORE_THAN_A_PAGE = 34;
const AWKWARD = ['"', '""', ',', ';', "'", '","', 'a "quoted", word', '\\"', 'é,日本'];

/** The export as a file. */
export const file: readonly Check[] = [
  {
    id: 'export/is-csv',
    title: 'The export is a CSV file that begins with the names of the columns',
    async run(t) {
      const ids = await accepted(t, [mail(t)]);
      await searchable(t, 'listMessages', ids);
      const query = { message_id: ids[0] ?? '', ...(await periodOf(t, ids)) };
      const answer = await t.call('exportMessages', { query });
      const code = valueAt(answer.json, 'data.code');
      const isIdRefused = answer.status === 409 || answer.status === 422;
      t.require(
        'export.is-no-message-id',
        !isIdRefused,
        `"export" was taken for a message id: ${answer.status} ${code}`,
        answer,
      );
      const type = answer.headers['content-type'];
      const isCsv = answer.status === 200 && /^text\/csv(?:;|$)/i.test(type ?? '');
      t.require(
        'export.csv',
        isCsv,
        `expected a 200 with text/csv, got ${answer.status} with ${type}`,
        answer,
      );
      const csv = parseCsv(answer.text);
      const header = 'fault' in csv ? csv.fault : (csv.records[0] ?? []).join(',');
      t.require('export.columns', header === COLUMNS, `the columns are not those listed: ${header}`, answer);
    },
  },
  {
    id: 'export/is-not-paged',
    title: 'The export holds everything that matches, more than a page, whatever limit and offset say',
    async run(t) {
      const custom_id = t.unique('all');
      const sent = Array.from({ length: MORE_THAN_A_PAGE }, () => mail(t, { custom_id }));
      const ids = await accepted(t, sent);
      const [first = '', last = ''] = [ids[0], ids.at(-1)];
      await searchable(t, 'exportMessages', [first, last]);
      const query = { message_custom_id: custom_id, ...(await periodOf(t, [first, last])) };
      const found = await search(t, 'exportMessages', query);
      const message = `expected ${ids.length} messages, got ${found.length}`;
      t.require('export.no-paging', sameMembers(found, ids), message);
      const paged = await t.call('exportMessages', { query: { ...query, limit: 5, offset: 3 } });
      // Refusing what is not accepted is as good as ignoring it.
      if (paged.status !== 200) return;
      const csv = parseCsv(paged.text);
      const rows = 'fault' in csv ? 0 : csv.records.length - 1;
      t.require(
        'export.no-paging',
        rows === ids.length,
        `expected limit and offset to have no effect, got ${rows} messages of ${ids.length}`,
        paged,
      );
    },
  },
  {
    id: 'export/quoting',
    title:
      'Quotation marks, commas and other scripts come through the CSV as they were sent, with CR LF after each record',
    async run(t) {
      const words = fc.array(fc.constantFrom(...AWKWARD), { minLength: 1, maxLength: 4 });
      const awkward = words.map((parts) => `x ${parts.join(' ')}`);
      const subjects = fc.oneof(awkward, texts(60));
      await t.property(subjects, (subject) => comesThrough(t, subject), 10);
    },
  },
  {
    id: 'export/formulas-are-escaped',
    title: 'No cell of the export begins as a formula does',
    async run(t) {
      const start = fc.constantFrom('=', '+', '-', '@');
      const formulas = fc.tuple(start, fc.constantFrom('1+1', 'SUM(A1:A9)', 'cmd|" /C calc"!A0', ' 2'));
      await t.property(
        formulas.map((parts) => parts.join('')),
        async (subject) => {
          const [id = ''] = await accepted(t, [mail(t, { subject })]);
          const row = await rowOf(t, id);
          for (const [column, cell] of Object.entries(row))
            t.require(
              'export.formulas-are-escaped',
              !isFormula(cell),
              `a spreadsheet would run the cell ${show(cell)} of ${column}`,
            );
          const is = row.subject ?? '';
          const isThere = holds(is, subject);
          t.require(
            'export.formulas-are-escaped',
            isThere,
            `the subject ${show(subject)} became ${show(is)}`,
          );
        },
        6,
      );
    },
  },
];

async function comesThrough(t: Tester, subject: string): Promise<void> {
  const [id = ''] = await accepted(t, [mail(t, { subject })]);
  await searchable(t, 'listMessages', [id]);
  const query = { message_id: id, ...(await periodOf(t, [id])) };
  const records = await t.poll(async () => {
    const csv = parseCsv(await t.ok('exportMessages', 200, { query }));
    if ('fault' in csv) t.fail('export.rfc-4180', `with the subject ${show(subject)}, ${csv.fault}`);
    if (!csv.records[0]?.includes('subject')) throw new SetupFailed('the export does not name its columns');
    return csv.records.length > 1 ? csv.records : undefined;
  });
  const [header = [], row = []] = records ?? [];
  const isWhole = row.length === header.length;
  t.require('export.rfc-4180', isWhole, `${header.length} columns, and ${row.length} cells: ${show(row)}`);
  const cell = row[header.indexOf('subject')] ?? '';
  t.require('export.rfc-4180', holds(cell, subject), `the subject ${show(subject)} became ${show(cell)}`);
}

async function rowOf(t: Tester, id: string) {
  await searchable(t, 'exportMessages', [id]);
  const [row] = await exported(t, { message_id: id, ...(await periodOf(t, [id])) });
  return row ?? {};
}
