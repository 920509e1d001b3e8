import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Correspondence } from './inbound-testing.ts';

let service: Correspondence;

beforeAll(async () => {
  service = await Correspondence.start();
});
afterAll(async () => {
  await service.api.close();
});

describe('a request to unsubscribe', () => {
  const REQUEST =
    'From: <reader@customer.test>\nSubject: unsubscribe\nMessage-Id: <request@customer.test>\n\nPlease.\n';

  it('becomes the event and the suppression, once', async () => {
    const { id, to, unsubscribe } = await service.send();
    expect(unsubscribe).toMatch(new RegExp(`^u-${id}-.*@bounces\\.mail\\.sendspec\\.test`));
    for (let time = 0; time < 3; time++)
      expect(await service.post(unsubscribe, REQUEST, to)).toMatch(/^250 /);
    const [event, ...rest] = await service.eventsOf(id);
    expect(event).toMatchObject({ type: 'unsubscribe', details: { list_id: 'news.demo.test' } });
    expect(rest.map(({ type }) => type)).toEqual(['delivery', 'new']);
    expect(await service.suppressionsOf(to)).toMatchObject([{ type: 'unsubscribe', message_id: id }]);
  });

  it('is forwarded, as it came, to the address of the sender, once', async () => {
    const address = 'leave-1@demo.test';
    const { to, unsubscribe } = await service.send({ list_unsubscribe: address });
    for (let time = 0; time < 2; time++) await service.post(unsubscribe, `${REQUEST}bare\rreturn`, to);
    await expect.poll(() => service.api.mailsTo(address)).toHaveLength(1);
    const [mail] = await service.api.store.sandbox.captured({ to: address, limit: 2 });
    expect(mail).toMatchObject({ from: 'forwards@bounces.mail.sendspec.test', to: [address] });
    const raw = Buffer.from(mail?.raw ?? []).toString();
    expect(raw).toMatch(
      /^Received: from mx\.example\.com \(\[127\.0\.0\.1\]\)\r\n\tby mail\.sendspec\.test with ESMTP;\r\n\t\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} \+0000\r\nFrom: <reader@customer\.test>\r\n/,
    );
    expect(raw).toContain('Message-Id: <request@customer.test>\r\n\r\nPlease.\r\nbare\r\nreturn\r\n');
    expect(await left()).toBe(0);
  });

  const left = async () =>
    (await service.api.database.db.selectFrom('forwards').select('forward_id').execute()).length;

  it('waits for a transport that is not there, and for its next attempt', async () => {
    const address = 'leave-2@demo.test';
    const { to, unsubscribe } = await service.send({ list_unsubscribe: address });
    const { db } = service.api.database;
    await db.schema.alterTable('captured_mails').renameTo('away').execute();
    await service.post(unsubscribe, REQUEST, to);
    await expect.poll(() => service.api.takeFaults().length).toBeGreaterThan(0);
    await db.schema
      .alterTable('away' as 'captured_mails')
      .renameTo('captured_mails')
      .execute();
    // The same domain has one at a time: the first has been put off when the second has arrived.
    await forwarded('leave-3@demo.test');
    expect(await service.api.mailsTo(address)).toEqual([]);
    await expect.poll(left).toBe(1);
    await service.advance(3600);
    // A further request wakes the forwarder; on its own it looks every few seconds.
    await forwarded('leave-9@demo.test');
    await expect.poll(() => service.api.mailsTo(address)).toHaveLength(1);
    await expect.poll(left).toBe(0);
  });

  async function forwarded(address: string): Promise<void> {
    const { to, unsubscribe } = await service.send({ list_unsubscribe: address });
    await service.post(unsubscribe, REQUEST, to);
    await expect.poll(() => service.api.mailsTo(address)).toHaveLength(1);
  }

  it('is not forwarded to a URL, to ourselves, or in circles', async () => {
    const bounces = await service.send();
    for (const [target, trace] of [
      ['https://demo.test/leave', ''],
      [bounces.unsubscribe, ''],
      ['fbl@bounces.mail.sendspec.test', ''],
      ['forwards@bounces.mail.sendspec.test', ''],
      ['leave-4@demo.test', 'Received: from x by y; now\n'.repeat(25)],
    ] as const) {
      const { id, to, unsubscribe } = await service.send({ list_unsubscribe: target });
      expect(await service.post(unsubscribe, trace + REQUEST, to)).toMatch(/^250 /);
      expect([target, await service.typesOf(id)]).toEqual([target, ['unsubscribe', 'delivery', 'new']]);
    }
    // Forwards go in the order in which they came.
    await forwarded('leave-8@demo.test');
    expect(await service.api.mailsTo('leave-4@demo.test')).toEqual([]);
    expect(await service.typesOf(bounces.id)).toEqual(['delivery', 'new']);
  });

  it('is none when a program answers, or when it is large', async () => {
    const { id, to, unsubscribe } = await service.send({ list_unsubscribe: 'leave-5@demo.test' });
    const answers = [
      'Auto-Submitted: auto-replied',
      'X-Autoreply: yes',
      'Content-Type: multipart/report; boundary=b',
    ];
    for (const header of answers)
      expect(await service.post(unsubscribe, `${header}\n${REQUEST}`)).toMatch(/^250 /);
    const large = `${REQUEST}${`${'x'.repeat(70)}\n`.repeat(20_000)}`;
    expect(await service.post(unsubscribe, large, to)).toMatch(/^552 5\.3\.4 /);
    expect(await service.typesOf(id)).toEqual(['delivery', 'new']);
    expect(await left()).toBe(0);
  });

  it('is dropped with its message', async () => {
    await service.api.database.db
      .insertInto('forwards')
      .values({
        forward_id: '0199d3a5-3f2b-7c11-9a2e-6b1f0c2d4e5f',
        message_id: '0199d3a5-3f2b-7c11-9a2e-6b1f0c2d4e60',
        recipient: 'leave-6@demo.test',
        raw: Buffer.from('x'),
        created_at: service.api.clock.now(),
        attempts: 0,
        next_attempt_at: service.api.clock.now(),
      })
      .execute();
    const other = await service.send({ list_unsubscribe: 'leave-7@demo.test' });
    await service.post(other.unsubscribe, REQUEST, other.to);
    await expect.poll(left).toBe(0);
    expect(await service.api.mailsTo('leave-6@demo.test')).toHaveLength(0);
  });
});
