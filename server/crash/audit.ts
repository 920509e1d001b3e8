import type pg from 'pg';
import type { Blow } from './fleet.ts';
import type { Ledger } from './ledger.ts';
import type { Copy } from './sink.ts';

// What must hold of the database, of what the senders were told, and of what the sink got.

export interface Evidence {
  client: pg.Client;
  ledger: Ledger;
  copies: readonly Copy[];
  /** Those whose senders heard nothing, as the sink was cut off: their `copyId`s. */
  unanswered: ReadonlySet<string>;
  /** Kills of the process that delivers to the sink's port of that number, by that number. */
  killsOfWorker: readonly (readonly Blow[])[];
  /** How often the sink was cut off. */
  cuts: number;
}

export interface Finding {
  what: string;
  count: number;
  examples: string[];
}

/** A message of the log, with what there is about it. */
interface LoggedMessage {
  message_id: string;
  custom_id: string;
  delivery_status: string;
  has_content: boolean;
  has_job: boolean;
  events: string[];
  attempts: number;
}

const FINAL: ReadonlySet<string> = new Set(['delivery', 'hard_bounce']);

/** While work is left: nothing that was accepted is gone, and what is not final has its job in the queue. */
export async function auditUnderWay({ client, ledger }: Evidence): Promise<Finding[]> {
  const messages = await readMessages(client);
  return [
    ...lost(ledger, messages),
    finding(
      'not final, and without a job in the queue',
      messages.filter((one) => one.has_content && !one.has_job),
    ),
    finding(
      'final, and still with a job in the queue',
      messages.filter((one) => !one.has_content && one.has_job),
    ),
  ].filter(({ count }) => count > 0);
}

/** Once the queue is empty: everything is final, told once, counted rightly, and the sink has it. */
export async function auditSettled(evidence: Evidence): Promise<Finding[]> {
  const { client, ledger, copies } = evidence;
  const messages = await readMessages(client);
  const known = new Set(messages.map((one) => one.message_id));
  const taken = Map.groupBy(copies, (copy) => copy.messageId);
  const times = (one: LoggedMessage, type: string) => one.events.filter((event) => event === type).length;
  const ends = (one: LoggedMessage) => one.events.filter((event) => FINAL.has(event)).length;
  return [
    ...lost(ledger, messages),
    finding(
      'still have content or a job',
      messages.filter((one) => one.has_content || one.has_job),
    ),
    finding(
      'do not have exactly one event new',
      messages.filter((one) => times(one, 'new') !== 1),
    ),
    finding(
      'do not have exactly one final event',
      messages.filter((one) => ends(one) !== 1),
    ),
    finding(
      'have a status that is not their final event',
      messages.filter((one) => !one.events.includes(one.delivery_status)),
    ),
    finding(
      'have another number of entries in the delivery log than of outcomes',
      messages.filter((one) => one.attempts !== one.events.length - 1),
    ),
    finding(
      'count as delivered, and the sink does not have them',
      messages.filter((one) => one.delivery_status === 'delivery' && !taken.has(one.message_id)),
    ),
    finding(
      'are at the sink, and do not count as delivered',
      messages.filter((one) => one.delivery_status !== 'delivery' && taken.has(one.message_id)),
    ),
    listed(
      'mails that the sink has were never accepted',
      [...taken.keys()].filter((id) => !known.has(id)),
    ),
    listed(
      'mails are not signed',
      copies.filter((copy) => !copy.isSigned).map((copy) => copy.messageId),
    ),
    listed(
      'copies were sent again although they were answered, and not in delivery at a kill',
      unexcused(evidence).map((copy) => storyOf(copy, evidence)),
    ),
    ...(await wrongCounters(client)),
  ].filter(({ count }) => count > 0);
}

/** Every copy but the last of a message that the sink took more than once. */
export function extraCopies(copies: readonly Copy[]): Copy[] {
  return [...Map.groupBy(copies, (copy) => copy.messageId).values()].flatMap((group) => group.slice(0, -1));
}

/** The copies that were followed by another although their sender heard that they were taken, and lived until that was recorded. */
function unexcused({ copies, unanswered, killsOfWorker }: Evidence): Copy[] {
  return extraCopies(copies).filter(({ copyId, messageId, worker, at }) => {
    const kills = killsOfWorker[worker] ?? [];
    const isUnrecorded = kills.some((kill) => kill.at >= at && kill.active.has(messageId));
    return !isUnrecorded && !unanswered.has(copyId);
  });
}

/** Who brought the message when, and when they were killed, in seconds since its first copy. */
function storyOf({ messageId, at: start }: Copy, { copies, killsOfWorker }: Evidence): string {
  const seconds = (at: number) => `${((at - start) / 1000).toFixed(1)} s`;
  const brought = copies
    .filter((copy) => copy.messageId === messageId)
    .map(({ worker, at }) => `worker ${worker + 1} at ${seconds(at)}`);
  const kills = killsOfWorker.map(
    (blows, worker) => `worker ${worker + 1} killed at ${blows.map((blow) => seconds(blow.at)).join(', ')}`,
  );
  return `${messageId}: ${brought.join('; ')}; ${kills.join('; ')}`;
}

function lost(ledger: Ledger, messages: readonly LoggedMessage[]): Finding[] {
  const ids = new Set(messages.map((one) => one.message_id));
  const ofCustomId = Map.groupBy(messages, (one) => one.custom_id);
  const accepted = [...ledger.accepted.values(), ...ledger.acceptedUnseen];
  const sent = new Set([...accepted, ...ledger.unknown]);
  return [
    listed(
      'were accepted and are gone',
      [...ledger.accepted.keys()].filter((id) => !ids.has(id)),
    ),
    listed(
      'were accepted once and are there more or less often',
      accepted.filter((id) => ofCustomId.get(id)?.length !== 1),
    ),
    listed(
      'were never sent by anybody',
      [...ofCustomId.keys()].filter((id) => !sent.has(id)),
    ),
  ].filter(({ count }) => count > 0);
}

async function readMessages(client: pg.Client): Promise<LoggedMessage[]> {
  const { rows } = await client.query<LoggedMessage>(
    `select m.message_id, m.custom_id, m.delivery_status, c.message_id is not null as has_content,
       j.id is not null as has_job, coalesce(e.events, '{}') as events, coalesce(s.attempts, 0)::int as attempts
     from messages m
       left join message_contents c using (message_id)
       left join pgboss.job j on j.id = m.message_id and j.name = 'deliver'
       left join (select message_id, array_agg(type) as events from message_events group by 1) e using (message_id)
       left join (select message_id, count(*) as attempts from smtp_deliveries group by 1) s using (message_id)`,
  );
  return rows;
}

const RECOUNTS: Record<string, string> = {
  messages: 'select created_at as at from messages',
  track_clicks: 'select created_at as at from messages where track_clicks',
  delivery: "select received_at as at from message_events where type = 'delivery'",
  hard_bounce: "select received_at as at from message_events where type = 'hard_bounce'",
  soft_bounce: "select received_at as at from message_events where type = 'soft_bounce'",
};

/** Hour by hour, the statistics and the counts of the log against the log itself; and the suppressions against the hard bounces. */
async function wrongCounters(client: pg.Client): Promise<Finding[]> {
  const wrong: string[] = [];
  const compare = async (name: string, one: string, other: string) => {
    const { rows } = await client.query(`(${one} except ${other}) union all (${other} except ${one})`);
    if (rows.length > 0) wrong.push(`${name}: ${JSON.stringify(rows[0])}`);
  };
  for (const [counter, log] of Object.entries(RECOUNTS)) {
    await compare(
      counter,
      `(select bucket, sum(${counter})::bigint from stats_hourly where ${counter} > 0 group by 1)`,
      `(select date_trunc('hour', at, 'UTC'), count(*) from (${log}) log group by 1)`,
    );
  }
  await compare(
    'message_counts',
    '(select bucket, event_mask, sum(messages)::bigint from message_counts where messages > 0 group by 1, 2)',
    "(select date_trunc('hour', created_at, 'UTC'), event_mask, count(*) from messages group by 1, 2)",
  );
  await compare(
    'suppressions',
    '(select recipient_email from suppressions)',
    "(select recipient_email from messages where delivery_status = 'hard_bounce')",
  );
  return [listed('counters differ from the log', wrong)];
}

function finding(what: string, messages: readonly LoggedMessage[]): Finding {
  return listed(
    what,
    messages.map((one) => JSON.stringify(one)),
  );
}

function listed(what: string, examples: readonly string[]): Finding {
  return { what, count: examples.length, examples: examples.slice(0, 3) };
}
