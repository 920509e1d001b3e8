import { eventBit } from '../server/domain/events.ts';
import { COUNTERS } from '../server/store/counters.ts';

// Everything is drawn from a hash of the message's number: the same seed gives the same log, moved to the present.

/** A number from 0 to 1 that depends on the message's number and on what it is drawn for. */
function drawn(what: number): string {
  return `(hashint8(i::bigint * 64 + ${what})::bigint & 2147483647) / 2147483648.0`;
}

/** A UUID of version 7 of a moment, different for each message and each kind of thing. */
function uuidAt(moment: string, what: string): string {
  const hash = `md5(i || '${what}')`;
  const milliseconds = `lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0')`;
  return `(${milliseconds} || '7' || substr(${hash}, 1, 3) || 'a' || substr(${hash}, 5, 15))::uuid`;
}

/**
 * What happens to each message. $1: messages, $2: accounts (their domains are used in turn), $3: days.
 * Of a hundred messages two bounce for good, four are deferred (one of them for ever); of what arrives and is tracked 35 %
 * is opened, a fifth of that clicked; one in 500 unsubscribes, one in 2,000 complains.
 */
export const PLAN_SQL = `
create temp table seed_plan as
with senders as (
  select a.organisation_id, a.account_id, d.domain_id, d.name, row_number() over (order by a.account_id, d.domain_id) - 1 as place,
    count(*) over () as places
  from accounts a join domains d using (organisation_id)
  where a.account_id = any(select unnest($2::uuid[]))
), moments as (
  select i, now() - make_interval(days => $3::int) + (i + 0.5) * make_interval(days => $3::int) / $1::int as created_at
  from generate_series(0, $1::int - 1) as i
), drawn as (
  select moments.*, ${drawn(1)} as fate, ${drawn(2)} < 0.7 as track_opens, ${drawn(3)} < 0.5 as track_clicks,
    ${drawn(4)} as opening, ${drawn(5)} as clicking, ${drawn(6)} as leaving, ${drawn(7)} as complaining,
    floor(${drawn(8)} * 4) as sender
  from moments
), decided as (
  select *, fate < 0.02 as bounces, fate >= 0.02 and fate < 0.06 as defers, fate >= 0.03 as arrives from drawn
)
select i, s.organisation_id, s.account_id, s.domain_id, 'hello@' || s.name as from_email, created_at,
  ${uuidAt('created_at', 'message')} as message_id, track_opens, track_clicks, bounces, defers, arrives,
  arrives and track_opens and opening < 0.35 as opens,
  arrives and track_opens and opening < 0.08 as opens_again,
  arrives and track_opens and track_clicks and opening < 0.35 and clicking < 0.2 as clicks,
  arrives and leaving < 0.002 as unsubscribes,
  arrives and complaining < 0.0005 as complains,
  least(created_at + interval '2 seconds', now()) as tried_at,
  least(created_at + interval '5 minutes', now()) as retried_at,
  least(created_at + make_interval(secs => 600 + 80000 * clicking), now()) as seen_at
from decided join senders s on s.place = decided.sender::int % s.places`;

const DELIVERED_AT = 'case when defers then retried_at else tried_at end';

export const MESSAGES_SQL = `
insert into messages (
  message_id, organisation_id, account_id, domain_id, custom_id, recipient_email, from_email, subject, track_opens,
  track_clicks, created_at, updated_at, delivery_status, opened_at, clicked_at, unsubscribed_at, spam_complaint_at,
  smtp_response, event_mask
)
select message_id, organisation_id, account_id, domain_id, case when i % 2 = 0 then 'order-' || i else '' end,
  'customer-' || (hashint8(i) & 65535) || '@example.com', from_email, 'Your order ' || i || ' is on its way',
  track_opens, track_clicks, created_at,
  case when opens or clicks or unsubscribes or complains then seen_at when arrives then ${DELIVERED_AT} else tried_at end,
  case when bounces then 'hard_bounce' when arrives then 'delivery' else 'soft_bounce' end,
  case when opens then seen_at end, case when clicks then seen_at end, case when unsubscribes then seen_at end,
  case when complains then seen_at end,
  case when bounces then '550 5.1.1 no such user here' when arrives then '250 2.0.0 Ok: queued as ' || substr(md5(i::text), 1, 10)
    else '451 4.7.1 try again later' end,
  ${eventBit('new')} + case when bounces then ${eventBit('hard_bounce')} else 0 end
    + case when arrives then ${eventBit('delivery')} else 0 end
    + case when defers then ${eventBit('soft_bounce')} else 0 end + case when opens then ${eventBit('open')} else 0 end
    + case when clicks then ${eventBit('click')} else 0 end
    + case when unsubscribes then ${eventBit('unsubscribe')} else 0 end
    + case when complains then ${eventBit('spam_complaint')} else 0 end
from seed_plan order by i`;

function eventsOf(
  type: string,
  when: string,
  moment: string,
  details: string,
  isUnique = 'false',
  name: string = type,
): string {
  return `
  select ${uuidAt(moment, name)}, message_id, organisation_id, account_id, domain_id, '${type}', ${moment}, ${isUnique},
    '${details}'::jsonb
  from seed_plan where ${when}`;
}

const VISIT = '{"user_agent": "Mozilla/5.0 (X11; Linux x86_64)", "user_ip": "192.0.2.7", "automated": false}';
const LOG_ID = '01a3f2c4-7d1e-7a60-9b35-0f6f1d2c3b4a';
const reply = (text: string) => `{"smtp_response": "${text}", "smtp_log_id": "${LOG_ID}"}`;

export const EVENTS_SQL = `
insert into message_events (
  event_id, message_id, organisation_id, account_id, domain_id, type, received_at, is_unique, details
)
select * from (${[
  eventsOf('new', 'true', 'created_at', '{}'),
  eventsOf('hard_bounce', 'bounces', 'tried_at', reply('550 5.1.1 no such user here')),
  eventsOf('soft_bounce', 'defers', 'tried_at', reply('451 4.7.1 try again later')),
  eventsOf('delivery', 'arrives', DELIVERED_AT, reply('250 2.0.0 Ok: queued')),
  eventsOf('open', 'opens', 'seen_at', VISIT, 'true'),
  eventsOf('open', 'opens_again', 'seen_at', VISIT, 'false', 'open again'),
  eventsOf('click', 'clicks', 'seen_at', VISIT, 'true'),
  eventsOf('unsubscribe', 'unsubscribes', 'seen_at', '{"list_id": ""}'),
  eventsOf('spam_complaint', 'complains', 'seen_at', '{}'),
].join(' union all ')}
) as events (event_id, message_id, organisation_id, account_id, domain_id, type, received_at, is_unique, details)
order by received_at, event_id`;

/** Counters as the service would have counted them. */
export function countersSql(): string[] {
  const owner = 'organisation_id, account_id, domain_id';
  return [
    `insert into message_counts (${owner}, bucket, event_mask, messages)
     select ${owner}, date_trunc('hour', created_at), event_mask, count(*) from messages group by 1, 2, 3, 4, 5`,
    `insert into stats_hourly (${owner}, bucket, ${COUNTERS.join(', ')})
     select ${owner}, bucket, ${COUNTERS.map((name) => `sum(${name})`).join(', ')} from (
       select ${owner}, date_trunc('hour', created_at) as bucket, ${COUNTERS.map(ofMessage).join(', ')} from messages
       union all
       select ${owner}, date_trunc('hour', received_at), ${COUNTERS.map(ofEvent).join(', ')} from message_events
     ) as changes group by 1, 2, 3, 4`,
  ];
}

function ofMessage(counter: string): string {
  if (counter === 'messages') return '1 as messages';
  return counter === 'track_opens' || counter === 'track_clicks' ? `${counter}::int` : `0 as ${counter}`;
}

function ofEvent(counter: string): string {
  if (counter === 'messages' || counter === 'track_opens' || counter === 'track_clicks') return '0';
  if (counter === 'unique_opens') return "(type = 'open' and is_unique)::int";
  if (counter === 'unique_clicks') return "(type = 'click' and is_unique)::int";
  return `(type = '${counter}')::int`;
}
