import type { Period } from '../domain/periods.ts';
import { hourOf, type Timestamp } from '../domain/time.ts';
import { endOfHour, hoursOf } from './hours.ts';
import { countableConditions, isVisible } from './message-filter.ts';
import { andAlso } from './page.ts';
import type { MessageFilter, PageRequest } from './rows.ts';
import { own, type Scope } from './scope.ts';

/** Where in the log a page lies. */
export interface PagePlan {
  /** How many messages match in all. */
  total: number;
  /** The span of the log that holds the page; undefined when the page is empty. */
  span: Period | undefined;
  /** How many matching messages of the span come before the page. */
  skip: number;
}

interface PlanRow {
  total: number;
  newest: Timestamp | null;
  oldest: Timestamp | null;
  /** Matching messages newer than the hour `newest`. */
  passed: number | null;
}

/**
 * Finds total and place of a page from the hourly counters, so that neither a deep page nor a rare event makes the
 * database search the log: only the hours that hold the page are read. An hour that the period cuts through is counted
 * in the log. The filter must be one that the counters can answer (`isCountable`).
 */
export async function planPage(scope: Scope, filter: MessageFilter, page: PageRequest): Promise<PagePlan> {
  const { first, last, cut } = hoursOf(filter.period, scope.clock.now());
  const conditions = andAlso(countableConditions(filter, 'c'));
  const cutHours = cut.map((part) => hourOf(part.from));
  const cutCounts = await Promise.all(cut.map((part) => countInLog(scope, filter, part)));
  const end = page.offset + page.limit;
  const rows = await scope.rows<PlanRow>`
    with hours as (
      select bucket, sum(messages) as messages from message_counts c
      where organisation_id = ${own} and bucket between ${first} and ${last}
        and bucket <> all(${cutHours}::timestamptz[]) ${conditions}
      group by bucket
      union all
      select * from unnest(${cutHours}::timestamptz[], ${cutCounts}::bigint[])
    ), running as (
      select bucket, messages, sum(messages) over (order by bucket desc) as upto from hours where messages > 0
    )
    select coalesce(sum(messages), 0) as total,
      max(bucket) filter (where upto > ${page.offset}) as newest,
      min(bucket) filter (where upto - messages < ${end}) as oldest,
      min(upto - messages) filter (where upto > ${page.offset}) as passed
    from running`;
  return toPlan(rows[0], filter.period, page.offset);
}

function toPlan(row: PlanRow | undefined, period: Period, offset: number): PagePlan {
  if (row === undefined || row.newest === null || row.oldest === null) {
    return { total: row?.total ?? 0, span: undefined, skip: 0 };
  }
  const span = clip({ from: row.oldest, to: endOfHour(row.newest) }, period);
  return { total: row.total, span, skip: offset - (row.passed ?? 0) };
}

async function countInLog(scope: Scope, filter: MessageFilter, part: Period): Promise<number> {
  const conditions = andAlso([isVisible('m'), ...countableConditions(filter, 'm')]);
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
