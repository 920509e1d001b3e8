import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi } from '../testing.ts';
import { BOUNCE_FIXTURES } from './fixture-bounces.ts';
import { COMPLAINT_FIXTURES } from './fixture-complaints.ts';
import { Correspondence, type Sent } from './inbound-testing.ts';
import { SmtpClient } from './testing.ts';

let service: Correspondence;

beforeAll(async () => {
  service = await Correspondence.start();
});
afterAll(async () => {
  await service.api.close();
});

const HARD = BOUNCE_FIXTURES.find(({ outcome }) => outcome === 'hard_bounce')?.mail ?? '';
const SOFT = BOUNCE_FIXTURES.find(({ outcome }) => outcome === 'soft_bounce')?.mail ?? '';

describe('a bounce that comes later', () => {
  it('becomes the event, the state, the suppression and the count, once', async () => {
    const { id, to, returnPath } = await service.send();
    const before = await service.count('hard_bounce');
    expect(returnPath).toContain(`b-${id}-`);
    for (let time = 0; time < 3; time++) expect(await service.post(returnPath, HARD)).toBe('250 2.0.0 Taken');

    const [bounce, ...rest] = await service.eventsOf(id);
    expect(rest.map(({ type }) => type)).toEqual(['delivery', 'new']);
    expect(bounce).toMatchObject({
      type: 'hard_bounce',
      details: { smtp_response: expect.stringContaining('User unknown in virtual mailbox table') },
    });
    expect(await service.messageOf(id)).toMatchObject({ delivery_status: 'hard_bounce' });
    expect(await service.suppressionsOf(to)).toMatchObject([{ type: 'hard_bounce', message_id: id }]);
    expect(await service.count('hard_bounce')).toBe(before + 1);
  });

  it('has an entry in the delivery log', async () => {
    const { id, returnPath } = await service.send();
    await service.post(returnPath, SOFT);
    const [bounce] = await service.eventsOf(id);
    const log = await service.api.database.db
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
    const { id, to, returnPath } = await service.send();
    expect(await service.post(returnPath.toUpperCase(), mail, from)).toMatch(/^250 /);
    const isBounce = outcome === 'hard_bounce' || outcome === 'soft_bounce';
    expect(await service.typesOf(id)).toEqual([...(isBounce ? [outcome] : []), 'delivery', 'new']);
    expect(await service.suppressionsOf(to)).toHaveLength(outcome === 'hard_bounce' ? 1 : 0);
  });

  it('has no effect after thirty days, or for a message that is gone', async () => {
    const { id, returnPath } = await service.send();
    await service.api.database.db
      .updateTable('messages')
      .set({ created_at: '2026-01-01T00:00:00.000000+00:00' })
      .where('message_id', '=', id)
      .execute();
    expect(await service.post(returnPath, HARD)).toMatch(/^250 /);
    await service.api.database.db.deleteFrom('messages').where('message_id', '=', id).execute();
    expect(await service.post(returnPath, HARD)).toMatch(/^250 /);
    const events = await service.api.database.db
      .selectFrom('message_events')
      .select('type')
      .where('message_id', '=', id)
      .where('type', '=', 'hard_bounce')
      .execute();
    expect(events).toEqual([]);
  });

  it('is asked for again while the database is away, and then recorded', async () => {
    const { id, returnPath } = await service.send();
    const { db } = service.api.database;
    await db.schema.alterTable('message_events').renameTo('away').execute();
    expect(await service.post(returnPath, HARD)).toMatch(/^451 4\.3\.0 /);
    await db.schema
      .alterTable('away' as 'message_events')
      .renameTo('message_events')
      .execute();
    expect(service.api.takeFaults().length).toBeGreaterThan(0);
    expect(await service.typesOf(id)).toEqual(['delivery', 'new']);
    expect(await service.post(returnPath, HARD)).toMatch(/^250 /);
    expect(await service.typesOf(id)).toEqual(['hard_bounce', 'delivery', 'new']);
  });

  it('is refused at the recipient when the address is forged, and goes nowhere', async () => {
    const { id, to, returnPath } = await service.send();
    const forged = [
      returnPath.replace(/.@/, (end) => (end === '0@' ? '1@' : '0@')),
      returnPath.replace(/^b/, 'u'),
      returnPath.replace(id, '0199d3a5-3f2b-7c11-9a2e-6b1f0c2d4e5f'),
      'anybody@bounces.mail.sendspec.test',
    ];
    for (const address of forged)
      expect([address, await service.post(address, HARD)]).toEqual([
        address,
        expect.stringMatching(/^550 5\.1\.1 /),
      ]);
    expect(await service.typesOf(id)).toEqual(['delivery', 'new']);
    expect(await service.suppressionsOf(to)).toEqual([]);
  });

  it('may come together with a mail for the sink', async () => {
    const { id, returnPath } = await service.send();
    expect(await service.post(['somebody@customer.test', returnPath], HARD)).toMatch(/^250 /);
    expect(await service.typesOf(id)).toEqual(['hard_bounce', 'delivery', 'new']);
    expect(await service.api.mailsTo('somebody@customer.test')).toHaveLength(1);
    expect(await service.api.mailsTo(returnPath)).toHaveLength(0);
  });

  it('counts by its beginning when the mail that it returns is large', async () => {
    const { id, returnPath } = await service.send();
    const large = HARD.replace('--=_report_1--', `${'x'.repeat(70)}\n`.repeat(60_000));
    expect(await service.post(returnPath, large)).toMatch(/^250 /);
    expect(await service.typesOf(id)).toEqual(['hard_bounce', 'delivery', 'new']);
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
    const [sent, other] = [await service.send(), await service.send()];
    for (let time = 0; time < 2; time++) {
      const reply = await service.post(
        'FBL@bounces.mail.sendspec.test',
        filled(mail, sent, other),
        'x@provider.example',
      );
      expect(reply).toMatch(/^250 /);
    }
    const isComplaint = outcome === 'spam_complaint';
    expect(await service.typesOf(sent.id)).toEqual([...(isComplaint ? [outcome] : []), 'delivery', 'new']);
    expect(await service.suppressionsOf(sent.to)).toMatchObject(
      isComplaint ? [{ type: 'spam_complaint' }] : [],
    );
    expect(await service.typesOf(other.id)).toEqual(['delivery', 'new']);
  });

  it('is played by the simulator', async () => {
    const to = 'spam_complaint+me@simulator.test';
    const before = await service.count('spam_complaint');
    const id = await service.accept({ to: [{ email: to }], subject: 'é', body: { text: '.\r\n.\r\n' } });
    await expect.poll(() => service.typesOf(id)).toEqual(['spam_complaint', 'delivery', 'new']);
    expect(await service.suppressionsOf(to)).toMatchObject([{ type: 'spam_complaint', message_id: id }]);
    expect(await service.count('spam_complaint')).toBe(before + 1);
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
