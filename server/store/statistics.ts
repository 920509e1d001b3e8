import { type RawBuilder, sql } from 'kysely';
import type { Period } from '../domain/periods.ts';
import { hourOf } from '../domain/time.ts';
import { COUNTERS, NO_COUNTS } from './counters.ts';
import { hoursOf } from './hours.ts';
import { isVisible } from './message-filter.ts';
import type { AccountStatisticsRow, DomainStatisticsRow, StatisticsRow } from './rows.ts';
import type { StatisticsCounters } from './schema.ts';
import { own, type Scope } from './scope.ts';
import type { StatisticsStore } from './store.ts';

/** Statistics of one organisation. */
export function statisticsStore(scope: Scope): StatisticsStore {
  return { read: (period, breakdown) => read(scope, period, breakdown) };
}

/** Counters of one account with one domain. */
type PairRow = StatisticsCounters & { account_id: string; domain_id: string };

async function read(
  scope: Scope,
  period: Period,
  breakdown: 'accounts' | 'domains' | undefined,
): Promise<StatisticsRow> {
  const { first, last, cut } = hoursOf(period, scope.clock.now());
  const parts = await Promise.all([
    countWhole(
      scope,
      first,
      last,
      cut.map((part) => hourOf(part.from)),
    ),
    ...cut.flatMap((part) => [countEvents(scope, part), countMessages(scope, part)]),
  ]);
  const pairs = parts.flat();
  const summary: StatisticsRow = { stats_summary: sum(pairs) };
  if (breakdown === 'accounts') return { ...summary, breakdown: await byAccount(scope, pairs) };
  if (breakdown === 'domains') return { ...summary, breakdown: await byDomain(scope, pairs) };
  return summary;
}

/** Each counter summed up, under its own name. */
const SUMS = sql.join(COUNTERS.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`));

function countWhole(scope: Scope, first: string, last: string, except: string[]): Promise<PairRow[]> {
  return scope.rows<PairRow>`
    with hours as (
      select * from stats_hourly
      where organisation_id = ${own} and bucket between ${first} and ${last}
        and bucket <> all(${except}::timestamptz[])
    )
    select account_id, domain_id, ${SUMS} from hours group by account_id, domain_id`;
}

// The counter of an event has the name of its type.
const EVENT_COUNTERS = COUNTERS.map((name): RawBuilder<unknown> => {
  switch (name) {
    case 'messages':
    case 'track_opens':
    case 'track_clicks':
      return sql`0 as ${sql.ref(name)}`;
    case 'unique_opens':
      return sql`count(*) filter (where type = 'open' and is_unique) as unique_opens`;
    case 'unique_clicks':
      return sql`count(*) filter (where type = 'click' and is_unique) as unique_clicks`;
    default:
      return sql`count(*) filter (where type = ${sql.lit(name)}) as ${sql.ref(name)}`;
  }
});

function countEvents(scope: Scope, part: Period): Promise<PairRow[]> {
  return scope.rows<PairRow>`
    with events as (
      select * from message_events e
      where organisation_id = ${own} and received_at between ${part.from} and ${part.to} and ${isVisible('e')}
    )
    select account_id, domain_id, ${sql.join(EVENT_COUNTERS)} from events group by account_id, domain_id`;
}

const MESSAGE_COUNTERS = COUNTERS.map((name): RawBuilder<unknown> => {
  switch (name) {
    case 'messages':
      return sql`count(*) as messages`;
    case 'track_opens':
    case 'track_clicks':
      return sql`count(*) filter (where ${sql.ref(name)}) as ${sql.ref(name)}`;
    default:
      return sql`0 as ${sql.ref(name)}`;
  }
});

function countMessages(scope: Scope, part: Period): Promise<PairRow[]> {
  return scope.rows<PairRow>`
    with accepted as (
      select * from messages m
      where organisation_id = ${own} and created_at between ${part.from} and ${part.to} and ${isVisible('m')}
    )
    select account_id, domain_id, ${sql.join(MESSAGE_COUNTERS)} from accepted group by account_id, domain_id`;
}

/** Every account, the ones without any mail included. */
async function byAccount(scope: Scope, pairs: readonly PairRow[]): Promise<AccountStatisticsRow[]> {
  const accounts = await scope.rows<{ account_id: string; account_name: string }>`
    select account_id, name as account_name from accounts
    where organisation_id = ${own} and deleted_at is null order by created_at desc, account_id desc`;
  const groups = Map.groupBy(pairs, (pair) => pair.account_id);
  return accounts.map((account) => ({ ...account, ...sum(groups.get(account.account_id) ?? []) }));
}

/** Every domain, and the deleted ones that have messages. */
async function byDomain(scope: Scope, pairs: readonly PairRow[]): Promise<DomainStatisticsRow[]> {
  const domains = await scope.rows<{ domain_id: string; domain_name: string }>`
    select domain_id, name as domain_name from domains d
    where organisation_id = ${own} and (deleted_at is null or exists (
      select from message_counts c
      where c.organisation_id = d.organisation_id and c.domain_id = d.domain_id and c.messages > 0
    ))
    order by created_at desc, domain_id desc`;
  const groups = Map.groupBy(pairs, (pair) => pair.domain_id);
  return domains.map((domain) => ({ ...domain, ...sum(groups.get(domain.domain_id) ?? []) }));
}

function sum(rows: readonly StatisticsCounters[]): StatisticsCounters {
  const total = { ...NO_COUNTS };
  for (const row of rows) {
    for (const name of COUNTERS) total[name] += row[name];
  }
  return total;
}
