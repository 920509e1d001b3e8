import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { RawConnection, requestText } from '../http/fixtures/raw-http.ts';
import { type CallOptions, startApi, type TestAccount, type TestApi, type TestTenant } from '../testing.ts';

interface Item {
  message_id: string;
  custom_id: string;
  status: 'accepted' | 'rejected';
  code?: string;
  errors: { code?: string; field?: string; value?: unknown; errors?: { code: string }[] }[];
}
type Change = Record<string, unknown>;

const MEGABYTE = 2 ** 20;
const HOUR_MS = 3_600_000;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startApi();
  // Otherwise the worker would take jobs away while they are counted.
  await api.stopDelivery();
  tenant = await api.createTenant();
  const { client, account } = tenant;
  const accounts = [account.account_id];
  await client.createDomain({ body: { name: 'unverified.test', accounts } });
  await api.createDomain(tenant, 'unassigned.test', []);
  const { data: half } = await client.createDomain({ body: { name: 'half.test', accounts } });
  await client.verifyDomainDkim({ path: { domain_id: half.domain_id } });
  const { data: otherHalf } = await client.createDomain({ body: { name: 'other-half.test', accounts } });
  await client.verifyDomainReturnPath({ path: { domain_id: otherHalf.domain_id } });
  await client.createSuppression({
    body: { account_id: account.account_id, recipient_email: 'Never@Customer.test' },
  });
});
afterAll(() => api.close());
afterEach(() => {
  vi.restoreAllMocks();
  expect(api.takeFaults()).toEqual([]);
});

const message = (change: Change = {}) => ({
  from: { email: 'hello@demo.test' },
  to: [{ email: 'ada@customer.test' }],
  subject: 'Your order',
  body: { text: 'Thank you.' },
  ...change,
});

async function send(
  messages: unknown,
  basic: Pick<TestAccount, 'account_id' | 'api_key'> = tenant.account,
): Promise<{ status: number; items: Item[] }> {
  const { status, data, meta } = await api.call('POST', '/v1/send_email', { basic, body: messages });
  expect(meta).toEqual({});
  return { status, items: data as Item[] };
}

/** What became of each, in order: `accepted`, or the code of the rejection. */
const outcomes = (items: Item[]) => items.map(({ status, code }) => code ?? status);
const sendOne = async (change: Change = {}) => {
  const { items } = await send([message(change)]);
  const [item] = items;
  if (item === undefined || items.length !== 1) throw new Error('One message has one result.');
  return item;
};
const faultsOf = (item: Item) =>
  item.errors.map(({ field, code, errors }) =>
    field === undefined ? code : `${field}: ${errors?.map((error) => error.code).join(' ')}`,
  );

async function failure(body: unknown, options: CallOptions = {}) {
  const answer = await api.call('POST', '/v1/send_email', { basic: tenant.account, body, ...options });
  const errors = answer.errors as { code: string }[];
  return { status: answer.status, code: answer.code, errors: errors.map(({ code }) => code) };
}

const rowsOf = async () => {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from messages) as messages, (select count(*) from message_contents) as contents,
      (select count(*) from message_events) as events, (select coalesce(sum(messages), 0) from message_counts) as counted,
      (select coalesce(sum(messages), 0) from stats_hourly) as statistics, (select count(*) from pgboss.job) as jobs
  `.execute(api.database.db);
  return rows[0];
};

describe('a batch', () => {
  // What is sent, and what has to become of it.
  const kinds: Record<string, { change: Change; outcome: string }> = {
    plain: { change: {}, outcome: 'accepted' },
    named: {
      change: { custom_id: 'order-7', to: [{ email: 'BELA@customer.test', name: 'Béla' }] },
      outcome: 'accepted',
    },
    upperCase: { change: { from: { email: 'Hello@DEMO.test' } }, outcome: 'accepted' },
    shapeless: { change: { subject: undefined }, outcome: 'VALIDATION_ERROR' },
    crowd: {
      change: { to: [{ email: 'a@customer.test' }, { email: 'b@customer.test' }] },
      outcome: 'MULTIPLE_RECIPIENTS_NOT_SUPPORTED',
    },
    stranger: { change: { from: { email: 'a@elsewhere.test' } }, outcome: 'SENDING_DOMAIN_NOT_FOUND' },
    unassigned: { change: { from: { email: 'a@unassigned.test' } }, outcome: 'SENDING_DOMAIN_NOT_ASSIGNED' },
    unverified: { change: { from: { email: 'a@unverified.test' } }, outcome: 'SENDING_DOMAIN_NOT_VERIFIED' },
    halfVerified: { change: { from: { email: 'a@half.test' } }, outcome: 'SENDING_DOMAIN_NOT_VERIFIED' },
    otherHalfVerified: {
      change: { from: { email: 'a@other-half.test' } },
      outcome: 'SENDING_DOMAIN_NOT_VERIFIED',
    },
    suppressed: { change: { to: [{ email: 'nEVER@customer.TEST' }] }, outcome: 'EMAIL_SUPPRESSED' },
  };
  const kind = fc.constantFrom(...Object.keys(kinds));

  it('is answered item by item, in its own order, whatever the mixture', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(kind, { minLength: 1, maxLength: 12 }), async (names) => {
        const chosen = names.map((name) => kinds[name] ?? { change: {}, outcome: 'accepted' });
        const before = await rowsOf();
        const { status, items } = await send(
          chosen.map(({ change }, index) => message({ custom_id: `place-${index}`, ...change })),
        );
        const expected = chosen.map(({ outcome }) => outcome);
        expect(outcomes(items)).toEqual(expected);
        expect(items.map(({ custom_id: id }) => id)).toEqual(
          chosen.map(({ change }, index) => change.custom_id ?? `place-${index}`),
        );
        const accepted = items.filter((item) => item.status === 'accepted');
        expect(status).toBe(accepted.length === items.length ? 200 : 207);
        for (const item of items) {
          expect(item.message_id).toMatch(item.status === 'accepted' ? UUID_V7 : /^$/);
          expect(item.errors.length > 0).toBe(item.status === 'rejected');
        }
        const after = await rowsOf();
        for (const name of Object.keys(after ?? {})) {
          expect((after?.[name] ?? 0) - (before?.[name] ?? 0), name).toBe(accepted.length);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('is 207 when the only message is rejected', async () => {
    const { status, items } = await send([message({ subject: '' })]);
    expect([status, ...outcomes(items)]).toEqual([207, 'VALIDATION_ERROR']);
  });

  it('looks at the shape first, then the domain, then suppressions, then the custom_id', async () => {
    const suppressed = { to: [{ email: 'never@customer.test' }] };
    const stranger = { from: { email: 'a@elsewhere.test' } };
    const crowd = { to: [{ email: 'never@customer.test' }, { email: 'never@customer.test' }] };
    await sendOne({ custom_id: 'taken' });
    const taken = { custom_id: 'taken', custom_id_unique: true };
    const { items } = await send([
      message({ ...stranger, ...crowd, subject: 7 }),
      message({ ...stranger, ...crowd }),
      message({ ...stranger, ...suppressed, ...taken }),
      message({ from: { email: 'a@unassigned.test' }, ...suppressed, ...taken }),
      message({ from: { email: 'a@unverified.test' }, ...suppressed, ...taken }),
      message({ ...suppressed, ...taken }),
      message(taken),
    ]);
    expect(outcomes(items)).toEqual([
      'VALIDATION_ERROR',
      'MULTIPLE_RECIPIENTS_NOT_SUPPORTED',
      'SENDING_DOMAIN_NOT_FOUND',
      'SENDING_DOMAIN_NOT_ASSIGNED',
      'SENDING_DOMAIN_NOT_VERIFIED',
      'EMAIL_SUPPRESSED',
      'CUSTOM_ID_NOT_UNIQUE',
    ]);
  });

  it('is read as JSON whatever the Content-Type says', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'text/csv; charset=latin1',
      'nonsense',
    ]) {
      const answer = await api.call('POST', '/v1/send_email', {
        basic: tenant.account,
        body: [message()],
        headers: { 'Content-Type': type },
      });
      expect(answer.status, type).toBe(200);
    }
  });
});

describe('a message', () => {
  it('may have null, or nothing, for all that is optional', async () => {
    const item = await sendOne({
      from: { email: 'hello@demo.test', name: null },
      to: [{ email: 'ada@customer.test', name: null }],
      body: { html: null, text: 'Thank you.' },
      custom_id: null,
      custom_id_unique: null,
      track_opens: null,
      track_clicks: null,
      list_id: null,
      list_unsubscribe: null,
      reply_to: null,
    });
    expect(item).toMatchObject({ status: 'accepted', custom_id: '' });
    for (const replyTo of [
      [],
      [{ email: null, name: null }],
      [{}],
      [{ name: 'Desk' }, { email: 'desk@demo.test' }],
    ]) {
      expect(outcomes([await sendOne({ reply_to: replyTo })])).toEqual(['accepted']);
    }
  });

  it.each<[string, Change, string[]]>([
    [
      'nothing at all',
      { from: undefined, to: undefined, subject: undefined, body: undefined },
      ['body: REQUIRED', 'from: REQUIRED', 'subject: REQUIRED', 'to: REQUIRED'],
    ],
    ['no recipient', { to: [] }, ['to: REQUIRED']],
    ['a recipient in place of the list', { to: { email: 'ada@customer.test' } }, ['to: ARRAY']],
    ['a recipient without address', { to: [{ name: 'Ada' }] }, ['to[0].email: REQUIRED']],
    ['a recipient with a null address', { to: [{ email: null }] }, ['to[0].email: REQUIRED']],
    ['an address without a dot', { to: [{ email: 'ada@localhost' }] }, ['to[0].email: INVALID_EMAIL']],
    [
      'an address with a line break',
      { to: [{ email: 'ada@customer.test\r\nBcc: eve@evil.test' }] },
      ['to[0].email: INVALID_EMAIL'],
    ],
    ['two faults in two fields', { subject: '', custom_id: 5 }, ['custom_id: STRING', 'subject: MIN']],
    ['a header in the subject', { subject: 'Hi\r\nBcc: eve@evil.test' }, ['subject: CONTROL_CHARACTER']],
    [
      'a header in a name',
      { from: { email: 'hello@demo.test', name: 'a\nb' } },
      ['from.name: CONTROL_CHARACTER'],
    ],
    ['NUL in the list_id', { list_id: 'a\0' }, ['list_id: CONTROL_CHARACTER']],
    ['a number for a truth value', { track_clicks: 1 }, ['track_clicks: BOOL']],
    ['an empty body', { body: { html: '', text: '' } }, ['body: REQUIRED']],
    [
      'a script to unsubscribe',
      { list_unsubscribe: 'javascript:alert(1)' },
      ['list_unsubscribe: INVALID_LIST_UNSUBSCRIBE'],
    ],
  ])('%s is a VALIDATION_ERROR that names its fields', async (_name, change, expected) => {
    const item = await sendOne(change);
    expect([item.code, faultsOf(item).sort()]).toEqual(['VALIDATION_ERROR', expected]);
  });

  it('that is none is a VALIDATION_ERROR too', async () => {
    const { status, items } = await send([null, 5, 'text', [], {}, message()]);
    expect(status).toBe(207);
    expect(outcomes(items)).toEqual([...Array(5).fill('VALIDATION_ERROR'), 'accepted']);
  });

  it('may have several recipients some day: the fault is named on `to`', async () => {
    const item = await sendOne({ to: [{ email: 'a@customer.test' }, { email: 'b@customer.test' }] });
    expect(item.code).toBe('MULTIPLE_RECIPIENTS_NOT_SUPPORTED');
    expect(faultsOf(item)).toEqual(['to: MULTIPLE_RECIPIENTS_NOT_SUPPORTED']);
  });
});

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
    const before = await rowsOf();
    expect(await failure(Array(501).fill(message()))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      errors: ['MAX'],
    });
    expect(await rowsOf()).toEqual(before);
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
    const before = await rowsOf();
    expect(await failure(undefined, { rawBody: padded(50 * MEGABYTE + 1) })).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      errors: ['MAX'],
    });
    expect(await rowsOf()).toEqual(before);
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

describe('who sends', () => {
  const setStatus = ({ account_id }: TestAccount, status: 'active' | 'disabled') =>
    tenant.client.updateAccount({ path: { account_id }, body: { name: 'Mail', status } });

  it('is refused with 403 while the account is disabled', async () => {
    await setStatus(tenant.account, 'disabled');
    expect(await failure([message()])).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
    expect(await failure({})).toMatchObject({ status: 422, code: 'BODY_NOT_ARRAY' });
    await setStatus(tenant.account, 'active');
    expect((await send([message()])).status).toBe(200);
  });

  it('may not be a user, nor have a key of another account', async () => {
    const other = await api.createAccount(tenant, 'Other');
    const mixed = { account_id: tenant.account.account_id, api_key: other.api_key };
    const nobody = { account_id: tenant.domain.domain_id, api_key: other.api_key };
    const token = tenant.owner.token;
    for (const credentials of [{ basic: mixed }, { basic: nobody }, { basic: undefined, token }]) {
      expect(await failure([message()], credentials)).toMatchObject({
        status: 401,
        code: 'INVALID_CREDENTIALS',
      });
    }
  });

  it.each<[string, (account: TestAccount) => Promise<unknown>, number, string]>([
    ['disabled', (account) => setStatus(account, 'disabled'), 403, 'ACCESS_DENIED'],
    [
      'deleted',
      ({ account_id }) => tenant.client.deleteAccount({ path: { account_id } }),
      401,
      'INVALID_CREDENTIALS',
    ],
  ])('may be %s while the body is still on its way', async (_what, change, status, code) => {
    const account = await api.createAccount(tenant, 'Short-lived');
    const credentials = Buffer.from(`${account.account_id}:${account.api_key}`).toString('base64');
    const body = JSON.stringify([message()]);
    const connection = await RawConnection.open(api.port);
    const headers = {
      Authorization: `Basic ${credentials}`,
      'Content-Length': String(body.length),
      Expect: '100-continue',
    };
    connection.write(requestText('POST /v1/send_email', headers));
    // By now the credentials have been found to be right.
    expect((await connection.answer(true)).status).toBe(100);
    await change(account);
    connection.write(body);
    const answer = await connection.answer();
    connection.close();
    expect([answer.status, JSON.parse(answer.body).data.code]).toEqual([status, code]);
  });
});

describe('a database that fails in the middle', () => {
  // Each step of accepting a batch, broken for real.
  it.each(['messages', 'message_contents', 'message_events', 'message_counts', 'stats_hourly', 'pgboss.job'])(
    'leaves nothing behind when %s cannot be written',
    async (table) => {
      const { db } = api.database;
      await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$`.execute(
        db,
      );
      await sql`create trigger refuse before insert on ${sql.raw(table)} for each row execute function refuse()`.execute(
        db,
      );
      try {
        const before = await rowsOf();
        const batch = [message(), message({ custom_id: 'broken', custom_id_unique: true })];
        expect(await failure(batch)).toMatchObject({ status: 500, code: 'INTERNAL_SERVER_ERROR' });
        expect(await rowsOf()).toEqual(before);
        expect(JSON.stringify(api.takeFaults())).toContain('disk full');
      } finally {
        await sql`drop trigger refuse on ${sql.raw(table)}`.execute(db);
        await sql`drop function refuse()`.execute(db);
      }
      expect(
        outcomes((await send([message({ custom_id: `after-${table}`, custom_id_unique: true })])).items),
      ).toEqual(['accepted']);
    },
  );
});
