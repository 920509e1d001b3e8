import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ExportedMessage } from '../../generated/client.ts';
import { filters, matches, toQuery } from '../testing/message-filters.ts';
import { buildLog, HOSTILE_TEXTS, type LoggedMessage, type MessageLog } from '../testing/message-log.ts';
import { startApi, type TestApi } from '../testing.ts';

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
] as const;
const EVERYTHING = 'period_from=2000-01-01&period_to=2100-01-01';

let api: TestApi;
let log: MessageLog;

beforeAll(async () => {
  api = await startApi();
  await api.stopDelivery();
  log = await buildLog(api, 11);
});
afterAll(() => api.close());
afterEach(() => expect(api.takeFaults()).toEqual([]));

async function exported(query: string): Promise<{ text: string; headers: Headers }> {
  const { status, text, headers } = await log.owner.call('GET', `/v1/messages/export?${query}`);
  expect(status).toBe(200);
  return { text, headers };
}

/** The cells of a CSV file by a strict reading of RFC 4180. */
function cellsOf(text: string): string[][] {
  return parse(text, {
    record_delimiter: '\r\n',
    relax_quotes: false,
    relax_column_count: false,
    bom: false,
  });
}

/** What a spreadsheet would run gets an apostrophe before it; everything else stays as it is. */
const escaped = (value: string | null) => (/^[=+\-@\t\r]/.test(value ?? '') ? `'${value}` : (value ?? ''));
const expectedCells = ({ row }: LoggedMessage) => COLUMNS.map((column) => escaped(row[column]));

describe('the export', () => {
  it('is a CSV file with the documented columns, in UTF-8, each line ended by CRLF', async () => {
    const { text, headers } = await exported(EVERYTHING);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.csv"$/);
    expect(text.startsWith(`${COLUMNS.join(',')}\r\n`)).toBe(true);
    expect(text.endsWith('\r\n')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(cellsOf(text)).toEqual([[...COLUMNS], ...log.messages.map(expectedCells)]);
  });

  it('brings every text through, whatever a spreadsheet would make of it', async () => {
    const [, ...rows] = cellsOf((await exported(EVERYTHING)).text);
    const subjects = new Set(rows.map((cells) => cells[COLUMNS.indexOf('subject')]));
    expect(subjects).toEqual(new Set(HOSTILE_TEXTS.map(escaped)));
    for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
  });

  it('has what the list has, for every filter', async () => {
    const now = api.clock.now();
    await fc.assert(
      fc.asyncProperty(filters(log), async (filter) => {
        const [header, ...rows] = cellsOf((await exported(String(toQuery(filter)))).text);
        const expected = log.messages.filter((message) => matches(message, filter, now));
        expect(header).toEqual(COLUMNS);
        expect(rows).toEqual(expected.map(expectedCells));
        const list = await log.owner.call('GET', `/v1/messages?${toQuery(filter)}&limit=1000`);
        const ids = (list.data as { message_id: string }[]).map((row) => row.message_id);
        expect(rows.map(([id]) => id)).toEqual(ids);
      }),
      { numRuns: 60 },
    );
  });

  it('is read by the client as what the list shows, with the last reply', async () => {
    const { client } = log.owner;
    const query = { period_from: '2000-01-01', period_to: '2100-01-01' };
    // The one text that the file does not tell from an escaped one.
    const asRead = (text: string) => (text === "'=1" ? '=1' : text);
    const expected: ExportedMessage[] = [];
    for await (const message of client.listMessages.all({ query: { ...query, limit: 50 } })) {
      const smtp_response = log.messages[expected.length]?.row.smtp_response || null;
      const texts = { subject: asRead(message.subject), custom_id: asRead(message.custom_id) };
      expected.push({ ...message, ...texts, smtp_response });
    }
    const rows = [];
    for await (const row of client.exportMessages.rows({ query })) rows.push(row);
    expect(rows.length).toBeGreaterThan(100);
    expect(rows).toEqual(expected);
  });

  it('is a header row when nothing matches', async () => {
    expect((await exported('message_custom_id=nothing')).text).toBe(`${COLUMNS.join(',')}\r\n`);
  });

  it('knows no pages: limit and offset are ignored', async () => {
    const all = (await exported(EVERYTHING)).text;
    expect((await exported(`${EVERYTHING}&limit=1&offset=5`)).text).toBe(all);
    expect((await exported(`${EVERYTHING}&limit=none`)).text).toBe(all);
  });

  it('goes on where a page of rows ends, also between messages of one moment', async () => {
    const { client, call, account } = await api.createTenant('bulk.test');
    const { data: sent } = await client.sendEmail({
      body: [
        {
          from: { email: 'a@bulk.test' },
          to: [{ email: 'ada@customer.test' }],
          subject: 'x',
          body: { text: 'x' },
        },
      ],
    });
    // Several pages more, all of the same moment.
    await sql`
      insert into messages (message_id, organisation_id, account_id, domain_id, custom_id, recipient_email, from_email,
        subject, track_opens, track_clicks, created_at, updated_at, delivery_status, event_mask)
      select gen_random_uuid(), organisation_id, account_id, domain_id, 'copy', recipient_email, from_email,
        subject, track_opens, track_clicks, created_at, updated_at, delivery_status, event_mask
      from messages, generate_series(1, 6000) where message_id = ${sent[0]?.message_id}`.execute(
      api.database.db,
    );
    const { text } = await call('GET', '/v1/messages/export', {
      query: { 'account_ids[]': account.account_id },
    });
    const [, ...rows] = cellsOf(text);
    const ids = rows.map(([id = '']) => id);
    expect(ids).toHaveLength(6001);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
  });

  it('that fails at once is a 500, and no beginning of a file', async () => {
    const { db } = api.database;
    await sql`alter table messages rename column smtp_response to lost`.execute(db);
    try {
      const { status, code } = await log.owner.call('GET', `/v1/messages/export?${EVERYTHING}`);
      expect([status, code]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
      expect(api.takeFaults()).toHaveLength(1);
    } finally {
      await sql`alter table messages rename column lost to smtp_response`.execute(db);
    }
    expect(cellsOf((await exported(EVERYTHING)).text)).toHaveLength(log.messages.length + 1);
  });
});
