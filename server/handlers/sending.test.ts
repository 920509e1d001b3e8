import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RawConnection, requestText } from '../http/fixtures/raw-http.ts';
import {
  type Change,
  faultsOf,
  message,
  outcomes,
  type SendingApi,
  startSending,
} from '../testing/sending.ts';
import type { TestAccount, TestApi, TestTenant } from '../testing.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let service: SendingApi;
let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startSending();
  ({ api, tenant } = service);
});
afterAll(() => api.close());
afterEach(() => {
  expect(api.takeFaults()).toEqual([]);
});

const send: SendingApi['send'] = (...batch) => service.send(...batch);
const sendOne: SendingApi['sendOne'] = (change) => service.sendOne(change);
const failure: SendingApi['failure'] = (...request) => service.failure(...request);

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
        const before = await service.rowCounts();
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
        const after = await service.rowCounts();
        for (const name of Object.keys(after)) {
          expect((after[name] ?? 0) - (before[name] ?? 0), name).toBe(accepted.length);
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
        const before = await service.rowCounts();
        const batch = [message(), message({ custom_id: 'broken', custom_id_unique: true })];
        expect(await failure(batch)).toMatchObject({ status: 500, code: 'INTERNAL_SERVER_ERROR' });
        expect(await service.rowCounts()).toEqual(before);
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
