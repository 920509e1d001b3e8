import type pg from 'pg';
import { withClient } from '../postgres.ts';

const HOURS_AHEAD = 4;

/**
 * Lets so many messages wait for their next attempt within the hours to come, each as the one that the database has already:
 * message, content, event, job, and the counters. The workers must be off.
 */
export async function seedWaiting(databaseUrl: string, messages: number): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query("set synchronous_commit = off; set work_mem = '256MB'");
    await client.query(
      `create temp table waiting as
       select gen_random_uuid() as id, n from generate_series(1, ${messages}) as n`,
    );
    for (const statement of COPIES) await client.query(statement);
    await client.query(`update stats_hourly set messages = messages + ${messages}`);
    await client.query(`update message_counts set messages = messages + ${messages}`);
    // As autovacuum would have left it.
    await client.query('vacuum (analyze)');
    await check(client, messages + 1);
  });
}

/** A copy of the only row of a table for each waiting message, with these columns changed (JSON). */
function copyOf(table: string, changes: string): string {
  return `insert into ${table} select copy.* from waiting w, (select * from ${table} limit 1) as one,
    lateral jsonb_populate_record(null::${table}, to_jsonb(one) || jsonb_build_object(${changes})) as copy`;
}

const COPIES = [
  copyOf(
    'messages',
    "'message_id', w.id, 'custom_id', 'waiting-' || w.n, 'recipient_email', 'customer-' || w.n || '@example.net'",
  ),
  copyOf('message_contents', "'message_id', w.id"),
  copyOf('message_events', "'event_id', gen_random_uuid(), 'message_id', w.id"),
  copyOf(
    'pgboss.job',
    `'id', w.id, 'start_after', now() + interval '${HOURS_AHEAD} hours' * (0.5 + random() / 2)`,
  ),
];

async function check(client: pg.Client, expected: number): Promise<void> {
  const { rows } = await client.query<Record<string, string>>(
    `select (select count(*) from messages) as messages, (select count(*) from message_contents) as contents,
       (select count(*) from message_events) as events, (select count(*) from pgboss.job where name = 'deliver') as jobs`,
  );
  const counts = Object.entries(rows[0] ?? {});
  if (counts.some(([, count]) => Number(count) !== expected))
    throw new Error(`${expected} messages should wait, and there are ${JSON.stringify(rows[0])}`);
}
