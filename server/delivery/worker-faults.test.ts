import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createSigner } from './signer.ts';
import {
  accept,
  answering,
  eventsOf,
  faults,
  page,
  parts,
  prepareWorkers,
  settled,
  sinkTransport,
  tenant,
  work,
} from './worker-testing.ts';

prepareWorkers();

describe('a message that cannot be composed', () => {
  it('ends at once, and does not hold up the others', async () => {
    const transport = await sinkTransport();
    const [poison = '', sound = ''] = await accept('poison@example.com', 'sound@example.com');
    await sql`update message_contents set html = null, text = null where message_id = ${poison}`.execute(
      parts.database.db,
    );
    work(transport);
    await Promise.all([settled(poison, 'soft_bounce'), settled(sound, 'delivery')]);
    const events = await tenant.store.messages.listEvents(poison, page);
    expect(events.rows).toMatchObject([
      {
        type: 'soft_bounce',
        details: { smtp_response: '5.6.0 The message cannot be composed.' },
      },
      { type: 'new' },
    ]);
    expect(await parts.queue.depth()).toEqual({ ready: 0, waiting: 0, active: 0 });
  });
});

describe('a message that cannot be signed for now', () => {
  it('waits a few seconds, without a trace in its log', async () => {
    let failures = 1;
    const sound = createSigner((id) => parts.store.delivery.signingKey(id));
    const [id = ''] = await accept('unsigned@example.com');
    work(answering('delivery', false), {
      sign: async (raw, keyId) => {
        failures -= 1;
        if (failures >= 0) throw new Error('password authentication failed for user "sendspec"');
        return sound(raw, keyId);
      },
    });
    await expect.poll(() => parts.queue.depth()).toMatchObject({ waiting: 1 });
    expect([await eventsOf(id), faults]).toEqual([['new'], [`Signing message ${id} failed.`]]);
    await parts.queue.advance(60);
    await settled(id, 'delivery');
    expect(await eventsOf(id)).toEqual(['new', 'delivery']);
  });
});

describe('a job without a message', () => {
  it('is dropped', async () => {
    const sent: string[] = [];
    const [id = ''] = await accept('gone@example.com');
    await sql`delete from message_contents where message_id = ${id}`.execute(parts.database.db);
    work(answering('delivery', false, sent));
    await expect.poll(() => parts.queue.depth()).toEqual({ ready: 0, waiting: 0, active: 0 });
    expect(sent).toEqual([]);
    expect(await eventsOf(id)).toEqual(['new']);
  });
});

describe('a database that fails', () => {
  it('does not make the worker forget what it delivered', async () => {
    const sent: string[] = [];
    let failures = 3;
    const [id = ''] = await accept('outage@example.com');
    const { delivery } = parts.store;
    work(answering('delivery', false, sent), {
      store: {
        load: (ids) => delivery.load(ids),
        discard: (jobs) => delivery.discard(jobs),
        record: async (records) => {
          failures -= 1;
          if (failures >= 0) throw new Error('The database is away.');
          return delivery.record(records);
        },
      },
    });
    await settled(id, 'delivery');
    expect(sent).toEqual(['outage@example.com']);
    expect(await eventsOf(id)).toEqual(['new', 'delivery']);
    expect(faults).toHaveLength(3);
  });

  it('does not end the worker when it cannot be asked', async () => {
    let failures = 2;
    const [id = ''] = await accept('asked@example.com');
    work(answering('delivery', false), {
      queue: {
        release: (jobs) => parts.queue.release(jobs),
        putOff: (jobs) => parts.queue.putOff(jobs),
        fetchDeliveries: async (limit) => {
          failures -= 1;
          if (failures >= 0) throw new Error('The database is away.');
          return parts.queue.fetchDeliveries(limit);
        },
      },
    });
    await settled(id, 'delivery');
    expect(faults).toHaveLength(2);
  });
});

describe('a message of a domain whose key is damaged', () => {
  it('says so in the log of the message, and waits for its next attempt', async () => {
    const [id = ''] = await accept('unsigned@example.com');
    const { db } = parts.database;
    const { domain_id } = tenant.domain;
    const keys = await sql<{ position: number; private_key: string }>`
      select position, private_key from dkim_keys where domain_id = ${domain_id}`.execute(db);
    await sql`update dkim_keys set private_key = 'damaged' where domain_id = ${domain_id}`.execute(db);
    const sent: string[] = [];
    work(answering('delivery', false, sent));
    await settled(id, 'soft_bounce');
    const events = await tenant.store.messages.listEvents(id, page);
    const response = `4.7.5 The DKIM key of ${tenant.domain.name} cannot be used; its messages wait`;
    expect(events.rows[0]).toMatchObject({ details: { smtp_response: response } });
    expect(faults).toEqual([`Signing message ${id} failed.`]);
    for (const { position, private_key } of keys.rows)
      await sql`
        update dkim_keys set private_key = ${private_key}
        where domain_id = ${domain_id} and position = ${position}`.execute(db);
    await parts.queue.advance(600);
    await settled(id, 'delivery');
    expect(sent).toEqual(['unsigned@example.com']);
  });
});
