import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { plusMilliseconds } from '../domain/time.ts';
import { acceptAll, createTenant, type TestStore, type TestTenant, testMessage } from '../store/testing.ts';
import { openTestOperator, type TestOperator } from './testing.ts';

// The commands as an operator types them, against a real operations listener.

const HOUR_MS = 3_600_000;
const NOBODY = '019a0000-0000-7000-8000-000000000000';
const HOSTILE = '451 4.7.1 \u001b]0;owned\u0007\u202eLater\r\n  fake line';

let operator: TestOperator;
let parts: TestStore;
let tenant: TestTenant;

beforeAll(async () => {
  operator = await openTestOperator();
  parts = operator.parts;
});
afterAll(async () => {
  expect(await operator.close()).toEqual([]);
});
beforeEach(async () => {
  await sql`delete from pgboss.job`.execute(parts.database.db);
  tenant = await createTenant(parts.store, `o${randomUUIDv7()}.test`);
});

const type: TestOperator['type'] = (...args) => operator.type(...args);

const accept = (...recipients: string[]) =>
  acceptAll(
    tenant,
    recipients.map((email) =>
      testMessage({ from: { email: `hello@${tenant.domain.name}`, name: null }, to: { email, name: null } }),
    ),
  );

/** Records an attempt that failed for now, as the worker does. */
async function failForNow(messageId: string, response: string): Promise<void> {
  const jobs = await parts.queue.fetchDeliveries(100);
  const job = jobs.find(({ id }) => id === messageId) ?? { id: messageId, retryCount: 0 };
  await parts.queue.release(jobs.filter((one) => one !== job));
  const now = parts.clock.now();
  const smtpLogId = randomUUIDv7();
  const verdict = 'soft_bounce';
  await parts.store.delivery.record([
    {
      job,
      attempt: {
        smtpLogId,
        attempt: 1,
        startedAt: now,
        finishedAt: now,
        host: 'mx.example.net [192.0.2.1]:25',
        verdict,
        response,
        transcript: `C: EHLO us\nS: ${response}\n`,
      },
      event: {
        eventId: randomUUIDv7(),
        messageId,
        receivedAt: now,
        type: verdict,
        smtpResponse: response,
        smtpLogId,
      },
      retryAt: plusMilliseconds(now, HOUR_MS),
    },
  ]);
}

const depth = () => parts.queue.depth();
const statusOf = async (id: string) => (await tenant.store.messages.get(id)).delivery_status;
const page = { limit: 10, offset: 0 };

test('queue: nothing waits', async () => {
  expect(await type('queue')).toEqual({ code: 0, out: 'Nothing waits.\n', err: '' });
});

test('queue tells how many wait, where to, why, and when; page by page and by domain', async () => {
  const [later = ''] = await accept('ann@example.com', 'bob@Example.com', 'eve@example.org');
  await failForNow(later, '451 4.7.1 Greylisted');
  const { out } = await type('queue');
  expect(out).toMatch(
    /^3 wait: 2 due now, 1 later\. 0 in delivery\. The oldest was accepted at \d{4}-.+ UTC\.\n/,
  );
  expect(out).toMatch(/\n {2}example\.com: 2, next attempt .+\n {2}example\.org: 1, /);
  expect(out).toMatch(
    new RegExp(`\\n  ${later}  .+ UTC  ann@example\\.com  attempts: 1\\n      451 4\\.7\\.1 Greylisted\\n$`),
  );
  const second = await type('queue', '--limit', '1', '--offset=1');
  expect(second.out).toMatch(/Messages 2 to 2 of 3, by next attempt:\n.+\n$/);
  expect((await type('queue', '--domain', 'EXAMPLE.ORG')).out).toMatch(/^1 wait: .+[\s\S]+eve@example\.org/);
  expect((await type('queue', '--offset', '9')).out).toContain('There are no messages from 10 on.');
});

test('what is in delivery is said to be', async () => {
  await accept('busy@example.com');
  await parts.queue.fetchDeliveries(1);
  expect((await type('queue')).out).toMatch(
    /0 wait: .+ 1 in delivery.+[\s\S]+ {2}in delivery {2}busy@example\.com/,
  );
});

test('message tells the whole story', async () => {
  const [id = ''] = await accept('story@example.com');
  await failForNow(id, '451 4.7.1 Later');
  const { code, out } = await type('message', id.toUpperCase());
  expect(code).toBe(0);
  for (const part of [
    /^Message +[\w-]{36}\n/,
    /\nTo +story@example\.com\n/,
    /\nSubject +Greetings\n/,
    /\nStatus +soft_bounce\nNext attempt +\d{4}-.+ UTC\nSuppression +none\n/,
    /\nAttempts:\n {2}.+ {2}attempt 1 {2}soft_bounce {2}mx\.example\.net .+\n {6}451 4\.7\.1 Later\n {6}\| C: EHLO us\n {6}\| S: 451/,
    /\nEvents:\n {2}.+ {2}new\n {2}.+ {2}soft_bounce {2}smtp_log_id: [\w-]+; smtp_response: 451 4\.7\.1 Later\n/,
  ]) {
    expect(out).toMatch(part);
  }
  await tenant.store.suppressions.create({
    account_id: tenant.account.account_id,
    recipient_email: 'Story@example.com',
    reason: 'asked by phone',
  });
  expect((await type('message', id)).out).toMatch(/\nSuppression +manual, .+ asked by phone\n/);
});

test('what strangers wrote cannot steer the terminal or forge lines', async () => {
  const [id = ''] = await accept('hostile@example.com');
  await failForNow(id, HOSTILE);
  for (const { out } of [await type('queue'), await type('message', id)]) {
    expect(out).toContain('451 4.7.1');
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(out).not.toMatch(/^ *fake line/m);
  }
});

test('retry makes next attempts due now, by id and by domain', async () => {
  const [one = '', two = ''] = await accept('one@example.com', 'two@example.com');
  await failForNow(one, '451 Later');
  await failForNow(two, '451 Later');
  expect(await depth()).toMatchObject({ ready: 0, waiting: 2 });
  expect(await type('retry', one)).toEqual({
    code: 0,
    out: `${one}: the next attempt is due now.\n`,
    err: '',
  });
  expect(await depth()).toMatchObject({ ready: 1, waiting: 1 });
  expect((await type('retry', '--domain', 'Example.COM')).out).toBe(
    '2 messages for example.com: the next attempt is due now.\n',
  );
  expect(await depth()).toMatchObject({ ready: 2, waiting: 0 });
});

test('cancel ends a message for good, with its event, and leaves nothing to deliver', async () => {
  const [id = '', other = ''] = await accept('cancel@example.com', 'other@example.org');
  expect(await type('cancel', id)).toMatchObject({ code: 0, out: `${id}: cancelled, with a soft bounce.\n` });
  expect([await statusOf(id), await statusOf(other)]).toEqual(['soft_bounce', 'new']);
  const events = await tenant.store.messages.listEvents(id, page);
  expect(events.rows).toMatchObject([
    { type: 'soft_bounce', details: { smtp_response: '5.0.0 Cancelled by the operator' } },
    { type: 'new' },
  ]);
  expect(await parts.store.delivery.load([id])).toEqual([]);
  expect(await depth()).toMatchObject({ ready: 1, waiting: 0 });
  expect((await type('message', id)).out).toMatch(/Next attempt +none[\s\S]+afterwards {2}soft_bounce/);
  // Once more has no effect.
  expect((await type('cancel', id)).out).toBe(`${id}: not done: nothing waits, its delivery has ended.\n`);
  expect((await tenant.store.messages.listEvents(id, page)).total).toBe(2);
});

test('what is in delivery is neither retried nor cancelled', async () => {
  const [id = ''] = await accept('talking@example.com');
  await parts.queue.fetchDeliveries(1);
  for (const command of ['retry', 'cancel']) {
    expect((await type(command, id)).out).toBe(`${id}: not done: it is in delivery at this moment.\n`);
  }
  expect(await statusOf(id)).toBe('new');
});

test('a domain is cancelled in steps, however many wait', async () => {
  await accept(...Array.from({ length: 500 }, (_, index) => `r${index}@many.example`));
  await accept('last@many.example', 'kept@example.com');
  expect((await type('cancel', '--domain', 'many.example')).out).toBe(
    '501 messages for many.example: cancelled, with a soft bounce.\n',
  );
  expect(await depth()).toMatchObject({ ready: 1, waiting: 0 });
});

test.each([
  [['message', NOBODY], /^sendspec: There is no message [\w-]{36}, or not any more\.\n$/],
  [['message', 'x\u001b[2J'], /^sendspec: The id of a message is a UUID, not "x\\u001b\[2J"\.\n$/],
  [['retry', NOBODY], /There is no message .+ Nothing was done\.\n$/],
  [['cancel', 'DROP TABLE'], /is a UUID, not "DROP TABLE"/],
  [['cancel', '--domain', 'nobody.example'], /^sendspec: Nothing waits for nobody\.example\.\n$/],
  [['retry', '--domain', 'a b'], /A domain is what stands behind the @/],
  [['queue', '--domain', '\0'], /A domain is what stands behind the @/],
  [['queue', '--limit', '0'], /--limit is a whole number from 1 to 1000/],
  [['queue', '--offset', '1e3'], /--offset is a whole number/],
])('%j fails with a reason', async (args, reason) => {
  const { code, out, err } = await type(...args);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(reason);
});

test.each([
  [['queue', 'all']],
  [['queue', '--colour']],
  [['queue', '--limit']],
  [['message']],
  [['message', NOBODY, NOBODY]],
  [['retry']],
  [['cancel', NOBODY, '--domain', 'example.com']],
])('%j is a wrong command line', async (args) => {
  const { code, err } = await type(...args);
  expect(code).toBe(2);
  expect(err).toMatch(/^sendspec: (?:queue|message|retry|cancel)\b.*; see sendspec help\n$/);
});

test('an unknown id among known ones changes nothing', async () => {
  const [id = ''] = await accept('half@example.com');
  expect(await type('cancel', id, NOBODY)).toMatchObject({ code: 1, out: '' });
  expect(await statusOf(id)).toBe('new');
});

test.each([
  null,
  7,
  [],
  {},
  { ids: 'x' },
  { ids: [{}] },
  { ids: [null] },
  { domain: ['x'] },
  { __proto__: { ids: [] } },
])('a body of %j is refused', async (body) => {
  const answer = await fetch(`http://127.0.0.1:${operator.port}/queue/cancel`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(422);
});
