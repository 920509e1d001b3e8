import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startApi, type TestApi, type TestTenant } from '../testing.ts';
import { BOUNCE_FIXTURES } from './fixture-bounces.ts';
import { COMPLAINT_FIXTURES } from './fixture-complaints.ts';
import { SmtpClient } from './testing.ts';

// Through the front door: a message is sent over HTTP, its mail is taken from the sandbox, and what comes back goes over SMTP.

let api: TestApi;
let tenant: TestTenant;
let number = 0;

beforeAll(async () => {
  api = await startApi();
  tenant = await api.createTenant();
});
afterAll(async () => {
  await api.close();
});

/** Waits until the expectation holds. */
async function eventually(expectation: () => Promise<unknown>): Promise<void> {
  await vi.waitFor(expectation, { timeout: 60_000, interval: 20 });
}

interface Sent {
  id: string;
  to: string;
  returnPath: string;
  unsubscribe: string;
}

/** Sends a message and waits until it is delivered; gives the addresses that its mail carries. */
async function send(change: Record<string, unknown> = {}): Promise<Sent> {
  number += 1;
  const to = `reader-${number}@customer.test`;
  const message = {
    from: { email: 'hello@demo.test' },
    to: [{ email: to }],
    subject: 'News',
    body: { text: 'x' },
  };
  const { data } = await tenant.call('POST', '/v1/send_email', {
    basic: tenant.account,
    body: [{ ...message, list_id: 'news.demo.test', ...change }],
  });
  const [{ message_id: id }] = data as [{ message_id: string }];
  await eventually(async () => expect(await typesOf(id)).toEqual(['delivery', 'new']));
  const [mail] = await api.store.sandbox.captured({ to, limit: 1 });
  const raw = Buffer.from(mail?.raw ?? [])
    .toString()
    .replace(/\r\n[ \t]/g, ' ');
  const [, unsubscribe = ''] = /^List-Unsubscribe:.*<mailto:([^>]+)>/im.exec(raw) ?? [];
  return { id, to, returnPath: mail?.from ?? '', unsubscribe };
}

interface Event {
  type: string;
  details: { smtp_response?: string; smtp_log_id?: string; list_id?: string };
}

async function eventsOf(id: string): Promise<Event[]> {
  const { data } = await tenant.call('GET', `/v1/messages/${id}/events`);
  return data as Event[];
}

async function typesOf(id: string): Promise<string[]> {
  return (await eventsOf(id)).map(({ type }) => type);
}

async function suppressionsOf(address: string): Promise<unknown> {
  const { data } = await tenant.call(
    'GET',
    `/v1/suppressions?recipient_email=${encodeURIComponent(address)}`,
  );
  return data;
}

async function count(counter: string): Promise<number> {
  const { data } = await tenant.call('GET', '/v1/stats?period_from=2020-01-01&period_to=2099-12-31');
  return (data as { stats_summary: Record<string, number> }).stats_summary[counter] ?? 0;
}

async function post(to: string | string[], mail: string, from = ''): Promise<string> {
  const client = await SmtpClient.to(api.smtpPort);
  try {
    return await client.post([to].flat(), mail, from);
  } finally {
    client.socket.destroy();
  }
}

const HARD = BOUNCE_FIXTURES.find(({ outcome }) => outcome === 'hard_bounce')?.mail ?? '';
const SOFT = BOUNCE_FIXTURES.find(({ outcome }) => outcome === 'soft_bounce')?.mail ?? '';

describe('a bounce that comes later', () => {
  it('becomes the event, the state, the suppression and the count, once', async () => {
    const { id, to, returnPath } = await send();
    const before = await count('hard_bounce');
    expect(returnPath).toContain(`b-${id}-`);
    for (let time = 0; time < 3; time++) expect(await post(returnPath, HARD)).toBe('250 2.0.0 Taken');

    const [bounce, ...rest] = await eventsOf(id);
    expect(rest.map(({ type }) => type)).toEqual(['delivery', 'new']);
    expect(bounce).toMatchObject({
      type: 'hard_bounce',
      details: { smtp_response: expect.stringContaining('User unknown in virtual mailbox table') },
    });
    const { data } = await tenant.call('GET', `/v1/messages/${id}`);
    expect(data).toMatchObject({ delivery_status: 'hard_bounce' });
    expect(await suppressionsOf(to)).toMatchObject([{ type: 'hard_bounce', message_id: id }]);
    expect(await count('hard_bounce')).toBe(before + 1);
  });

  it('has an entry in the delivery log', async () => {
    const { id, returnPath } = await send();
    await post(returnPath, SOFT);
    const [bounce] = await eventsOf(id);
    const log = await api.database.db
      .selectFrom('smtp_deliveries')
      .selectAll()
      .where('message_id', '=', id)
      .orderBy('attempt')
      .execute();
    expect(log).toMatchObject([
      {
        smtp_log_id: bounce?.details.smtp_log_id,
        attempt: 0,
        verdict: 'soft_bounce',
        host: 'mx.example.com',
        transcript: expect.stringContaining('status: 4.4.1'),
      },
      { attempt: 1, verdict: 'delivery' },
    ]);
  });

  it.each(BOUNCE_FIXTURES)('from $system: $outcome', async ({ mail, outcome, from }) => {
    const { id, to, returnPath } = await send();
    expect(await post(returnPath.toUpperCase(), mail, from)).toMatch(/^250 /);
    const isBounce = outcome === 'hard_bounce' || outcome === 'soft_bounce';
    expect(await typesOf(id)).toEqual([...(isBounce ? [outcome] : []), 'delivery', 'new']);
    expect(await suppressionsOf(to)).toHaveLength(outcome === 'hard_bounce' ? 1 : 0);
  });

  it('has no effect after thirty days, or for a message that is gone', async () => {
    const { id, returnPath } = await send();
    await api.database.db
      .updateTable('messages')
      .set({ created_at: '2026-01-01T00:00:00.000000+00:00' })
      .where('message_id', '=', id)
      .execute();
    expect(await post(returnPath, HARD)).toMatch(/^250 /);
    await api.database.db.deleteFrom('messages').where('message_id', '=', id).execute();
    expect(await post(returnPath, HARD)).toMatch(/^250 /);
    const events = await api.database.db
      .selectFrom('message_events')
      .select('type')
      .where('message_id', '=', id)
      .where('type', '=', 'hard_bounce')
      .execute();
    expect(events).toEqual([]);
  });

  it('is asked for again while the database is away, and then recorded', async () => {
    const { id, returnPath } = await send();
    const { db } = api.database;
    await db.schema.alterTable('message_events').renameTo('away').execute();
    expect(await post(returnPath, HARD)).toMatch(/^451 4\.3\.0 /);
    await db.schema
      .alterTable('away' as 'message_events')
      .renameTo('message_events')
      .execute();
    expect(api.takeFaults().length).toBeGreaterThan(0);
    expect(await typesOf(id)).toEqual(['delivery', 'new']);
    expect(await post(returnPath, HARD)).toMatch(/^250 /);
    expect(await typesOf(id)).toEqual(['hard_bounce', 'delivery', 'new']);
  });

  it('is refused at the recipient when the address is forged, and goes nowhere', async () => {
    const { id, to, returnPath } = await send();
    const forged = [
      returnPath.replace(/.@/, (end) => (end === '0@' ? '1@' : '0@')),
      returnPath.replace(/^b/, 'u'),
      returnPath.replace(id, '0199d3a5-3f2b-7c11-9a2e-6b1f0c2d4e5f'),
      'anybody@bounces.mail.sendspec.test',
    ];
    for (const address of forged)
      expect([address, await post(address, HARD)]).toEqual([address, expect.stringMatching(/^550 5\.1\.1 /)]);
    expect(await typesOf(id)).toEqual(['delivery', 'new']);
    expect(await suppressionsOf(to)).toEqual([]);
  });

  it('may come together with a mail for the sink', async () => {
    const { id, returnPath } = await send();
    expect(await post(['somebody@customer.test', returnPath], HARD)).toMatch(/^250 /);
    expect(await typesOf(id)).toEqual(['hard_bounce', 'delivery', 'new']);
    expect(await api.mailsTo('somebody@customer.test')).toHaveLength(1);
    expect(await api.mailsTo(returnPath)).toHaveLength(0);
  });

  it('counts by its beginning when the mail that it returns is large', async () => {
    const { id, returnPath } = await send();
    const large = HARD.replace('--=_report_1--', `${'x'.repeat(70)}\n`.repeat(60_000));
    expect(await post(returnPath, large)).toMatch(/^250 /);
    expect(await typesOf(id)).toEqual(['hard_bounce', 'delivery', 'new']);
  });
});

describe('a complaint', () => {
  const filled = (mail: string, sent: Sent, other: Sent) =>
    mail
      .replaceAll('RETURN-PATH', sent.returnPath)
      .replaceAll('LEAVE', sent.unsubscribe)
      .replaceAll(
        'FORGED',
        sent.returnPath.replace(/.@/, (end) => (end === '0@' ? '1@' : '0@')),
      )
      .replaceAll('OTHER', other.returnPath);

  it.each(COMPLAINT_FIXTURES)('$system: $outcome', async ({ mail, outcome }) => {
    const [sent, other] = [await send(), await send()];
    for (let time = 0; time < 2; time++) {
      const reply = await post(
        'FBL@bounces.mail.sendspec.test',
        filled(mail, sent, other),
        'x@provider.example',
      );
      expect(reply).toMatch(/^250 /);
    }
    const isComplaint = outcome === 'spam_complaint';
    expect(await typesOf(sent.id)).toEqual([...(isComplaint ? [outcome] : []), 'delivery', 'new']);
    expect(await suppressionsOf(sent.to)).toMatchObject(isComplaint ? [{ type: 'spam_complaint' }] : []);
    expect(await typesOf(other.id)).toEqual(['delivery', 'new']);
  });

  it('is played by the simulator', async () => {
    const to = 'spam_complaint+me@simulator.test';
    const before = await count('spam_complaint');
    const message = {
      from: { email: 'hello@demo.test' },
      to: [{ email: to }],
      subject: 'é',
      body: { text: '.\r\n.\r\n' },
    };
    const { data } = await tenant.call('POST', '/v1/send_email', { basic: tenant.account, body: [message] });
    const [{ message_id: id }] = data as [{ message_id: string }];
    await eventually(async () => expect(await typesOf(id)).toEqual(['spam_complaint', 'delivery', 'new']));
    expect(await suppressionsOf(to)).toMatchObject([{ type: 'spam_complaint', message_id: id }]);
    expect(await count('spam_complaint')).toBe(before + 1);
  });
});

describe('a request to unsubscribe', () => {
  const REQUEST =
    'From: <reader@customer.test>\nSubject: unsubscribe\nMessage-Id: <request@customer.test>\n\nPlease.\n';

  it('becomes the event and the suppression, once', async () => {
    const { id, to, unsubscribe } = await send();
    expect(unsubscribe).toMatch(new RegExp(`^u-${id}-.*@bounces\\.mail\\.sendspec\\.test`));
    for (let time = 0; time < 3; time++) expect(await post(unsubscribe, REQUEST, to)).toMatch(/^250 /);
    const [event, ...rest] = await eventsOf(id);
    expect(event).toMatchObject({ type: 'unsubscribe', details: { list_id: 'news.demo.test' } });
    expect(rest.map(({ type }) => type)).toEqual(['delivery', 'new']);
    expect(await suppressionsOf(to)).toMatchObject([{ type: 'unsubscribe', message_id: id }]);
  });

  it('is forwarded, as it came, to the address of the sender, once', async () => {
    const address = 'leave-1@demo.test';
    const { to, unsubscribe } = await send({ list_unsubscribe: address });
    for (let time = 0; time < 2; time++) await post(unsubscribe, `${REQUEST}bare\rreturn`, to);
    await eventually(async () => expect(await api.mailsTo(address)).toHaveLength(1));
    const [mail] = await api.store.sandbox.captured({ to: address, limit: 2 });
    expect(mail).toMatchObject({ from: 'forwards@bounces.mail.sendspec.test', to: [address] });
    const raw = Buffer.from(mail?.raw ?? []).toString();
    expect(raw).toMatch(
      /^Received: from mx\.example\.com \(\[127\.0\.0\.1\]\)\r\n\tby mail\.sendspec\.test with ESMTP;\r\n\t\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} \+0000\r\nFrom: <reader@customer\.test>\r\n/,
    );
    expect(raw).toContain('Message-Id: <request@customer.test>\r\n\r\nPlease.\r\nbare\r\nreturn\r\n');
    expect(await left()).toBe(0);
  });

  const left = async () =>
    (await api.database.db.selectFrom('forwards').select('forward_id').execute()).length;

  it('waits for a transport that is not there, and for its next attempt', async () => {
    const address = 'leave-2@demo.test';
    const { to, unsubscribe } = await send({ list_unsubscribe: address });
    const { db } = api.database;
    await db.schema.alterTable('captured_mails').renameTo('away').execute();
    await post(unsubscribe, REQUEST, to);
    await eventually(async () => expect(api.takeFaults().length).toBeGreaterThan(0));
    await db.schema
      .alterTable('away' as 'captured_mails')
      .renameTo('captured_mails')
      .execute();
    // The same domain has one at a time: the first has been put off when the second has arrived.
    await forwarded('leave-3@demo.test');
    expect(await api.mailsTo(address)).toEqual([]);
    await eventually(async () => expect(await left()).toBe(1));
    await api.advance(3600);
    const owner = await api.signIn(tenant.owner, tenant.account);
    tenant = { ...tenant, owner, call: owner.call, client: owner.client };
    // A further request wakes the forwarder; on its own it looks every few seconds.
    await forwarded('leave-9@demo.test');
    await eventually(async () => expect(await api.mailsTo(address)).toHaveLength(1));
    await eventually(async () => expect(await left()).toBe(0));
  });

  async function forwarded(address: string): Promise<void> {
    const { to, unsubscribe } = await send({ list_unsubscribe: address });
    await post(unsubscribe, REQUEST, to);
    await eventually(async () => expect(await api.mailsTo(address)).toHaveLength(1));
  }

  it('is not forwarded to a URL, to ourselves, or in circles', async () => {
    const bounces = await send();
    for (const [target, trace] of [
      ['https://demo.test/leave', ''],
      [bounces.unsubscribe, ''],
      ['fbl@bounces.mail.sendspec.test', ''],
      ['forwards@bounces.mail.sendspec.test', ''],
      ['leave-4@demo.test', 'Received: from x by y; now\n'.repeat(25)],
    ] as const) {
      const { id, to, unsubscribe } = await send({ list_unsubscribe: target });
      expect(await post(unsubscribe, trace + REQUEST, to)).toMatch(/^250 /);
      expect([target, await typesOf(id)]).toEqual([target, ['unsubscribe', 'delivery', 'new']]);
    }
    // Forwards go in the order in which they came.
    await forwarded('leave-8@demo.test');
    expect(await api.mailsTo('leave-4@demo.test')).toEqual([]);
    expect(await typesOf(bounces.id)).toEqual(['delivery', 'new']);
  });

  it('is none when a program answers, or when it is large', async () => {
    const { id, to, unsubscribe } = await send({ list_unsubscribe: 'leave-5@demo.test' });
    const answers = [
      'Auto-Submitted: auto-replied',
      'X-Autoreply: yes',
      'Content-Type: multipart/report; boundary=b',
    ];
    for (const header of answers) expect(await post(unsubscribe, `${header}\n${REQUEST}`)).toMatch(/^250 /);
    const large = `${REQUEST}${`${'x'.repeat(70)}\n`.repeat(20_000)}`;
    expect(await post(unsubscribe, large, to)).toMatch(/^552 5\.3\.4 /);
    expect(await typesOf(id)).toEqual(['delivery', 'new']);
    expect(await left()).toBe(0);
  });

  it('is dropped with its message', async () => {
    await api.database.db
      .insertInto('forwards')
      .values({
        forward_id: '0199d3a5-3f2b-7c11-9a2e-6b1f0c2d4e5f',
        message_id: '0199d3a5-3f2b-7c11-9a2e-6b1f0c2d4e60',
        recipient: 'leave-6@demo.test',
        raw: Buffer.from('x'),
        created_at: api.clock.now(),
        attempts: 0,
        next_attempt_at: api.clock.now(),
      })
      .execute();
    const other = await send({ list_unsubscribe: 'leave-7@demo.test' });
    await post(other.unsubscribe, REQUEST, other.to);
    await eventually(async () => expect(await left()).toBe(0));
    expect(await api.mailsTo('leave-6@demo.test')).toHaveLength(0);
  });
});

describe('outside the sandbox', () => {
  it('there is no sink: only mail for the service itself is taken', async () => {
    const relaying = await startApi({
      SENDSPEC_DELIVERY: 'relay',
      SENDSPEC_SMTP_URL: 'smtp://127.0.0.1:9',
      SENDSPEC_HOST: '127.0.0.1',
      SENDSPEC_MAIL_HOSTNAME: 'mail.example.net',
    });
    try {
      const client = await SmtpClient.to(relaying.smtpPort);
      await client.say('EHLO me.test\r\n');
      await client.say('MAIL FROM:<>\r\n');
      const replies = new Map<string, RegExp>([
        ['victim@example.com', /^550 5\.7\.1 /],
        ['hard_bounce@simulator.test', /^550 5\.7\.1 /],
        ['victim%example.com@mail.example.net', /^550 5\.1\.1 /],
        ['fbl@bounces.mail.example.net', /^250 /],
      ]);
      for (const [address, reply] of replies) {
        expect(await client.say(`RCPT TO:<${address}>\r\n`)).toMatch(reply);
      }
      client.socket.destroy();
    } finally {
      await relaying.close();
    }
  });
});
