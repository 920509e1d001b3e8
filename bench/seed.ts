import type pg from 'pg';
import { eventBit, type MessageEventType } from '../server/domain/events.ts';
import { query, withClient } from './postgres.ts';
import { countersSql, EVENTS_SQL, MESSAGES_SQL, PLAN_SQL } from './seed-sql.ts';
import type { BenchTenant } from './tenant.ts';

/** How many days before now the log of a seeded tenant begins. */
const SEEDED_DAYS = 60;

const LOG_TABLES = ['messages', 'message_events'];

/**
 * Fills the log of a tenant with so many messages, evenly spread over the last 60 days, with the events that such mail
 * has, and with the counters that belong to them; then holds the counters against the log.
 * The tables of the log must be empty: their indexes are built after the rows.
 */
export async function seed(
  databaseUrl: string,
  tenant: BenchTenant,
  messages: number,
  progress: (text: string) => void,
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query(
      "set synchronous_commit = off; set maintenance_work_mem = '256MB'; set work_mem = '256MB'",
    );
    progress(`seeding ${messages.toLocaleString('en-US')} messages: plan`);
    await client.query(PLAN_SQL, [
      messages,
      tenant.accounts.map(({ account_id }) => account_id),
      SEEDED_DAYS,
    ]);
    const indexes = await dropIndexes(client);
    progress('seeding: messages');
    await client.query(MESSAGES_SQL);
    progress('seeding: events');
    await client.query(EVENTS_SQL);
    progress('seeding: indexes');
    for (const index of indexes) await client.query(index);
    progress('seeding: counters');
    for (const statement of countersSql()) await client.query(statement);
    await client.query('drop table seed_plan');
    // As autovacuum would have left it.
    await client.query('vacuum (analyze)');
  });
  await verify(databaseUrl, messages);
}

async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes
     where tablename = any($1) and indexname not in (select conname from pg_constraint)`,
    [LOG_TABLES],
  );
  for (const { indexname } of rows) await client.query(`drop index ${indexname}`);
  return rows.map(({ indexdef }) => indexdef);
}

/** The counters of the contract that stand for events, and how the log counts them. */
const RECOUNTS: Record<string, string> = {
  messages: 'select count(*) from messages',
  track_opens: 'select count(*) from messages where track_opens',
  track_clicks: 'select count(*) from messages where track_clicks',
  unique_opens: 'select count(*) from messages where opened_at is not null',
  unique_clicks: 'select count(*) from messages where clicked_at is not null',
  delivery: countOf('delivery'),
  hard_bounce: countOf('hard_bounce'),
  soft_bounce: countOf('soft_bounce'),
  spam_complaint: countOf('spam_complaint'),
  unsubscribe: countOf('unsubscribe'),
  open: countOf('open'),
  click: countOf('click'),
};

/** Throws when the counters and the log disagree, or the log is not what was asked for. */
async function verify(databaseUrl: string, messages: number): Promise<void> {
  const [log] = await query<{ messages: string; wrong: string }>(
    databaseUrl,
    `select count(*) as messages, count(*) filter (where m.event_mask <> e.mask) as wrong
     from messages m join (
       select message_id, bit_or(${maskSql('type')}) as mask from message_events group by message_id
     ) e using (message_id)`,
  );
  if (Number(log?.messages) !== messages || Number(log?.wrong) !== 0) {
    throw new Error(
      `seeded ${log?.messages} messages instead of ${messages}, ${log?.wrong} with a wrong mask`,
    );
  }
  for (const [counter, recount] of Object.entries(RECOUNTS)) {
    const [row] = await query<{ counted: string; recounted: string }>(
      databaseUrl,
      `select (select sum(${counter}) from stats_hourly) as counted, (${recount}) as recounted`,
    );
    if (row?.counted !== row?.recounted) {
      throw new Error(`the counter ${counter} is ${row?.counted}, the log has ${row?.recounted}`);
    }
  }
  const wrong = await query(
    databaseUrl,
    `select organisation_id, account_id, domain_id, bucket, event_mask, messages from message_counts
     except select organisation_id, account_id, domain_id, date_trunc('hour', created_at), event_mask, count(*)
     from messages group by 1, 2, 3, 4, 5`,
  );
  if (wrong.length > 0) throw new Error(`${wrong.length} rows of message_counts disagree with the log`);
}

function countOf(type: MessageEventType): string {
  return `select count(*) from message_events where type = '${type}'`;
}

function maskSql(column: string): string {
  const types: readonly MessageEventType[] = [
    'new',
    'delivery',
    'hard_bounce',
    'soft_bounce',
    'spam_complaint',
    'unsubscribe',
    'open',
    'click',
  ];
  const cases = types.map((type) => `when '${type}' then ${eventBit(type)}`);
  return `case ${column} ${cases.join(' ')} end`;
}
