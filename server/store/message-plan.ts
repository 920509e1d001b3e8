import { type RawBuilder, sql } from 'kysely';
import { MESSAGE_EVENT_TYPES } from '../domain/events.ts';
import type { Period } from '../domain/periods.ts';
import { hourOf, type Timestamp } from '../domain/time.ts';
import { endOfHour, hoursOf } from './hours.ts';
import { bitsOf, countableConditions, isVisible, ownerConditions } from './message-filter.ts';
import { andAlso } from './page.ts';
import type { MessageFilter, PageRequest } from './rows.ts';
import { own, type Scope } from './scope.ts';

/** Where in the log a page lies. */
export interface PagePlan {
  /** How many messages match in all. */
  total: number;
  /** The parts of the log that hold the page, newest first; none when the page is empty. */
  parts: Period[];
  /** How many matching messages of the parts come before the page. */
  skip: number;
}

interface PlanRow {
  total: number;
  /** The hours that hold the page, newest first. */
  hours: Timestamp[] | null;
  /** Matching messages newer than all of these hours. */
  passed: number | null;
}

/**
 * Finds total and place of a page from the hourly counters, so that neither a deep page nor a rare event makes the
 * database search the log: only the hours that hold the page are read. An hour that the period cuts through is counted
 * in the log. The filter must be one that the counters can answer (`isCountable`).
 */
export async function planPage(scope: Scope, filter: MessageFilter, page: PageRequest): Promise<PagePlan> {
  const { first, last, cut } = hoursOf(filter.period, scope.clock.now());
  const { table, conditions } = countersFor(filter);
  const cutHours = cut.map((part) => hourOf(part.from));
  const cutCounts = await Promise.all(cut.map((part) => countInLog(scope, filter, part)));
  const end = page.offset + page.limit;
  const rows = await scope.rows<PlanRow>`
    with hours as (
      select bucket, sum(messages) as messages
      from (values (${own}::uuid)) as owner (organisation_id) join ${table} c using (organisation_id)
      where bucket between ${first} and ${last}
        and bucket <> all(${cutHours}::timestamptz[]) ${conditions}
      group by bucket
      union all
      select * from unnest(${cutHours}::timestamptz[], ${cutCounts}::bigint[])
    ), running as (
      select bucket, messages, sum(messages) over (order by bucket desc) as upto from hours where messages > 0
    )
    select coalesce(sum(messages), 0) as total,
      jsonb_agg(bucket order by bucket desc) filter (where upto > ${page.offset} and upto - messages < ${end}) as hours,
      min(upto - messages) filter (where upto > ${page.offset}) as passed
    from running`;
  return toPlan(rows[0], filter.period, page.offset);
}

function toPlan(row: PlanRow | undefined, period: Period, offset: number): PagePlan {
  const { total = 0, hours, passed } = row ?? {};
  const parts = (hours ?? []).map((hour) => clip({ from: hourOf(hour), to: endOfHour(hour) }, period));
  return { total, parts, skip: offset - (passed ?? 0) };
}

// The statistics count the accepted messages too, in a row for each hour, account and domain; only a filter by events needs
// the several times longer counters by event mask.
function countersFor(filter: MessageFilter): { table: RawBuilder<unknown>; conditions: RawBuilder<unknown> } {
  const isByEvent = (filter.events ?? []).length > 0;
  return {
    table: sql.table(isByEvent ? 'message_counts' : 'stats_hourly'),
    conditions: andAlso([...ownerConditions(filter, 'c'), isByEvent ? hasMaskOf(filter) : undefined]),
  };
}

// As a list of masks and not as a bit test, since a list is what an index can look up.
function hasMaskOf({ events = [] }: MessageFilter): RawBuilder<unknown> {
  const bits = bitsOf(events);
  const masks = Array.from({ length: 1 << MESSAGE_EVENT_TYPES.length }, (_, mask) => mask);
  return sql`c.event_mask = any(${masks.filter((mask) => (mask & bits) !== 0)}::smallint[])`;
}

async function countInLog(scope: Scope, filter: MessageFilter, part: Period): Promise<number> {
  const conditions = andAlso([isVisible('m'), ...countableConditions(filter)]);
  const rows = await scope.rows<{ messages: number }>`
    select count(*) as messages from messages m
    where organisation_id = ${own} and created_at between ${part.from} and ${part.to} ${conditions}`;
  return rows[0]?.messages ?? 0;
}

function clip(span: Period, period: Period): Period {
  const startsBefore = span.from < period.from;
  const endsAfter = span.to > period.to;
  return { from: startsBefore ? period.from : span.from, to: endsAfter ? period.to : span.to };
}
