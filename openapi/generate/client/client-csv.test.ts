import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, createClient, type ExportedMessage } from './client.ts';
import { messagesOf, rowsOf } from './client-csv.ts';
import { collect, refusal, type Service, startService } from './test-service.ts';

const message: ExportedMessage = {
  message_id: '1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812',
  custom_id: 'order-10042',
  recipient_email: 'ada@customer.test',
  from_email: 'hello@demo.test',
  subject: 'Your order 10042',
  domain_id: 'd40b7e9a-1c25-4a86-b3f7-2e8d5f609c14',
  account_id: '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3',
  domain_name: 'demo.test',
  account_name: 'Shop orders',
  created_at: '2026-03-14T09:26:53.589793+00:00',
  updated_at: '2026-03-14T09:31:22.518060+00:00',
  opened_at: null,
  clicked_at: null,
  unsubscribed_at: null,
  delivery_status: 'delivery',
  spam_complaint_at: null,
  smtp_response: '250 2.0.0 OK queued as 4F2E81C03A',
};

async function* inPieces<T>(...pieces: T[]): AsyncGenerator<T> {
  yield* pieces;
}

/** What the contract says that the file is: an apostrophe before what would run as a formula, quotes where RFC 4180 asks for them. */
function written(messages: ExportedMessage[]): string {
  const cellOf = (value: string | null): string => {
    const safe = /^[=+\-@\t\r]/.test(value ?? '') ? `'${value}` : (value ?? '');
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const lines = messages.map((row) => Object.values({ ...message, ...row }).map(cellOf));
  return [Object.keys(message), ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

let service: Service | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

async function clientFor(body: string, options: Partial<ClientOptions> = {}) {
  service = await startService(() => ({ status: 200, body, headers: { 'content-type': 'text/csv' } }));
  return createClient({ baseUrl: service.baseUrl, accessToken: 't', ...options });
}

describe('the export as text', () => {
  test('arrives letters whole', async () => {
    const csv = `message_id,subject\r\n${'é€😀'.repeat(50_000)}\r\n`;
    const { data } = await (await clientFor(csv)).exportMessages();
    expect((await collect(data)).join('')).toBe(csv);
  });

  test('is refused like any other call', async () => {
    service = await startService(() => refusal(401, 'INVALID_CREDENTIALS'));
    const client = createClient({ baseUrl: service.baseUrl, accessToken: 't' });
    await expect(client.exportMessages()).rejects.toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' });
    await expect(client.exportMessages.rows().next()).rejects.toMatchObject({ status: 401 });
  });
});

describe('the export as messages', () => {
  test('gives each as it is in the list, and asks with the filters', async () => {
    const opened = {
      ...message,
      custom_id: '',
      opened_at: '2026-03-14T09:31:07.004512+00:00',
      smtp_response: null,
    };
    const client = await clientFor(written([message, opened]));
    const rows = await collect(client.exportMessages.rows({ query: { 'events[]': ['open', 'click'] } }));
    expect(rows).toEqual([message, opened]);
    expect(service?.calls[0]?.url.searchParams.getAll('events[]')).toEqual(['open', 'click']);
  });

  test('gives none for an export without messages', async () => {
    expect(await collect(messagesOf(inPieces(written([]))))).toEqual([]);
  });

  test('takes back what was done to the cells for spreadsheets', async () => {
    const subjects = [
      '=1+1',
      '+49 30 1234',
      '-50 % today',
      '@everyone',
      '\tindented',
      "it's",
      "'quoted'",
      "'",
    ];
    const csv = written(subjects.map((subject) => ({ ...message, subject })));
    const rows = await collect(messagesOf(inPieces(csv)));
    expect(rows.map(({ subject }) => subject)).toEqual(subjects);
    // The one text that the file does not tell from an escaped one.
    const ambiguous = written([{ ...message, subject: "'=1" }]);
    expect((await collect(messagesOf(inPieces(ambiguous))))[0]?.subject).toBe('=1');
  });

  test('finds the columns by their names, wherever they are, and skips those it does not know', async () => {
    const entries = Object.entries({ later: 'x', ...message }).reverse();
    const csv = [entries.map(([name]) => name), entries.map(([, value]) => value ?? '')]
      .map((cells) => cells.join(','))
      .join('\r\n');
    expect(await collect(messagesOf(inPieces(csv)))).toEqual([message]);
  });

  test.each<[string, (csv: string) => string, string]>([
    ['lacks a column', (csv) => csv.replace(',subject,', ',title,'), 'lacks the columns subject'],
    ['is a page', () => '<!doctype html>\n<title>Sign in</title>\n', 'lacks the columns message_id'],
    ['has a cell too many', (csv) => `${csv}a${','.repeat(17)}\r\n`, 'Row 3 of the export has 18 cells'],
    ['has a cell too few', (csv) => `${csv}a,b\r\n`, 'Row 3 of the export has 2 cells'],
    ['ends in the middle of a line', (csv) => csv.slice(0, -60), 'cells instead of 17'],
    ['ends in a quoted cell', (csv) => `${csv}"a,b\r\n`, 'breaks off inside a quoted cell'],
    ['has a quote inside a cell', (csv) => `${csv}a"b,c\r\n`, 'breaks off'],
  ])('says so when the file %s', async (_what, spoil, complaint) => {
    const csv = spoil(written([message]));
    await expect(collect(messagesOf(inPieces(csv)))).rejects.toThrow(complaint);
  });

  test('gives up a quote that is never closed before it has filled the memory', async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<string> {
      yield '"';
      while (sent < 5_000_000) {
        sent += 100_000;
        yield 'x'.repeat(100_000);
      }
    }
    await expect(collect(rowsOf(endless()))).rejects.toThrow('RFC 4180');
    expect(sent).toBeLessThan(2_000_000);
  });
});

describe('the rows of a CSV text', () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', 'é', '😀', '"', ',', '\r', '\n', ' ', "'"),
    maxLength: 8,
  });
  const table = fc
    .integer({ min: 2, max: 4 })
    .chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
    );
  const quoted = (text: string, always: boolean): string =>
    always || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

  test('are those of another reader, wherever the text is cut, with CRLF or LF, quoted or not', async () => {
    const cases = fc.record({
      rows: table,
      lineEnd: fc.constantFrom('\r\n', '\n'),
      always: fc.boolean(),
      endsInLine: fc.boolean(),
      cuts: fc.array(fc.nat({ max: 200 }), { maxLength: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ rows, lineEnd, always, endsInLine, cuts }) => {
        const lines = rows.map((cells) => cells.map((text) => quoted(text, always)).join(','));
        const text = lines.join(lineEnd) + (endsInLine ? '' : lineEnd);
        const at = [0, ...cuts.sort((a, b) => a - b), text.length].map((cut) => Math.min(cut, text.length));
        const pieces = at.slice(1).map((cut, index) => text.slice(at[index], cut));
        expect(await collect(rowsOf(inPieces(...pieces)))).toEqual(rows);
        expect(parse(text, { record_delimiter: lineEnd })).toEqual(rows);
      }),
    );
  });

  test('begin after a byte order mark, and their letters may be cut in the middle', async () => {
    const bytes = Buffer.from(`\uFEFF${written([{ ...message, subject: '€ "😀"\r\nfor you' }])}`);
    const server = createServer(async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).flushHeaders();
      for (const byte of bytes) {
        response.write(Uint8Array.of(byte));
        await new Promise(setImmediate);
      }
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const rows = await collect(createClient({ baseUrl, accessToken: 't' }).exportMessages.rows());
    expect(rows).toEqual([{ ...message, subject: '€ "😀"\r\nfor you' }]);
    server.close();
  });
});

describe('a long download', () => {
  /** An export without an end; tells when whoever reads it has gone, and how much was written until then. */
  async function endlessExport() {
    const [header, row] = written([message]).split('\r\n');
    const lines = `${row}\r\n`.repeat(500);
    let bytes = 0;
    const gone = Promise.withResolvers<number>();
    const server = createServer(async (_request, response) => {
      response.on('close', () => gone.resolve(bytes));
      response.writeHead(200, { 'content-type': 'text/csv' });
      response.write(`${header}\r\n`);
      while (!response.destroyed) {
        bytes += lines.length;
        if (!response.write(lines)) await Promise.race([once(response, 'drain'), gone.promise]);
      }
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = createClient({ baseUrl, accessToken: 't' });
    return { client, gone: gone.promise, close: () => server.close() };
  }

  test('is ended by leaving the loop, and no faster than it is read', async () => {
    const { client, gone, close } = await endlessExport();
    let seen = 0;
    for await (const row of client.exportMessages.rows()) {
      expect(row.message_id).toBe(message.message_id);
      seen += 1;
      if (seen === 5_000) break;
    }
    // 5,000 rows are about 1.7 MB; the rest is what sockets and streams hold.
    expect(await gone).toBeLessThan(30_000_000);
    close();
  });

  test('is ended by the signal, as is the loop', async () => {
    const { client, gone, close } = await endlessExport();
    const controller = new AbortController();
    const reading = (async () => {
      let seen = 0;
      for await (const _row of client.exportMessages.rows({ signal: controller.signal })) {
        seen += 1;
        if (seen === 1_000) controller.abort(new Error('left'));
      }
    })();
    await expect(reading).rejects.toThrow('left');
    await gone;
    close();
  });

  test.each(['before', 'while'])(
    'is ended by the signal %s it is read, even if the body knows nothing of it',
    async (moment) => {
      // As in Node, where the signal of a request is forgotten once the request was collected as garbage.
      const cancel = vi.fn();
      const pull = (controller: ReadableStreamDefaultController): void =>
        controller.enqueue(new TextEncoder().encode(written([message])));
      const fetch = async (): Promise<Response> =>
        new Response(new ReadableStream({ pull, cancel }), { headers: { 'content-type': 'text/csv' } });
      const client = createClient({ baseUrl: 'http://service.test', accessToken: 't', fetch });
      const controller = new AbortController();
      const left = new Error('left');
      const { data } = await client.exportMessages({ signal: controller.signal });
      if (moment === 'before') controller.abort(left);
      const reading = (async () => {
        for await (const _text of data) controller.abort(left);
      })();
      await expect(reading).rejects.toBe(left);
      expect(cancel).toHaveBeenCalledExactlyOnceWith(left);
    },
  );

  test('that breaks off is not taken for a whole one', async () => {
    const csv = written(Array(50).fill(message));
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv', 'content-length': csv.length * 2 });
      response.write(csv, () => response.destroy());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(
      collect(createClient({ baseUrl, accessToken: 't' }).exportMessages.rows()),
    ).rejects.toThrow();
    server.close();
  });
});
