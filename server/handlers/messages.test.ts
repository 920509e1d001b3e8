import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Filter, filters, matches, toQuery } from '../testing/message-filters.ts';
import { buildLog, type LoggedMessage, type MessageLog } from '../testing/message-log.ts';
import { startApi, type TestApi, type TestUser } from '../testing.ts';

let api: TestApi;
let log: MessageLog;

beforeAll(async () => {
  api = await startApi();
  await api.stopDelivery();
  log = await buildLog(api);
});
afterAll(() => api.close());
afterEach(() => expect(api.takeFaults()).toEqual([]));

interface Row {
  message_id: string;
  created_at: string;
}

async function get(path: string, { call }: Pick<TestUser, 'call'> = log.owner) {
  const { status, headers, data, meta, code } = await call('GET', path);
  return { status, headers, data: data as Row[], meta: meta as { total: number }, code };
}
const shown = ({ row: { smtp_response: _export, ...row } }: LoggedMessage) => row;
const errorOf = async (path: string) => {
  const { status, code } = await get(path);
  return [status, code];
};

/** Every page of the list, one after the other. */
async function readAll(query: URLSearchParams, limit: number) {
  const rows: Row[] = [];
  let total: number | undefined;
  for (let offset = 0; total === undefined || offset < total; offset += limit) {
    const { status, data, meta } = await get(`/v1/messages?${query}&limit=${limit}&offset=${offset}`);
    expect([status, meta]).toEqual([200, expect.objectContaining({ limit, offset })]);
    total ??= meta.total;
    expect(meta.total).toBe(total);
    expect(data.length).toBe(Math.min(limit, Math.max(0, meta.total - offset)));
    rows.push(...data);
  }
  return { rows, total };
}

describe('the list', () => {
  const everything = new URLSearchParams({ period_from: '2000-01-01', period_to: '2100-01-01' });

  it('shows every message as it is, newest first, the ids deciding under equal moments', async () => {
    const { rows } = await readAll(everything, 1000);
    expect(rows).toEqual(log.messages.map(shown));
    const moments = rows.map((row) => row.created_at);
    expect(new Set(moments).size).toBeLessThan(moments.length);
  });

  it('has no gaps and no repetitions between pages of whatever size', async () => {
    for (const limit of [1, 7, 30, 64]) {
      const { rows, total } = await readAll(everything, limit);
      expect(total).toBe(log.messages.length);
      expect(rows).toEqual(log.messages.map(shown));
    }
  });

  it('begins with 30, and has pages beyond its end', async () => {
    const { data, meta } = await get(`/v1/messages?${everything}`);
    expect(data).toEqual(log.messages.slice(0, 30).map(shown));
    expect(meta).toMatchObject({ limit: 30, offset: 0, total: log.messages.length });
    const beyond = await get(`/v1/messages?${everything}&offset=${log.messages.length + 5}`);
    expect([beyond.data, beyond.meta.total]).toEqual([[], log.messages.length]);
  });

  it('answers every filter, alone and with another, as the record says', async () => {
    const now = api.clock.now();
    await fc.assert(
      fc.asyncProperty(filters(log), fc.integer({ min: 1, max: 90 }), async (filter: Filter, limit) => {
        const expected = log.messages.filter((message) => matches(message, filter, now)).map(shown);
        const { rows, total } = await readAll(toQuery(filter), limit);
        expect(total).toBe(expected.length);
        expect(rows).toEqual(expected);
      }),
      { numRuns: 250 },
    );
  });

  it('takes `unsibscribe` and `unsubscribe` for the same', async () => {
    const expected = log.messages.filter(({ events }) => events.some(({ type }) => type === 'unsubscribe'));
    expect(expected.length).toBeGreaterThan(0);
    for (const spelling of [['unsibscribe'], ['unsubscribe'], ['unsibscribe', 'unsubscribe']]) {
      const query = new URLSearchParams([...everything, ...spelling.map((type) => ['events[]', type])] as [
        string,
        string,
      ][]);
      expect((await readAll(query, 1000)).rows).toEqual(expected.map(shown));
    }
  });

  it('shows the last 60 days unless a period is given', async () => {
    const old = log.messages.filter(
      ({ row }) => Date.parse(row.created_at) < api.clock.epochMs() - 61 * 86_400_000,
    );
    expect(old.length).toBeGreaterThan(0);
    const { rows } = await readAll(new URLSearchParams(), 1000);
    expect(rows).toEqual(log.messages.filter((message) => !old.includes(message)).map(shown));
  });

  it('sees one organisation only', async () => {
    const { data } = await get(`/v1/messages?${everything}`, log.foreign.owner);
    expect(data.map((row) => row.message_id)).toEqual([log.foreign.messageId]);
  });

  it('knows ids that are unknown, foreign or malformed, and those of a deleted domain', async () => {
    const nobody = randomUUID();
    const { account, domainId } = log.foreign;
    const gone = log.domains.at(-1);
    for (const list of ['/v1/messages', '/v1/messages/export']) {
      expect(await errorOf(`${list}?account_ids[]=${nobody}`)).toEqual([409, 'ACCOUNT_NOT_FOUND']);
      expect(await errorOf(`${list}?domain_ids[]=${nobody}`)).toEqual([409, 'DOMAIN_NOT_FOUND']);
      expect(
        await errorOf(`${list}?account_ids[]=${log.accounts[0]?.id}&account_ids[]=${account.account_id}`),
      ).toEqual([403, 'ACCESS_DENIED']);
      expect(await errorOf(`${list}?domain_ids[]=${domainId}`)).toEqual([403, 'ACCESS_DENIED']);
      expect(await errorOf(`${list}?message_id=${log.foreign.messageId}`)).toEqual([403, 'ACCESS_DENIED']);
      expect(await errorOf(`${list}?domain_ids[]=${domainId}&period_from=yesterday`)).toEqual([
        422,
        'VALIDATION_ERROR',
      ]);
      expect(await errorOf(`${list}?message_id=export`)).toEqual([422, 'VALIDATION_ERROR']);
      expect((await get(`${list}?message_id=${nobody}`)).status).toBe(200);
      expect((await get(`${list}?domain_ids[]=${gone?.id}`)).status).toBe(200);
    }
  });
});

describe('one message', () => {
  it('is what the list shows', async () => {
    for (const message of log.messages.slice(0, 20)) {
      const { status, data } = await get(`/v1/messages/${message.row.message_id}`);
      expect([status, data]).toEqual([200, shown(message)]);
    }
  });

  it.each(['', '/events'])('that is unknown is 409, foreign 403, malformed 422 (%s)', async (suffix) => {
    expect(await errorOf(`/v1/messages/${randomUUID()}${suffix}`)).toEqual([409, 'MESSAGE_NOT_FOUND']);
    expect(await errorOf(`/v1/messages/${log.foreign.messageId}${suffix}`)).toEqual([403, 'ACCESS_DENIED']);
    expect(await errorOf(`/v1/messages/x${suffix}`)).toEqual([422, 'VALIDATION_ERROR']);
  });

  it('of the id `export` there is not: the path belongs to the export', async () => {
    expect((await get('/v1/messages/export')).headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await errorOf('/v1/messages/export/events')).toEqual([422, 'VALIDATION_ERROR']);
  });

  it('tells its events, newest first, page by page', async () => {
    const busiest = log.messages.toSorted((one, other) => other.events.length - one.events.length);
    expect(busiest[0]?.events.length).toBeGreaterThan(4);
    for (const { row, events } of busiest.slice(0, 15)) {
      const expected = events
        .map(({ type, receivedAt, details }) => ({ type, received_at: receivedAt, details }))
        .reverse();
      const rows = [];
      for (let offset = 0; offset <= expected.length; offset += 2) {
        const { data, meta } = await get(`/v1/messages/${row.message_id}/events?limit=2&offset=${offset}`);
        expect(meta).toMatchObject({ limit: 2, offset, total: expected.length });
        rows.push(...data);
      }
      expect(rows).toEqual(expected);
    }
  });

  it('is gone with its account', async () => {
    const { account_id } = log.foreign.account;
    await log.foreign.owner.client.deleteAccount({ path: { account_id } });
    const as = log.foreign.owner;
    for (const search of [
      '',
      'subject=plain',
      'recipient_email=ada@customer.test',
      'from_email=a@stranger.test',
    ]) {
      const { data, meta } = await get(`/v1/messages?${search}`, as);
      expect([search, data, meta.total]).toEqual([search, [], 0]);
      const { text } = await as.call('GET', `/v1/messages/export?${search}`);
      expect(text.trim().split('\r\n')).toHaveLength(1);
    }
    for (const path of [log.foreign.messageId, `${log.foreign.messageId}/events`]) {
      const answer = await get(`/v1/messages/${path}`, as);
      expect([answer.status, answer.code]).toEqual([409, 'MESSAGE_NOT_FOUND']);
    }
    const filtered = await get(`/v1/messages?account_ids[]=${account_id}`, as);
    expect([filtered.status, filtered.code]).toEqual([409, 'ACCOUNT_NOT_FOUND']);
  });
});
