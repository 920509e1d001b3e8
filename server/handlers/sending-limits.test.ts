import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { faultsOf, message, outcomes, type SendingApi, startSending } from '../testing/sending.ts';
import type { TestApi, TestTenant } from '../testing.ts';

const MEGABYTE = 2 ** 20;
const HOUR_MS = 3_600_000;

let service: SendingApi;
let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startSending();
  ({ api, tenant } = service);
});
afterAll(() => api.close());
afterEach(() => {
  vi.restoreAllMocks();
  expect(api.takeFaults()).toEqual([]);
});

const send: SendingApi['send'] = (...batch) => service.send(...batch);
const sendOne: SendingApi['sendOne'] = (change) => service.sendOne(change);
const failure: SendingApi['failure'] = (...request) => service.failure(...request);

describe('limits', () => {
  it.each(['custom_id', 'list_id'])('%s has 255 characters, counted as characters', async (field) => {
    expect(await sendOne({ [field]: '😀'.repeat(255) })).toMatchObject({ status: 'accepted' });
    expect(faultsOf(await sendOne({ [field]: '😀'.repeat(256) }))).toEqual([`${field}: MAX`]);
  });

  it('names have 255 characters, a subject 998', async () => {
    const named = (name: string) => ({
      from: { email: 'hello@demo.test', name },
      to: [{ email: 'ada@customer.test', name }],
      reply_to: [{ email: 'desk@demo.test', name }],
    });
    expect(await sendOne({ ...named('n'.repeat(255)), subject: 'é'.repeat(998) })).toMatchObject({
      status: 'accepted',
    });
    expect(faultsOf(await sendOne({ ...named('n'.repeat(256)), subject: 'é'.repeat(999) })).sort()).toEqual([
      'from.name: MAX',
      'reply_to[0].name: MAX',
      'subject: MAX',
      'to[0].name: MAX',
    ]);
  });

  it('a request has 500 messages', async () => {
    const { status, items } = await send(
      Array.from({ length: 500 }, (_, index) => message({ custom_id: `m${index}` })),
    );
    expect(status).toBe(200);
    expect(items.map((item) => item.custom_id)).toEqual(
      Array.from({ length: 500 }, (_, index) => `m${index}`),
    );
    expect(new Set(items.map((item) => item.message_id)).size).toBe(500);
    const before = await service.rowCounts();
    expect(await failure(Array(501).fill(message()))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      errors: ['MAX'],
    });
    expect(await service.rowCounts()).toEqual(before);
  });

  it('html and text have 10 MB together, in UTF-8', async () => {
    const half = 'é'.repeat(2.5 * MEGABYTE);
    const { items } = await send([
      message({ body: { html: half, text: half } }),
      message({ body: { html: `${half}a`, text: half } }),
      message(),
    ]);
    expect(outcomes(items)).toEqual(['accepted', 'VALIDATION_ERROR', 'accepted']);
    expect(items.map(faultsOf)).toEqual([[], ['MAX'], []]);
  });

  it('a faulty custom_id does not come back, and sinks no batch, however large the message around it', async () => {
    const { status, items } = await send([
      message({ custom_id: 'x'.repeat(256), body: { html: 'é'.repeat(5 * MEGABYTE + 1) } }),
      message({ custom_id: 'a\r\nb', to: Array(1500).fill({ email: 'nobody' }) }),
      message({ custom_id: 'kept', subject: '' }),
      message(),
    ]);
    expect([status, items.map((item) => item.custom_id)]).toEqual([207, ['', '', 'kept', '']]);
    expect(items.at(-1)?.status).toBe('accepted');
  });

  it('a request has 50 MB', async () => {
    const batch = JSON.stringify([message()]);
    const padded = (bytes: number) => Buffer.from(batch.padEnd(bytes, ' '));
    const answer = await api.call('POST', '/v1/send_email', {
      basic: tenant.account,
      rawBody: padded(50 * MEGABYTE),
    });
    expect(answer.status).toBe(200);
    const before = await service.rowCounts();
    expect(await failure(undefined, { rawBody: padded(50 * MEGABYTE + 1) })).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      errors: ['MAX'],
    });
    expect(await service.rowCounts()).toEqual(before);
  });

  it.each<[string, string, number, string]>([
    ['an object', '{}', 422, 'BODY_NOT_ARRAY'],
    ['null', 'null', 422, 'BODY_NOT_ARRAY'],
    ['a text', '"[]"', 422, 'BODY_NOT_ARRAY'],
    ['an empty list', '[]', 422, 'BODY_EMPTY_ARRAY'],
    ['nothing', '', 400, 'INVALID_JSON'],
    ['half a list', '[{}', 400, 'INVALID_JSON'],
  ])('%s in place of messages', async (_name, raw, status, code) => {
    expect(await failure(undefined, { rawBody: raw })).toEqual({ status, code, errors: [code] });
  });
});

describe('custom_id_unique', () => {
  let number = 0;
  const fresh = () => {
    number += 1;
    return `unique-${number}`;
  };
  const unique = (customId: string) => message({ custom_id: customId, custom_id_unique: true });
  const plain = (customId: string) => message({ custom_id: customId });
  const tried = async (...messages: unknown[]) => outcomes((await send(messages)).items);

  it('holds within a batch: the first wins, and a rejected one uses nothing up', async () => {
    const id = fresh();
    const rejected = { ...unique(id), subject: '' };
    const suppressed = { ...unique(id), to: [{ email: 'never@customer.test' }] };
    expect(await tried(rejected, suppressed, unique(id), unique(id), plain(id), unique(fresh()))).toEqual([
      'VALIDATION_ERROR',
      'EMAIL_SUPPRESSED',
      'accepted',
      'CUSTOM_ID_NOT_UNIQUE',
      'accepted',
      'accepted',
    ]);
  });

  it('looks at every accepted message, also at those that did not ask for it', async () => {
    const [first, second] = [fresh(), fresh()];
    expect(await tried(plain(first), unique(first), plain(second))).toEqual([
      'accepted',
      'CUSTOM_ID_NOT_UNIQUE',
      'accepted',
    ]);
    expect(await tried(unique(second))).toEqual(['CUSTOM_ID_NOT_UNIQUE']);
    expect(await tried(plain(second))).toEqual(['accepted']);
  });

  it('compares the whole text, case and all, and nothing without a custom_id', async () => {
    const id = fresh();
    expect(await tried(unique(id), unique(id.toUpperCase()), unique(`${id} `))).toEqual(
      Array(3).fill('accepted'),
    );
    const nameless = [
      message({ custom_id_unique: true }),
      message({ custom_id: '', custom_id_unique: true }),
      message({ custom_id: null, custom_id_unique: true }),
    ];
    expect(await tried(...nameless, ...nameless)).toEqual(Array(6).fill('accepted'));
  });

  it('is a matter of one account', async () => {
    const other = await api.createAccount(tenant, 'Other');
    await api.createDomain(tenant, 'other.test', [other]);
    const id = fresh();
    expect(await tried(unique(id))).toEqual(['accepted']);
    const elsewhere = { ...unique(id), from: { email: 'hello@other.test' } };
    expect(outcomes((await send([elsewhere, elsewhere], other)).items)).toEqual([
      'accepted',
      'CUSTOM_ID_NOT_UNIQUE',
    ]);
  });

  it('ends 72 hours later, to the microsecond', async () => {
    const id = fresh();
    const start = api.clock.epochMs();
    const at = (milliseconds: number) => {
      vi.spyOn(api.clock, 'now').mockImplementation(() =>
        new Date(start + Math.floor(milliseconds))
          .toISOString()
          .replace('Z', milliseconds % 1 ? '999+00:00' : '000+00:00'),
      );
    };
    at(0);
    expect(await tried(unique(id))).toEqual(['accepted']);
    at(72 * HOUR_MS - 0.001);
    expect(await tried(unique(id))).toEqual(['CUSTOM_ID_NOT_UNIQUE']);
    at(72 * HOUR_MS);
    expect(await tried(unique(id))).toEqual(['accepted']);
    at(73 * HOUR_MS);
    expect(await tried(unique(id))).toEqual(['CUSTOM_ID_NOT_UNIQUE']);
  });

  it('holds when twenty ask at once', async () => {
    const [one, two] = [fresh(), fresh()];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        tried(...(index % 2 ? [unique(one), unique(two)] : [unique(two), unique(one)])),
      ),
    );
    const counted = (outcome: string) => answers.flat().filter((found) => found === outcome).length;
    expect([counted('accepted'), counted('CUSTOM_ID_NOT_UNIQUE')]).toEqual([2, 38]);
  });
});
